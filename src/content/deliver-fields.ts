import { isGroup, type FieldDefinition, valueIn, type FieldValues } from './model/field-definition.js';
import { blockFieldsOf, valueParts, type BlockType, type BlockTypes } from './blocks/value-parts.js';
import { kindOf } from './field-kinds/index.js';

/**
 * Values as delivered at `include=0` (rule delivery/entry): every field of the type in its order, null or `[]` where
 * it is not set.
 */
export function deliverFields(
  fields: readonly FieldDefinition[],
  values: FieldValues,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => [field.apiName, deliverField(field, valueIn(values, field.apiName))]),
  );
}

function deliverField(field: FieldDefinition, value: unknown): unknown {
  const { deliver } = kindOf(field);
  if (isGroup(field)) return Array.isArray(value) && value.length > 0 ? deliver(value[0], field) : null;
  if (field.isList) return Array.isArray(value) ? value.map((item: unknown) => deliver(item, field)) : [];
  return value === null || value === undefined ? null : deliver(value, field);
}

/** A block of an entry as it is delivered; its own blocks are links, as in the entry. */
interface DeliveredBlock {
  /** Id of its type. */
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Every block of an entry, on any level, by id. */
export type DeliveredBlocks = Readonly<Record<string, DeliveredBlock>>;

/** The blocks of an entry as delivered, all in one level; null without any. */
export function deliverBlocks(
  types: BlockTypes,
  type: BlockType,
  values: FieldValues,
): DeliveredBlocks | null {
  if (blockFieldsOf(type).length === 0) return null;
  const blocks = valueParts(types, type, values).flatMap(({ type: own, values: inner, block }) =>
    block === null ? [] : [[block._ref, { type: own.id, fields: deliverFields(own.fields, inner) }] as const],
  );
  return blocks.length === 0 ? null : Object.fromEntries(blocks);
}
