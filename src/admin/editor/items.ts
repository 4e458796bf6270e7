import { isOwnBlock } from '../../content/model/own-block.js';

/** The items of a value of a blocks field; a group is one object. */
export const itemsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isOwnBlock(value) ? [value] : [];

/** A value of the same form with other items. */
export function mapItems(value: unknown, map: (item: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => map(item));
  return isOwnBlock(value) ? map(value) : value;
}
