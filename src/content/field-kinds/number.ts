import type { FieldKind } from '../../../contracts/resources/field-kinds.js';
import type { FieldDefinition } from '../model/field-definition.js';
import { defineKind, validationsOf } from './define-kind.js';
import type { FieldKindRules } from './rules.js';
import { problem, type Problem } from '../model/problem.js';

function checkNumberRules(value: unknown, field: FieldDefinition): Problem[] {
  const number = value as number;
  const { min = -Infinity, max = Infinity, step, in: allowed } = validationsOf<'number'>(field);
  const problems: Problem[] = [];
  if (number < min) problems.push(...problem('too_small', `The number must be at least ${min}.`));
  if (number > max) problems.push(...problem('too_big', `The number must be at most ${max}.`));
  if (step !== undefined && !isOnStep(number, step, Number.isFinite(min) ? min : 0)) {
    problems.push(...problem('off_step', `The number must go up in steps of ${step}.`));
  }
  if (allowed && !allowed.includes(number))
    problems.push(...problem('not_allowed', 'The number is none of those allowed.'));
  return problems;
}

/** Steps count from `min`, or from 0 without one, as in HTML. 0.3 is on a step of 0.1, though doubles say 2.9999999999999996. */
function isOnStep(number: number, step: number, base: number): boolean {
  const steps = (number - base) / step;
  const tolerance = 4 * Number.EPSILON * Math.max(1, Math.abs(number / step), Math.abs(base / step));
  return Math.abs(steps - Math.round(steps)) <= tolerance;
}

function numberKind(
  isGood: (value: unknown) => boolean,
  what: string,
  canBecome: readonly FieldKind[],
): FieldKindRules {
  return defineKind({
    checkShape: (value) => (isGood(value) ? [] : problem('invalid_type', `The value must be ${what}.`)),
    checkRules: checkNumberRules,
    canBecome,
  });
}

/** Integers that every reader keeps exactly, up to 2^53-1. */
export const integer = numberKind(Number.isSafeInteger, 'an integer', ['number']);

/** Any finite double. */
export const number = numberKind(Number.isFinite, 'a number', []);
