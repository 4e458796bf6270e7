import { z } from 'zod';
import { InstantInput } from '../../../contracts/primitives.js';
import type { FieldDefinition } from '../model/field-definition.js';
import { defineKind, validationsOf } from './define-kind.js';
import type { FieldKindRules } from './rules.js';
import { problem, type Problem } from '../model/problem.js';

/** Room for nanoseconds and an offset; the format itself sets no end to the digits of a second. */
const lengthMaximum = 40;

/** Dates count as midnight UTC, which keeps their order. */
function checkTimeRules(value: unknown, field: FieldDefinition): Problem[] {
  const time = Date.parse(value as string);
  const { min, max } = validationsOf<'dateTime'>(field);
  if (min !== undefined && time < Date.parse(min))
    return problem('too_early', `The earliest possible value is ${min}.`);
  if (max !== undefined && time > Date.parse(max))
    return problem('too_late', `The latest possible value is ${max}.`);
  return [];
}

function timeKind(format: z.ZodType, what: string): FieldKindRules {
  return defineKind({
    checkShape: (value) => {
      if (typeof value !== 'string') return problem('invalid_type', `The value must be ${what}.`);
      const isGood = value.length <= lengthMaximum && format.safeParse(value).success;
      return isGood ? [] : problem('invalid_format', `The value must be ${what}.`);
    },
    checkRules: checkTimeRules,
  });
}

/** A calendar date. It must exist: 2026-02-30 is refused. */
export const date = timeKind(z.iso.date(), 'a date such as 2026-03-01');

/** A moment, kept in the notation it was written in. */
export const dateTime = timeKind(InstantInput, 'a time with an offset or Z, such as 2026-03-01T09:30:00Z');
