import { randomUUID } from 'node:crypto';
import { blocksIn } from './blocks.js';
import {
  typeOf,
  type Model,
  type ModelBlock,
  type ModelField,
  type ModelText,
  type Values,
} from './model.js';
import { rawOf } from './texts.js';
import { linkTo } from './shown.js';
import { at, valueOf } from './values.js';

/** A value for a field; undefined if there is none. */
export function newValue(
  model: Model,
  { kind, isList, isGroup }: ModelField,
  index: number,
  depth = 0,
): unknown {
  if (kind === 'blocks') return newBlocks(model, isGroup ? index - (index % 2) : index, depth);
  const one = (place: number) => valueOf(kind, place, model.entries);
  if (!isList) return one(index);
  const values = [one(index), one(index + 1)].filter((value) => value !== undefined);
  return values.length === 0 ? undefined : values;
}

/** One or two blocks, whose own blocks have none. */
function newBlocks(model: Model, index: number, depth: number): ModelBlock[] | undefined {
  const types = model.types.filter(({ isBlock }) => isBlock);
  const type = at(types, index);
  if (type === undefined || depth > 1) return undefined;
  return Array.from({ length: 1 + (index % 2) }, (_, place) => {
    const values: Values = new Map();
    for (const [nth, field] of type.fields.entries()) {
      const value = newValue(model, field, index + place + nth, depth + 1);
      if (value !== undefined) values.set(field.key, value);
    }
    return { id: randomUUID(), type: type.key, values, local: new Map() };
  });
}

/** As management takes it. */
export function writtenValue(model: Model, { kind, isList, isGroup }: ModelField, value: unknown): unknown {
  if (kind === 'blocks') {
    const blocks = blocksIn(value).map((block) => writtenBlock(model, block));
    return isGroup ? blocks[0] : blocks;
  }
  if (kind === 'richText') return isList ? (value as ModelText[]).map(rawOf) : rawOf(value as ModelText);
  if (kind !== 'reference') return value;
  const link = (id: unknown) => linkTo(model, String(id));
  return isList ? (value as unknown[]).map(link) : link(value);
}

function writtenBlock(model: Model, { id, values, ...block }: ModelBlock): object {
  const type = typeOf(model, block);
  const fields = type.fields.flatMap((field) =>
    values.has(field.key) ? [[field.name, writtenValue(model, field, values.get(field.key))] as const] : [],
  );
  return { _id: id, _type: type.name, fields: Object.fromEntries(fields) };
}
