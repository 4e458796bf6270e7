import type { FieldDefinition } from '../model/field-definition.js';
import { checkPattern, isFound } from '../model/pattern.js';
import { problem, under, type Problem } from '../model/problem.js';
import { defineKind } from './define-kind.js';
import type { FieldKindRules, FieldKindTraits, ValueClass } from './rules.js';

/** Limits count code points. */
export function lengthOf(string: string): number {
  let length = 0;
  for (const _character of string) length += 1;
  return length;
}

function isLonger(string: string, lengthMaximum: number): boolean {
  // A string has at most as many code points as units, so most need no counting.
  return string.length > lengthMaximum && lengthOf(string) > lengthMaximum;
}

function checkStringShape(value: unknown, lengthMaximum: number): Problem[] {
  if (typeof value !== 'string') return problem('invalid_type', 'The value must be a string.');
  return isLonger(value, lengthMaximum)
    ? problem('too_long', `The value has more than ${lengthMaximum} characters.`)
    : [];
}

interface PatternValidations {
  readonly pattern?: string;
  readonly forbiddenPattern?: string;
  readonly flags?: string;
  readonly maxLength?: number;
}

/** The pattern must match somewhere in the value. */
export function checkPatternRule(value: unknown, { validations }: FieldDefinition): Problem[] {
  const { pattern, flags } = validations as PatternValidations;
  return pattern === undefined || isFound(value as string, pattern, flags)
    ? []
    : problem('pattern', 'The value does not match the pattern.');
}

export function checkPatternOptions({ validations }: FieldDefinition, lengthMaximum: number): Problem[] {
  const {
    pattern,
    forbiddenPattern,
    flags = '',
    maxLength = lengthMaximum,
  } = validations as PatternValidations;
  const check = (name: string, given: string | undefined) =>
    given === undefined ? [] : under(checkPattern(given, flags, Math.max(1, maxLength)), 'validations', name);
  return [...check('pattern', pattern), ...check('forbiddenPattern', forbiddenPattern)];
}

interface TextValidations {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly forbiddenPattern?: string;
  readonly flags?: string;
  readonly in?: readonly string[];
}

function checkTextRules(value: unknown, field: FieldDefinition): Problem[] {
  const text = value as string;
  const {
    minLength = 0,
    maxLength = Infinity,
    forbiddenPattern,
    flags,
    in: allowed,
  } = field.validations as TextValidations;
  if (isLonger(text, maxLength))
    return problem('too_long', `The value has more than ${maxLength} characters.`);
  const problems = checkPatternRule(text, field);
  if (lengthOf(text) < minLength)
    problems.push(...problem('too_short', `The value has fewer than ${minLength} characters.`));
  if (forbiddenPattern !== undefined && isFound(text, forbiddenPattern, flags)) {
    problems.push(...problem('forbidden_pattern', 'The value matches the forbidden pattern.'));
  }
  if (allowed && !allowed.includes(text))
    problems.push(...problem('not_allowed', 'The value is not one of the allowed values.'));
  return problems;
}

/** A kind of prose up to a length. */
export function textKind(lengthMaximum: number, traits: Partial<FieldKindTraits>): FieldKindRules {
  return defineKind({
    checkShape: (value) => checkStringShape(value, lengthMaximum),
    checkRules: checkTextRules,
    checkOptions: (field) => checkPatternOptions(field, lengthMaximum),
    isTranslatable: true,
    isProse: true,
    comparison: 'string',
    graphqlType: 'String',
    ...traits,
  });
}

interface AddressKind {
  readonly lengthMaximum: number;
  readonly isValid: (value: string) => boolean;
  /** Completes "The value must be …". */
  readonly what: string;
  readonly valueClass: ValueClass;
}

/** A kind of strings in a fixed format. */
export function addressKind({ lengthMaximum, isValid, what, valueClass }: AddressKind): FieldKindRules {
  return defineKind({
    checkShape: (value) => {
      const problems = checkStringShape(value, lengthMaximum);
      return problems.length > 0 || isValid(value as string)
        ? problems
        : problem('invalid_format', `The value must be ${what}.`);
    },
    checkRules: checkPatternRule,
    checkOptions: (field) => checkPatternOptions(field, lengthMaximum),
    titles: 'chosen',
    comparison: 'string',
    graphqlType: 'String',
    valueClass,
  });
}
