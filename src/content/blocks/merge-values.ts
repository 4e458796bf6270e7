import { isEqualJson } from '../exact-json/canonical-json.js';
import type { FieldValues } from '../model/field-definition.js';
import { isOwnBlock, type OwnBlock } from '../model/own-block.js';

/** Values before two changes, and after each of them. */
interface Sides<T> {
  readonly base: T;
  readonly mine: T;
  readonly theirs: T;
}

export interface MergedValues {
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
