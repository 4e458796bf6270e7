import type { FieldDefinition } from '../model/field-definition.js';
import { problem, type Problem } from '../model/problem.js';
import { defineKind } from './define-kind.js';
import type { FieldKindRules, ValueClass } from './rules.js';

interface NumberValidations {
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  readonly in?: readonly number[];
}

function checkNumberRules(value: unknown, { validations }: FieldDefinition): Problem[] {
  const number = value as number;
  const { min = -Infinity, max = Infinity, step, in: allowed } = validations as NumberValidations;
  const problems: Problem[] = [];
  if (number < min) problems.push(...problem('too_small', `The number must be at least ${min}.`));
  if (number > max) problems.push(...problem('too_big', `The number must be at most ${max}.`));
  const base = Number.isFinite(min) ? min : 0;
  if (step !== undefined && !isOnStep(number, step, base)) {
    problems.push(...problem('off_step', `The number must be a multiple of ${step}, counted from ${base}.`));
  }
  if (allowed && !allowed.includes(number))
    problems.push(...problem('not_allowed', 'The number is not one of the allowed values.'));
  return problems;
}

/** Steps count from `min`, or from 0 without one, as in HTML. Rounding errors are tolerated: 0.3 is on a step of 0.1. */
function isOnStep(number: number, step: number, base: number): boolean {
  const steps = (number - base) / step;
  const tolerance = 4 * Number.EPSILON * Math.max(1, Math.abs(number / step), Math.abs(base / step));
  return Math.abs(steps - Math.round(steps)) <= tolerance;
}

interface NumberKind {
  readonly isValid: (value: unknown) => boolean;
  /** Completes "The value must be …". */
  readonly what: string;
  readonly valueClass?: ValueClass;
  readonly accepts?: readonly ValueClass[];
}

/** A kind of numbers with a range, a step and a list of allowed values. */
export function numberKind({ isValid, what, ...classes }: NumberKind): FieldKindRules {
  return defineKind({
    checkShape: (value) => (isValid(value) ? [] : problem('invalid_type', `The value must be ${what}.`)),
    checkRules: checkNumberRules,
    titles: 'chosen',
    comparison: 'number',
    // GraphQL's Int ends at 32 bits, and bounds set later must not change the type of a field.
    graphqlType: 'Float',
    ...classes,
  });
}
