import type { FieldDefinition } from '../model/field-definition.js';
import { isFound } from '../model/pattern.js';
import { problem, type Problem } from '../model/problem.js';
import { defineKind } from './define-kind.js';
import type { FieldKindRules, FieldKindTraits } from './rules.js';
import {
  checkPatternOptions,
  checkPatternRule,
  checkStringShape,
  isLonger,
  lengthOf,
} from './string-rules.js';

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
