import type { FieldDefinition } from '../model/field-definition.js';
import { checkPattern, isFound } from '../model/pattern.js';
import { problem, under, type Problem } from '../model/problem.js';

/** Limits count code points. */
export function lengthOf(string: string): number {
  let length = 0;
  for (const _character of string) length += 1;
  return length;
}

export function isLonger(string: string, lengthMaximum: number): boolean {
  // A string has at most as many code points as units, so most need no counting.
  return string.length > lengthMaximum && lengthOf(string) > lengthMaximum;
}

export function checkStringShape(value: unknown, lengthMaximum: number): Problem[] {
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
