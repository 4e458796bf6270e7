import { isGroup } from '../model/group.js';
import { valueIn, type FieldValues } from '../model/field-definition.js';
import { isOwnBlock } from '../model/own-block.js';
import { blockFieldsOf, blockItems, type BlockType, type BlockTypes } from './value-parts.js';

/** Values as clients see them: a group is one object or null, in blocks too (rule content/groups). */
export function withGroups(types: BlockTypes, type: BlockType, values: FieldValues): Record<string, unknown> {
  const shown: Record<string, unknown> = { ...values };
  for (const field of blockFieldsOf(type)) {
    if (!Array.isArray(valueIn(values, field.apiName))) continue;
    const items = blockItems(values, field).map((item) => {
      const own = isOwnBlock(item) ? types.contentType(item._type) : undefined;
      if (own === undefined || !isOwnBlock(item)) return item;
      return { ...item, fields: withGroups(types, own, item.fields) };
    });
    shown[field.apiName] = isGroup(field) ? (items[0] ?? null) : items;
  }
  return shown;
}
