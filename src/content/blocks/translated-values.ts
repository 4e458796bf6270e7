import { valueIn, type FieldValues } from '../model/field-definition.js';
import { isObject } from '../model/own-block.js';

/** The value of a mark among the stored localized values of a locale. */
export function markedValue(localized: FieldValues, mark: string): unknown {
  const [, root = '', id = '', name = ''] = /^([^[]+)\[([^\]]+)\]\.(.+)$/.exec(mark) ?? [];
  if (root === '') return valueIn(localized, mark);
  const blocks = valueIn(localized, root);
  const values = isObject(blocks) ? valueIn(blocks, id) : undefined;
  return isObject(values) ? valueIn(values, name) : undefined;
}
