import type { FieldValues } from '../model/field-definition.js';
import { isOwnBlock } from '../model/own-block.js';
import { blockFieldsOf, blockItems, type BlockType, type BlockTypes } from './value-parts.js';

/** Values of blocks to write, by id of the block. */
export type BlockChanges = ReadonlyMap<string, FieldValues>;

/**
 * The lists of a request that changes blocks where they are: every item is kept. Lists without a change are absent.
 */
export function blockChanges(
  types: BlockTypes,
  { type, values }: { readonly type: BlockType; readonly values: FieldValues },
  changes: BlockChanges,
): FieldValues {
  const lists: Record<string, unknown> = {};
  for (const field of blockFieldsOf(type)) {
    let isChanged = false;
    const items = blockItems(values, field).map((item) => {
      const own = isOwnBlock(item) ? types.contentType(item._type) : undefined;
      if (own === undefined || !isOwnBlock(item)) return item;
      const { _ref, _type } = item;
      const fields = {
        ...blockChanges(types, { type: own, values: item.fields }, changes),
        ...changes.get(_ref),
      };
      if (Object.keys(fields).length === 0) return { _ref, _type };
      isChanged = true;
      return { _ref, _type, fields };
    });
    if (isChanged) lists[field.apiName] = items;
  }
  return lists;
}

/** A stored value as a request writes it: blocks keep their ids where they are new, as in another locale. */
export function writtenValue(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) => {
    if (!isOwnBlock(item)) return item;
    const { _ref: _id, fields, ...rest } = item;
    const written = Object.entries(fields).map(([name, inner]) => [name, writtenValue(inner)] as const);
    return { ...rest, _id, fields: Object.fromEntries(written) };
  });
}
