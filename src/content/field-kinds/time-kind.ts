import type { z } from 'zod';
import type { FieldDefinition } from '../model/field-definition.js';
import { problem, type Problem } from '../model/problem.js';
import { defineKind } from './define-kind.js';
import type { Comparison, FieldKindRules } from './rules.js';

/** Allows nanoseconds and an offset. */
const lengthMaximum = 40;

/** A date without a time counts as midnight UTC, which preserves the order. */
function checkTimeRules(value: unknown, { validations }: FieldDefinition): Problem[] {
  const time = Date.parse(value as string);
  const { min, max } = validations as { min?: string; max?: string };
  if (min !== undefined && time < Date.parse(min))
    return problem('too_early', `The value must not be before ${min}.`);
  if (max !== undefined && time > Date.parse(max))
    return problem('too_late', `The value must not be after ${max}.`);
  return [];
}

/**
 * Stored as written.
 * @param what completes "The value must be …"
 */
export function timeKind(format: z.ZodType, what: string, comparison: Comparison): FieldKindRules {
  return defineKind({
    checkShape: (value) => {
      if (typeof value !== 'string') return problem('invalid_type', `The value must be ${what}.`);
      const isValid = value.length <= lengthMaximum && format.safeParse(value).success;
      return isValid ? [] : problem('invalid_format', `The value must be ${what}.`);
    },
    checkRules: checkTimeRules,
    titles: 'chosen',
    comparison,
    graphqlType: 'String',
  });
}
