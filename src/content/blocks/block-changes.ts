import type { FieldValues } from '../model/field-definition.js';
import { isOwnBlock, type OwnBlock } from '../model/own-block.js';
import { isEqualJson } from '../exact-json/canonical-json.js';
import {
  blockFieldsOf,
  blockItems,
  valueParts,
  type BlockType,
  type BlockTypes,
  type ValuePart,
} from './value-parts.js';
import { changesIn, type PathChange } from './changed-paths.js';

/** Values of blocks to write, by id of the block. */
type BlockChanges = ReadonlyMap<string, FieldValues>;

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

/** Localized values of blocks in lists that all locales share, by id of the block. */
function localizedInBlocks(types: BlockTypes, type: BlockType, values: FieldValues): Map<string, ValuePart> {
  const parts = valueParts(types, type, values).filter(({ isLocalized }) => !isLocalized);
  return new Map(
    parts.flatMap((part) => {
      if (part.block === null) return [];
      const fields = part.type.fields.filter(({ localized }) => localized);
      const own = fields.flatMap(({ apiName }) =>
        Object.hasOwn(part.values, apiName) ? [[apiName, part.values[apiName]] as const] : [],
      );
      return [[part.block._ref, { ...part, values: Object.fromEntries(own) }] as const];
    }),
  );
}

/** Where localized values of blocks in shared lists differ, also of blocks that only one side has. */
export function localizedChangesInBlocks(
  types: BlockTypes,
  type: BlockType,
  { before, after }: { readonly before: FieldValues; readonly after: FieldValues },
): PathChange[] {
  const [was, is] = [before, after].map((values) => localizedInBlocks(types, type, values));
  const ids = new Set([...(is?.keys() ?? []), ...(was?.keys() ?? [])]);
  return [...ids].flatMap((id) => {
    const [from, to] = [was?.get(id), is?.get(id)];
    return changesIn(from?.values ?? {}, to?.values ?? {}, (to ?? from)?.name ?? '');
  });
}

/** Values before two changes, and after each of them. */
interface Sides<T> {
  readonly base: T;
  readonly mine: T;
  readonly theirs: T;
}

interface MergedValues {
  readonly values: FieldValues;
  /** Paths that both changed, each to another value. */
  readonly conflicts: readonly string[];
}

/** An item without the values of a block: what came, went or moved. */
const outlineOf = (item: unknown): unknown => (isOwnBlock(item) ? { _ref: item._ref } : item);

const blocksIn = (items: readonly unknown[]): ReadonlyMap<string, OwnBlock> =>
  new Map(items.filter(isOwnBlock).map((block) => [block._ref, block]));

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/**
 * Values with both changes: by field, and inside blocks by field of the block. A list of blocks takes the order of the
 * side that changed it.
 */
export function mergeChanges({ base, mine, theirs }: Sides<FieldValues>, at = ''): MergedValues {
  const conflicts: string[] = [];
  const names = new Set([...Object.keys(theirs), ...Object.keys(mine), ...Object.keys(base)]);
  const values = [...names].flatMap((name) => {
    const sides = { base: base[name], mine: mine[name], theirs: theirs[name] };
    const merged = mergeValue(sides, `${at}${name}`, conflicts);
    return merged === undefined ? [] : [[name, merged] as const];
  });
  return { values: Object.fromEntries(values), conflicts };
}

function mergeValue(sides: Sides<unknown>, path: string, conflicts: string[]): unknown {
  const { base, mine, theirs } = sides;
  if (isEqualJson(mine, base) || isEqualJson(mine, theirs)) return theirs;
  if (isEqualJson(theirs, base)) return mine;
  const [was = [], own, other] = [base, mine, theirs];
  if (isList(was) && isList(own) && isList(other) && [...own, ...other].some(isOwnBlock))
    return mergeLists({ base: was, mine: own, theirs: other }, path, conflicts);
  conflicts.push(path);
  return theirs;
}

function mergeLists(
  { base, mine, theirs }: Sides<readonly unknown[]>,
  path: string,
  conflicts: string[],
): unknown[] {
  const outlines = [base, mine, theirs].map((items) => items.map(outlineOf));
  const [was, own, other] = outlines;
  const isMineSame = isEqualJson(own, was);
  if (!isMineSame && !isEqualJson(other, was) && !isEqualJson(own, other)) conflicts.push(path);
  const before = blocksIn(base);
  const ours = blocksIn(mine);
  const their = blocksIn(theirs);
  // A block that one side removed must be as it was on the other.
  for (const [id, { fields }] of before)
    for (const [one, two] of [
      [ours, their],
      [their, ours],
    ] as const) {
      const kept = two.get(id);
      if (!one.has(id) && kept !== undefined && !isEqualJson(kept.fields, fields))
        conflicts.push(`${path}[${id}]`);
    }
  return (isMineSame ? theirs : mine).map((item) => {
    if (!isOwnBlock(item)) return item;
    const id = item._ref;
    const [one, two] = [ours.get(id), their.get(id)];
    if (one === undefined || two === undefined) return item;
    const fields = mergeChanges(
      { base: before.get(id)?.fields ?? {}, mine: one.fields, theirs: two.fields },
      `${path}[${id}].`,
    );
    conflicts.push(...fields.conflicts);
    return { ...two, ...one, fields: fields.values };
  });
}
