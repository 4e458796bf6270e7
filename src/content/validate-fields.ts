import type { InputIssue } from '../../contracts/errors.js';
import type { RichTextNode } from '../../contracts/resources/rich-text.js';
import type { FieldDefinition } from './catalog.js';
import { checkShapeOf, withOwnMessage } from './field-kinds/define-kind.js';
import { under, type Problem } from './model/problem.js';
import { fieldKindRules, type FieldKindRules } from './field-kinds/index.js';
import { valueIn, type FieldValues } from './model/field-values.js';
import { renewWork } from './json-schema/work.js';
import { toText } from './rich-text/to-text.js';

export type { FieldValues } from './model/field-values.js';

/** Nobody mends more at once, and a hostile write shall not be answered with something larger. */
const issuesMaximum = 100;

/**
 * What is wrong with values on any write: type and format (decisions 2.29, "When rules bite"). Paths
 * are `["fields", apiName, …]`. Null clears a field and is always good; absent fields are not looked at.
 */
export function checkShapes(fields: readonly FieldDefinition[], values: FieldValues): InputIssue[] {
  return collectIssues(fields, (field) => checkShape(field, valueIn(values, field.apiName)));
}

/** Names in the values that are no field of the type. */
export function unknownFieldNames(fields: readonly FieldDefinition[], values: FieldValues): string[] {
  const known = new Set(fields.map(({ apiName }) => apiName));
  return Object.keys(values).filter((name) => !known.has(name));
}

/**
 * What keeps values from being published: the shapes again, `required`, and every validation of the
 * fields, counts of lists included. Uniqueness and the targets of links are for the caller, who can look.
 */
export function checkPublishable(fields: readonly FieldDefinition[], values: FieldValues): InputIssue[] {
  return collectIssues(fields, (field) => checkForPublish(field, valueIn(values, field.apiName)));
}

/** What is wrong with a definition: options of its kind, patterns, ranges, default value. Paths start at the field. */
export function checkFieldDefinition(field: FieldDefinition): InputIssue[] {
  renewWork();
  return rulesOf(field).checkOptions(field);
}

function collectIssues(
  fields: readonly FieldDefinition[],
  check: (field: FieldDefinition) => Problem[],
): InputIssue[] {
  renewWork();
  const issues: InputIssue[] = [];
  for (const field of fields) {
    issues.push(...under(check(field), 'fields', field.apiName));
    if (issues.length >= issuesMaximum) return issues.slice(0, issuesMaximum);
  }
  return issues;
}

function rulesOf(field: FieldDefinition): FieldKindRules {
  return fieldKindRules[field.type];
}

function isUnset(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function checkShape(field: FieldDefinition, value: unknown): Problem[] {
  return isUnset(value) ? [] : checkShapeOf(value, field, rulesOf(field).checkShape);
}

function checkForPublish(field: FieldDefinition, value: unknown): Problem[] {
  const problems = checkShape(field, value);
  if (problems.length > 0) return problems;
  if (field.required && isMissing(field, value))
    return [{ path: [], code: 'required', message: 'A value is required.' }];
  if (isUnset(value)) return [];
  const { checkRules } = rulesOf(field);
  if (!Array.isArray(value) || !field.isList) return checkRules(value, field);
  return [
    ...checkCounts(field, value.length),
    ...value.flatMap((item: unknown, index) => under(checkRules(item, field), index)),
  ];
}

/** Only for values of good shape. */
function isMissing(field: FieldDefinition, value: unknown): boolean {
  if (isUnset(value) || value === '') return true;
  if (field.isList) return Array.isArray(value) && value.length === 0;
  return field.type === 'richText' && toText(value as RichTextNode).trim() === '';
}

function checkCounts(field: FieldDefinition, count: number): Problem[] {
  const { minItems, maxItems } = field.validations;
  const problems: Problem[] = [];
  if (typeof minItems === 'number' && count < minItems) {
    problems.push({ path: [], code: 'too_few_items', message: `The list needs at least ${minItems} items.` });
  }
  if (typeof maxItems === 'number' && count > maxItems) {
    problems.push({ path: [], code: 'too_many_items', message: `The list takes at most ${maxItems} items.` });
  }
  return withOwnMessage(problems, field);
}
