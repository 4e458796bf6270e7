import type { FieldValues } from '../model/field-definition.js';
import { isObject } from '../exact-json/is-object.js';
import { isOwnBlock } from '../model/own-block.js';
import { blockFieldsOf, blockItems, type BlockType, type BlockTypes } from './value-parts.js';

/** Localized values of blocks in a list that all locales share, by id of the block. */
type Overlay = Readonly<Record<string, FieldValues>>;

/** Values as they are stored: shared ones once, localized ones for each locale. */
export interface StoredValues {
  readonly localized: FieldValues;
  readonly shared: FieldValues;
}

/**
 * Divides the values of a locale. A list of blocks that all locales share is stored with the shared values; the
 * localized values of its blocks stand under the field's name among the localized ones, by id of the block. All
 * values of a block in a localized list are localized.
 */
export const splitValues = (types: BlockTypes, type: BlockType, values: FieldValues): StoredValues =>
  splitEntry({ types, isFormer: false }, type, values);

/** As {@link splitValues}, of a former version: values of deleted fields are kept as localized ones. */
export const splitFormerValues = (types: BlockTypes, type: BlockType, values: FieldValues): StoredValues =>
  splitEntry({ types, isFormer: true }, type, values);

interface Split {
  readonly types: BlockTypes;
  readonly isFormer: boolean;
}

function splitEntry(split: Split, type: BlockType, values: FieldValues): StoredValues {
  const { localized, shared } = splitPart(split, type, values);
  for (const field of blockFieldsOf(type).filter((one) => !one.localized)) {
    if (!hasItems(split, shared, field.apiName)) continue;
    const overlay: Record<string, FieldValues> = {};
    shared[field.apiName] = splitItems(split, blockItems(shared, field), overlay);
    if (Object.keys(overlay).length > 0) localized[field.apiName] = overlay;
  }
  return { localized, shared };
}

/** A value of a former version can be of another kind than its field is now. */
const hasItems = ({ isFormer }: Split, values: FieldValues, name: string): boolean =>
  isFormer ? Array.isArray(values[name]) : Object.hasOwn(values, name);

/** Values of an entry or a block, in the order of its fields. */
function splitPart(
  { isFormer }: Split,
  type: BlockType,
  values: FieldValues,
): Record<keyof StoredValues, Record<string, unknown>> {
  const localized: Record<string, unknown> = {};
  const shared: Record<string, unknown> = {};
  for (const { apiName, localized: isLocalized } of type.fields)
    if (Object.hasOwn(values, apiName)) (isLocalized ? localized : shared)[apiName] = values[apiName];
  if (!isFormer) return { localized, shared };
  const names = new Set(type.fields.map(({ apiName }) => apiName));
  const unknown = Object.entries(values).filter(([name]) => !names.has(name));
  return { localized: { ...localized, ...Object.fromEntries(unknown) }, shared };
}

function splitItems(
  split: Split,
  items: readonly unknown[],
  overlay: Record<string, FieldValues>,
): unknown[] {
  return items.map((item) => {
    const type = isOwnBlock(item) ? split.types.contentType(item._type) : undefined;
    if (type === undefined || !isOwnBlock(item)) return item;
    const { localized, shared } = splitPart(split, type, item.fields);
    for (const field of blockFieldsOf(type).filter((one) => !one.localized))
      if (hasItems(split, shared, field.apiName))
        shared[field.apiName] = splitItems(split, blockItems(shared, field), overlay);
    if (Object.keys(localized).length > 0) overlay[item._ref] = localized;
    return { ...item, fields: shared };
  });
}

/** Values of a locale: shared and localized ones, also within blocks. Values of removed blocks are left out. */
export function composeValues(shared: FieldValues, localized: FieldValues): FieldValues {
  const overlays = Object.keys(localized).filter(
    (name) => Array.isArray(shared[name]) && isObject(localized[name]),
  );
  const lists = Object.keys(shared).filter((name) => holdsBlocks(shared[name]));
  if (overlays.length === 0 && lists.length === 0) return { ...shared, ...localized };
  // A block keeps its values where it moved to another list.
  const overlay = Object.assign({}, ...overlays.map((name) => localized[name])) as Overlay;
  const composed: Record<string, unknown> = { ...shared, ...localized };
  for (const name of [...overlays, ...lists]) composed[name] = composeItems(shared[name], overlay);
  return composed;
}

const holdsBlocks = (value: unknown): boolean => Array.isArray(value) && value.some(isOwnBlock);

function composeItems(value: unknown, overlay: Overlay): unknown {
  if (!holdsBlocks(value)) return value;
  return (value as unknown[]).map((item) => {
    if (!isOwnBlock(item)) return item;
    const own = Object.hasOwn(overlay, item._ref) ? overlay[item._ref] : undefined;
    const shared = Object.fromEntries(
      Object.entries(item.fields).map(([name, inner]) => [name, composeItems(inner, overlay)]),
    );
    return { ...item, fields: { ...shared, ...own } };
  });
}

/** Localized values of blocks in one locale, with those of another: in gaps only, or in their place. */
export function mergeOverlays(source: unknown, target: unknown, overwrite: boolean): unknown {
  const from = isObject(source) ? source : {};
  const to = isObject(target) ? target : {};
  const blocks = Object.entries(from).map(([id, given]) => {
    const values = isObject(given) ? given : {};
    const known = isObject(to[id]) ? to[id] : {};
    return [id, overwrite ? { ...known, ...values } : { ...values, ...known }];
  });
  return { ...to, ...Object.fromEntries(blocks) };
}
