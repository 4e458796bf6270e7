import { limits } from '../../../contracts/limits.js';
import type { FieldDefinition } from '../model/field-definition.js';
import { defineKind, validationsOf } from './define-kind.js';
import { problem, under, type Problem } from '../model/problem.js';
import { checkPattern, isFound } from '../model/pattern.js';
import type { FieldKindRules } from './rules.js';

/** Characters as people count them for limits: code points. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _character of text) length += 1;
  return length;
}

/** Shape of any text: a string within the kind's absolute limit. */
export function checkTextShape(value: unknown, lengthMaximum: number): Problem[] {
  if (typeof value !== 'string') return problem('invalid_type', 'The value must be a text.');
  return isLonger(value, lengthMaximum)
    ? problem('too_long', `The text has more than ${lengthMaximum} characters.`)
    : [];
}

/** The rule `pattern`, which must be found somewhere in the text. */
export function checkPatternRule(value: unknown, field: FieldDefinition): Problem[] {
  const { pattern, flags } = validationsOf<'longText'>(field);
  return pattern === undefined || isFound(value as string, pattern, flags)
    ? []
    : problem('pattern', 'The text does not match the pattern.');
}

/** Options `pattern` and `forbiddenPattern` of a kind whose texts are at most so long. */
export function checkPatternOptions(field: FieldDefinition, lengthMaximum: number): Problem[] {
  const { pattern, forbiddenPattern, flags = '', maxLength = lengthMaximum } = validationsOf<'text'>(field);
  const check = (name: string, given: string | undefined) =>
    given === undefined ? [] : under(checkPattern(given, flags, Math.max(1, maxLength)), 'validations', name);
  return [...check('pattern', pattern), ...check('forbiddenPattern', forbiddenPattern)];
}

function isLonger(text: string, lengthMaximum: number): boolean {
  // A text has at most as many code points as units, so most need no counting.
  return text.length > lengthMaximum && lengthOf(text) > lengthMaximum;
}

function checkTextRules(value: unknown, field: FieldDefinition): Problem[] {
  const text = value as string;
  const {
    minLength = 0,
    maxLength = Infinity,
    forbiddenPattern,
    flags,
    in: allowed,
  } = validationsOf<'text'>(field);
  if (isLonger(text, maxLength))
    return problem('too_long', `The text has more than ${maxLength} characters.`);
  const problems = checkPatternRule(text, field);
  if (lengthOf(text) < minLength)
    problems.push(...problem('too_short', `The text has fewer than ${minLength} characters.`));
  if (forbiddenPattern !== undefined && isFound(text, forbiddenPattern, flags)) {
    problems.push(...problem('forbidden_pattern', 'The text matches a pattern that is not allowed.'));
  }
  if (allowed && !allowed.includes(text))
    problems.push(...problem('not_allowed', 'The text is none of those allowed.'));
  return problems;
}

function textKind(lengthMaximum: number, canBecome: FieldKindRules['canBecome']): FieldKindRules {
  return defineKind({
    checkShape: (value) => checkTextShape(value, lengthMaximum),
    checkRules: checkTextRules,
    checkOptions: (field) => checkPatternOptions(field, lengthMaximum),
    canBecome,
  });
}

/** One line of text. */
export const text = textKind(limits.textLength, ['longText']);

/** Text of any number of lines. It has the rules of {@link text} but `in` and `forbiddenPattern`. */
export const longText = textKind(limits.longTextLength, []);
