import {
  typeOf,
  type Locale,
  type Model,
  type ModelBlock,
  type ModelField,
  type ModelType,
  type Values,
} from './model.js';

const isBlock = (value: unknown): value is ModelBlock =>
  typeof value === 'object' && value !== null && 'local' in value;

export const blocksIn = (value: unknown): ModelBlock[] => (Array.isArray(value) ? value.filter(isBlock) : []);

const holdsBlocks = (value: unknown): value is ModelBlock[] => blocksIn(value).length > 0;

export interface Part {
  readonly type: number;
  readonly values: Values;
  /** Empty for the entry. */
  readonly id?: string;
}

/** Values of an entry, or some of them, and of the blocks in them. */
export const partsOf = (part: Part): Part[] => [
  part,
  ...[...part.values.values()]
    .flatMap(blocksIn)
    .flatMap(({ id, type, values, local }) =>
      [values, ...local.values()].flatMap((own) => partsOf({ id, type, values: own })),
    ),
];

/** All values in a locale: blocks have theirs in one map. */
export function composed(shared: Values, own: Values | undefined, locale: Locale): Values {
  const values = new Map([...shared, ...(own ?? [])]);
  for (const [key, value] of values)
    if (holdsBlocks(value))
      values.set(
        key,
        value.map(({ id, type, values: held, local }) => ({
          id,
          type,
          values: composed(held, local.get(locale), locale),
          local: new Map<Locale, Values>(),
        })),
      );
  return values;
}

/** Values of locales as they are stored; what they share is that of the first one that has it. */
export function divided(
  model: Model,
  type: ModelType,
  byLocale: readonly (readonly [Locale, Values])[],
): { readonly shared: Values; readonly own: Map<Locale, Values> } {
  const shared: Values = new Map();
  const own = new Map(byLocale.map(([locale]): [Locale, Values] => [locale, new Map()]));
  for (const { key, kind, localized } of type.fields) {
    const held = byLocale.filter(([, values]) => values.has(key));
    const [first] = held;
    if (first === undefined) continue;
    if (localized) for (const [locale, values] of held) own.get(locale)?.set(key, values.get(key));
    else if (kind !== 'blocks') shared.set(key, first[1].get(key));
    else
      shared.set(
        key,
        blocksIn(first[1].get(key)).map(({ id, type: blockType }): ModelBlock => {
          const same = held.flatMap(([locale, values]) =>
            blocksIn(values.get(key))
              .filter((block) => block.id === id)
              .map((block) => [locale, block.values] as const),
          );
          const parts = divided(model, typeOf(model, { type: blockType }), same);
          return { id, type: blockType, values: parts.shared, local: parts.own };
        }),
      );
  }
  return { shared, own };
}

/** Blocks that are written in a locale, as the field stores them. */
export function storedBlocks(
  model: Model,
  { localized }: ModelField,
  { locale, value }: { readonly locale: Locale; readonly value: unknown },
): ModelBlock[] {
  if (localized) return blocksIn(value);
  return blocksIn(value).map(({ id, type, values }) => {
    const { shared, own } = divided(model, typeOf(model, { type }), [[locale, values]]);
    return { id, type, values: shared, local: own };
  });
}

/** Gives a value to each block of a list as it is stored. */
export function writeToBlocks(
  blocks: readonly ModelBlock[],
  { isInShared, field, locale }: { isInShared: boolean; field: ModelField; locale: Locale },
  value: unknown,
): void {
  for (const { values, local } of blocks) {
    const held = isInShared && field.localized ? (local.get(locale) ?? new Map<number, unknown>()) : values;
    if (isInShared && field.localized) local.set(locale, held);
    held.set(field.key, value);
  }
}
