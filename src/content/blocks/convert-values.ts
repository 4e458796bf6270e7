import { isEqualJson } from '../exact-json/canonical-json.js';
import type { FieldValues } from '../model/field-definition.js';
import { changesIn } from './changed-paths.js';
import { isOwnBlock } from '../model/own-block.js';
import { composeValues, splitValues } from './stored-values.js';
import type { BlockType, BlockTypes } from './value-parts.js';

/** Stored values of an entry. */
export interface EntryValues<T extends { readonly fields: FieldValues }> {
  readonly shared: FieldValues;
  /** The one whose values all locales get comes first. */
  readonly locales: readonly T[];
}

interface ConvertedLocale {
  /** Those of the locale, which are stored apart. */
  readonly fields: FieldValues;
  /** All values of the locale. */
  readonly values: FieldValues;
  /** Whether the locale has the values that it had. */
  readonly isSame: boolean;
}

export interface ConvertedValues<T> {
  readonly shared: FieldValues;
  readonly locales: readonly (T & ConvertedLocale)[];
  /** Values of locales that the conversion loses. */
  readonly lost: number;
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Values of all locales with those that only another locale has, also in blocks of both. */
function withGaps(values: FieldValues, others: FieldValues): FieldValues {
  const filled = Object.entries(others).map(([name, other]) => {
    const own = values[name];
    if (own === undefined || isEmptyList(own)) return [name, other] as const;
    if (!Array.isArray(own) || !Array.isArray(other)) return [name, own] as const;
    const blocks = new Map(other.filter(isOwnBlock).map((block) => [block._ref, block.fields]));
    const items = own.map((item: unknown) =>
      isOwnBlock(item) ? { ...item, fields: withGaps(item.fields, blocks.get(item._ref) ?? {}) } : item,
    );
    return [name, items] as const;
  });
  return { ...values, ...Object.fromEntries(filled) };
}

/**
 * Values of locales as they are stored: what becomes shared is that of the first locale that has it. Localized values of
 * blocks that only other locales have are left out.
 */
export function divideValues(
  types: BlockTypes,
  type: BlockType,
  locales: readonly FieldValues[],
): { readonly shared: FieldValues; readonly localized: readonly FieldValues[] } {
  const split = locales.map((values) => splitValues(types, type, values));
  const shared = split.map((values) => values.shared).reduce(withGaps, {});
  const localized = split.map(
    (own) => splitValues(types, type, composeValues(shared, own.localized)).localized,
  );
  return { shared, localized };
}

/**
 * Divides the values of an entry as the types say now, where fields became localized or shared, also those of blocks.
 */
export function convertValues<T extends { readonly fields: FieldValues }>(
  types: BlockTypes,
  type: BlockType,
  { shared, locales }: EntryValues<T>,
): ConvertedValues<T> {
  const before = locales.map(({ fields }) => composeValues(shared, fields));
  const divided = divideValues(types, type, before);
  let lost = 0;
  const converted = locales.map((locale, index) => {
    const [former = {}, fields = {}] = [before[index], divided.localized[index]];
    const values = composeValues(divided.shared, fields);
    lost += changesIn(former, values).filter(({ from }) => from !== undefined && from !== null).length;
    return { ...locale, fields, values, isSame: isEqualJson(former, values) };
  });
  return { shared: divided.shared, locales: converted, lost };
}
