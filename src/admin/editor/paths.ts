import { isOwnBlock, type OwnBlock } from '../../content/model/own-block.js';
import { itemsOf } from './items.js';
import type { ContentType, Field } from '../api/project-data.js';

type Values = Readonly<Record<string, unknown>>;

/** `title`, `sections[<id>].title`, `sections[<id>]`, or `tags[#2]`. */
const PATH = /^([^[]+)(?:\[([^\]]+)\](?:\.(.+))?)?$/;

interface Step {
  readonly name: string;
  readonly id: string | undefined;
  readonly rest: string | undefined;
}

/** Takes a path apart at its first block. */
export function firstStep(path: string): Step {
  const [, name = path, id, rest] = PATH.exec(path) ?? [];
  return { name, id, rest };
}

/** The index of an item that has no id. */
export const itemIndex = (id: string): number | undefined =>
  /^#\d+$/.test(id) ? Number(id.slice(1)) : undefined;

export const pathInBlock = (list: string, id: string, name: string): string => `${list}[${id}].${name}`;

/** The entry's field that a path begins with. */
export const rootOf = (path: string): string => firstStep(path).name;

/** A path without the ids of blocks, where the entry is not at hand: `sections › title`. */
export const plainPath = (path: string): string =>
  path.replaceAll(/\[[\da-f-]{36}\](?:\.|$)/g, ' › ').replace(/ › $/, '');

/** A block in a list. */
export interface Found {
  readonly block: OwnBlock;
  readonly index: number;
}

export function findBlock(values: Values, name: string, id: string | undefined): Found | undefined {
  const items = itemsOf(values[name]);
  const index = items.findIndex((item) => isOwnBlock(item) && item._ref === id);
  return index === -1 ? undefined : { block: items[index] as OwnBlock, index };
}

/** The value at a path; `isThere` is false where its block is not in the values. */
export function valueAt(
  values: Values,
  path: string,
): { readonly isThere: boolean; readonly value: unknown } {
  const { name, id, rest } = firstStep(path);
  if (id === undefined) return { isThere: true, value: values[name] };
  const index = itemIndex(id);
  if (index !== undefined) {
    const items = values[name];
    const isThere = Array.isArray(items) && index < items.length;
    return { isThere, value: isThere ? (items as unknown[])[index] : undefined };
  }
  const found = findBlock(values, name, id);
  if (found === undefined) return { isThere: false, value: undefined };
  return rest === undefined ? { isThere: true, value: found.block } : valueAt(found.block.fields, rest);
}

/** A field of the entry or, with the id of the block, of one of its blocks. */
export interface FieldPlace {
  readonly block: string | null;
  readonly field: string;
}

/** The innermost block of a path, and its field. */
export function placeAt(path: string): FieldPlace {
  const { name, id, rest } = firstStep(path);
  if (id === undefined || rest === undefined) return { block: null, field: name };
  const inner = placeAt(rest);
  return inner.block === null ? { block: id, field: inner.field } : inner;
}

/** The blocks of values on every level, each with its path. */
export function* blocksOf(values: Values): Generator<readonly [path: string, block: OwnBlock]> {
  for (const [name, value] of Object.entries(values))
    for (const block of itemsOf(value).filter(isOwnBlock)) {
      const path = `${name}[${block._ref}]`;
      yield [path, block];
      for (const [inside, inner] of blocksOf(block.fields)) yield [`${path}.${inside}`, inner];
    }
}

interface Types {
  readonly types: readonly ContentType[];
}

/** The field that a path ends in; in a localized list, every value is one of its locale. */
export function fieldAt(
  project: Types,
  { type, values }: { readonly type: ContentType; readonly values: Values },
  path: string,
): Field | undefined {
  const { name, id, rest } = firstStep(path);
  const field = type.fields.find(({ apiName }) => apiName === name);
  if (id === undefined || rest === undefined || field === undefined) return field;
  const block = findBlock(values, name, id)?.block;
  const inner = project.types.find(({ apiName }) => apiName === block?._type);
  if (block === undefined || inner === undefined) return undefined;
  const found = fieldAt(project, { type: inner, values: block.fields }, rest);
  return found && { ...found, localized: found.localized || field.localized };
}

/** Types that a list of blocks takes. Absent settings allow every block type. */
export function blockTypesOf({ types }: Types, { settings }: Field): readonly ContentType[] {
  const allowed = settings.contentTypes as readonly string[] | undefined;
  return types.filter(({ apiName, isBlock }) => allowed?.includes(apiName) ?? isBlock);
}
