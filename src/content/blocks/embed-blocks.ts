import { valueIn, type FieldValues } from '../model/field-definition.js';
import { isObject } from '../exact-json/is-object.js';

import { blockFieldsOf, type BlockType, type BlockTypes } from './value-parts.js';

interface KnownBlocks {
  readonly types: BlockTypes;
  blockOf(id: string): FieldValues | undefined;
}

/**
 * Delivered values, in which own blocks are links, with the values of these blocks in their places on all levels.
 * Links to shared blocks stay.
 */
export function embedBlocks(type: BlockType, values: FieldValues, known: KnownBlocks): FieldValues {
  const fields = blockFieldsOf(type);
  if (fields.length === 0) return values;
  const lists = fields.map((field) => [
    field.apiName,
    itemsOf(valueIn(values, field.apiName)).map((item) => embed(item, known)),
  ]);
  return { ...values, ...(Object.fromEntries(lists) as FieldValues) };
}

/** A group is delivered as one object. */
const itemsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isObject(value) ? [value] : [];

function embed(item: unknown, known: KnownBlocks): unknown {
  if (!isObject(item) || typeof item._ref !== 'string' || typeof item._type !== 'string') return item;
  const [own, type] = [known.blockOf(item._ref), known.types.contentType(item._type)];
  return own === undefined || type === undefined ? item : { ...item, fields: embedBlocks(type, own, known) };
}
