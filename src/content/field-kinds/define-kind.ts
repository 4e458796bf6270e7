import type { z } from 'zod';
import { limits } from '../../../contracts/limits.js';
import { issuesOf } from '../../../contracts/errors.js';
import {
  fieldKindOptions,
  type FieldKind,
  type FieldValidations,
} from '../../../contracts/content/fields/field-kinds.js';
import { type FieldDefinition, isGroup } from '../model/field-definition.js';
import type { FieldKindRules, FieldKindTraits } from './rules.js';
import { under, type Problem } from '../model/problem.js';

type KindDefinition = Pick<FieldKindRules, 'checkShape' | 'graphqlType'> &
  Partial<Omit<FieldKindRules, 'isLink' | 'namesMedia' | 'namesEntries'>>;

/** Defaults. */
const commonTraits = {
  isAlwaysList: false,
  takesBlocks: false,
  takesMarkup: false,
  isTranslatable: false,
  titles: 'never',
  isProse: false,
  givesSlug: false,
  comparison: null,
  storedKey: null,
  valueClass: null,
  accepts: [],
} satisfies Partial<FieldKindTraits>;

/** Pairs whose first must not exceed the second. */
const ranges = [
  ['min', 'max'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minWidth', 'maxWidth'],
  ['minHeight', 'maxHeight'],
] as const;

/** Completes the rules of a kind. Its `checkOptions` runs only if all options have a valid shape. */
export function defineKind(kind: KindDefinition): FieldKindRules {
  return {
    isEmpty: (value) => typeof value === 'string' && value.trim() === '',
    deliver: (value) => value,
    links: () => [],
    mediaUses: () => [],
    entryUses: () => [],
    mapEntryUses: (value) => value,
    store: (value) => value,
    customTypeName: () => undefined,
    ...commonTraits,
    ...kind,
    isLink: kind.links !== undefined,
    namesMedia: kind.mediaUses !== undefined,
    namesEntries: kind.entryUses !== undefined,
    checkMedia: (asset, field, as) => withOwnMessage(kind.checkMedia?.(asset, field, as) ?? [], field),
    checkEntry: (entry, field, as) => withOwnMessage(kind.checkEntry?.(entry, field, as) ?? [], field),
    checkRules: (value, field) => withOwnMessage(kind.checkRules?.(value, field) ?? [], field),
    checkOptions: (field) => {
      const misshapen = checkOptionShapes(field);
      if (misshapen.length > 0) return misshapen;
      return [
        ...checkRanges(field),
        ...(kind.checkOptions?.(field) ?? []),
        ...checkDefault(field, kind.checkShape),
      ];
    },
  };
}

/** Checked when the field was saved. */
export function validationsOf<K extends FieldKind>(field: FieldDefinition): FieldValidations<K> {
  return field.validations as FieldValidations<K>;
}

/** Replaces default messages with the message of the field. */
export function withOwnMessage<P extends { readonly message: string }>(
  problems: P[],
  field: FieldDefinition,
): P[] {
  const { message } = field.validations;
  return typeof message === 'string' ? problems.map((each) => ({ ...each, message })) : problems;
}

function checkOptionShapes(field: FieldDefinition): Problem[] {
  const { settings, validations } = fieldKindOptions[field.type];
  return [
    ...under(parseProblems(settings, field.settings), 'settings'),
    ...under(parseProblems(validations, field.validations), 'validations'),
  ];
}

function parseProblems(schema: z.ZodType, value: unknown): Problem[] {
  const { error } = schema.safeParse(value);
  return error === undefined ? [] : issuesOf(error).map((issue) => ({ ...issue, path: [...issue.path] }));
}

function checkRanges({ validations }: FieldDefinition): Problem[] {
  return ranges
    .filter(([low, high]) => exceeds(validations[low], validations[high]))
    .map(([low, high]) => ({
      path: ['validations', low],
      code: 'empty_range',
      message: `${low} must not exceed ${high}.`,
    }));
}

function exceeds(low: unknown, high: unknown): boolean {
  if (typeof low === 'number' && typeof high === 'number') return low > high;
  // Dates and times.
  return typeof low === 'string' && typeof high === 'string' && Date.parse(low) > Date.parse(high);
}

function checkDefault(field: FieldDefinition, checkShape: FieldKindRules['checkShape']): Problem[] {
  const value: unknown = field.defaultValue;
  if (value === null || value === undefined) return [];
  return under(checkShapeOf(value, field, checkShape), 'defaultValue');
}

/** Checks a value that is not null, as a list for list fields. */
export function checkShapeOf(
  value: unknown,
  field: FieldDefinition,
  checkShape: FieldKindRules['checkShape'],
): Problem[] {
  if (!field.isList) return checkShape(value, field);
  if (!Array.isArray(value))
    return [{ path: [], code: 'invalid_type', message: 'The value must be a list.' }];
  if (value.length > limits.itemsPerField) {
    return [
      { path: [], code: 'too_many_items', message: `A list can have at most ${limits.itemsPerField} items.` },
    ];
  }
  if (isGroup(field) && value.length > 1)
    return [{ path: [], code: 'too_many_items', message: 'A group is one object.' }];
  return value.flatMap((item: unknown, index) =>
    item === null || item === undefined
      ? [{ path: [index], code: 'invalid_type', message: 'An item in a list cannot be null.' }]
      : under(checkShape(item, field), index),
  );
}
