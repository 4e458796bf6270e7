import { z } from 'zod';
import { limits } from '../../limits.js';
import { ApiName } from '../../primitives.js';

const scalar = z.union([z.string().max(limits.textLength), z.number(), z.boolean()]);

/** What one field of the same entry or block must be: exactly one of the comparisons. */
export const FieldTest = z
  .strictObject({
    field: ApiName.meta({ description: 'API name of the field that is compared.' }),
    eq: scalar.optional(),
    ne: scalar.optional(),
    in: z.array(scalar).min(1).max(50).optional(),
    exists: z.boolean().optional(),
  })
  .refine(({ field: _field, ...comparisons }) => Object.keys(comparisons).length === 1, {
    message: 'must have exactly one of eq, ne, in and exists',
  })
  .meta({
    id: 'FieldTest',
    minProperties: 2,
    maxProperties: 2,
    description:
      'A comparison of another field of the same entry or block. `ne` also holds without a value; a list is equal to what it contains.',
    example: { field: 'layout', eq: 'wide' },
  });
export type FieldTest = z.infer<typeof FieldTest>;

/** Rule content/conditions. */
export const fieldCondition = (description: string) =>
  z.array(FieldTest).min(1).max(10).optional().meta({ description });

const isSet = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(isSet)
    : typeof value === 'string'
      ? value.trim() !== ''
      : value !== null && value !== undefined;

const equals = (value: unknown, expected: unknown): boolean =>
  Array.isArray(value) ? value.includes(expected) : value === expected;

function isMet({ field, eq, ne, in: any, exists }: FieldTest, valueOf: (field: string) => unknown): boolean {
  const value = valueOf(field);
  if (exists !== undefined) return isSet(value) === exists;
  if (eq !== undefined) return equals(value, eq);
  if (ne !== undefined) return !equals(value, ne);
  return any?.some((expected) => equals(value, expected)) === true;
}

interface Conditional {
  readonly required: boolean;
  readonly settings: { readonly visibleWhen?: unknown };
  readonly validations: { readonly requiredWhen?: unknown };
}

/** The tests that an option holds, which were checked when the field was saved. */
export const testsIn = (option: unknown): readonly FieldTest[] | undefined =>
  Array.isArray(option) ? (option as FieldTest[]) : undefined;

/** Whether every test of a condition holds. */
const holds = (tests: readonly FieldTest[], valueOf: (field: string) => unknown): boolean =>
  tests.every((test) => isMet(test, valueOf));

/**
 * Whether editors see a field, and whether it must have a value, beside these values of its entry or block (rule
 * content/conditions). What is not visible is not required.
 */
export function conditionsOf(
  { required, settings, validations }: Conditional,
  valueOf: (field: string) => unknown,
): { readonly isVisible: boolean; readonly isRequired: boolean } {
  const visibleWhen = testsIn(settings.visibleWhen);
  const requiredWhen = testsIn(validations.requiredWhen);
  const isVisible = visibleWhen === undefined || holds(visibleWhen, valueOf);
  const isNeeded = required || (requiredWhen !== undefined && holds(requiredWhen, valueOf));
  return { isVisible, isRequired: isVisible && isNeeded };
}
