import type { InputIssue } from '../../contracts/errors.js';
import type { FieldDefinition } from './catalog.js';
import { checkShapeOf, withOwnMessage } from './field-kinds/define-kind.js';
import { under, type Problem } from './model/problem.js';
import { conditionsIn } from './field-conditions.js';
import { kindOf } from './field-kinds/index.js';
import { valueIn, type FieldValues } from './model/field-definition.js';
import { checkJsonSchema, isKnownSchema, renewWork, type JsonSchema } from './json-schema/index.js';

export type { FieldValues } from './model/field-definition.js';

/** Bounds the response to a hostile write. */
export const issuesMaximum = 100;

/**
 * Checks type and format on any write (rule content/values, "When rules bite"). Paths are `["fields", apiName, …]`.
 * Null clears a field and is always valid; absent fields are not checked.
 */
export function checkShapes(fields: readonly FieldDefinition[], values: FieldValues): InputIssue[] {
  return collectIssues(fields, (field) => checkShape(field, valueIn(values, field.apiName)));
}

export function unknownFieldNames(fields: readonly FieldDefinition[], values: FieldValues): string[] {
  const known = new Set(fields.map(({ apiName }) => apiName));
  return Object.keys(values).filter((name) => !known.has(name));
}

/**
 * Checks shapes, required values and validations (rule content/conditions). The caller checks uniqueness and link targets, which need the database.
 */
export function checkPublishable(fields: readonly FieldDefinition[], values: FieldValues): InputIssue[] {
  return collectIssues(fields, (field) => {
    const { isVisible, isRequired } = conditionsIn(field, fields, values);
    const value = valueIn(values, field.apiName);
    return isVisible ? checkForPublish(field, value, isRequired) : checkShape(field, value);
  });
}

/** Reads the schema of a field's values before the first check; false if it was read or there is none. */
export function prepareField({ settings, customType }: FieldDefinition): boolean {
  const schema = customType?.jsonSchema ?? (settings as { readonly jsonSchema?: JsonSchema }).jsonSchema;
  if (schema === undefined || isKnownSchema(schema)) return false;
  checkJsonSchema(schema);
  return true;
}

/** Paths start at the field. */
export function checkFieldDefinition(field: FieldDefinition): InputIssue[] {
  renewWork();
  return kindOf(field).checkOptions(field);
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

function isUnset(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function checkShape(field: FieldDefinition, value: unknown): Problem[] {
  return isUnset(value) ? [] : checkShapeOf(value, field, kindOf(field).checkShape);
}

function checkForPublish(field: FieldDefinition, value: unknown, isRequired: boolean): Problem[] {
  const problems = checkShape(field, value);
  if (problems.length > 0) return problems;
  if (isRequired && isMissing(field, value))
    return [{ path: [], code: 'required', message: 'A value is required.' }];
  if (isUnset(value)) return [];
  const { checkRules } = kindOf(field);
  if (!Array.isArray(value) || !field.isList) return checkRules(value, field);
  return [
    ...checkCounts(field, value.length),
    ...value.flatMap((item: unknown, index) => under(checkRules(item, field), index)),
  ];
}

/** Whether there is no value, white space only, or an empty list. Only for values of valid shape. */
export function isMissing(field: FieldDefinition, value: unknown): boolean {
  if (isUnset(value)) return true;
  const { isEmpty } = kindOf(field);
  return field.isList && Array.isArray(value) ? value.every((item) => isEmpty(item)) : isEmpty(value);
}

function checkCounts(field: FieldDefinition, count: number): Problem[] {
  const { minItems, maxItems } = field.validations;
  const problems: Problem[] = [];
  if (typeof minItems === 'number' && count < minItems) {
    problems.push({
      path: [],
      code: 'too_few_items',
      message: `The list must have at least ${minItems} items.`,
    });
  }
  if (typeof maxItems === 'number' && count > maxItems) {
    problems.push({
      path: [],
      code: 'too_many_items',
      message: `The list can have at most ${maxItems} items.`,
    });
  }
  return withOwnMessage(problems, field);
}
