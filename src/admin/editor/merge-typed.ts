import { isOwnBlock, type OwnBlock } from '../../content/model/own-block.js';
import { itemsOf, mapItems } from './items.js';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';

type Values = Readonly<Record<string, unknown>>;

/** A value as it was read, as it was typed since, and as it is saved now. */
interface Sides<T> {
  readonly base: T;
  readonly typed: T;
  readonly saved: T;
}

/** Paths at which the saved value is taken, whatever was typed. */
export type Refused = ReadonlySet<string>;

const nothingRefused: Refused = new Set();

/** A missing value equals a cleared one. */
export const isSame = (a: unknown, b: unknown): boolean => isEqualJson(a ?? null, b ?? null);

export const ownBlocksOf = (value: unknown): ReadonlyMap<string, OwnBlock> =>
  new Map(
    itemsOf(value)
      .filter(isOwnBlock)
      .map((block) => [block._ref, block]),
  );

/** A list of blocks without their values: what comes in which order. */
export const outlineOf = (value: unknown): unknown =>
  itemsOf(value).map((item) => (isOwnBlock(item) ? { _ref: item._ref } : item));

/**
 * What was typed, on top of what has been saved since: by field, and in blocks by field of the block. Where both
 * changed the same, what was typed wins.
 * @param at of the block that has the values, such as `sections[<id>].`
 */
export function mergeTyped(
  { base, typed, saved }: Sides<Values>,
  refused: Refused = nothingRefused,
  at = '',
): Values {
  const names = [...new Set([...Object.keys(saved), ...Object.keys(typed)])];
  const merged = names.map((name): [string, unknown] => {
    const sides = { base: base[name], typed: typed[name], saved: saved[name] };
    return [name, mergeValue(sides, `${at}${name}`, refused)];
  });
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
}

function mergeValue(sides: Sides<unknown>, path: string, refused: Refused): unknown {
  const { base, typed, saved } = sides;
  if (isSame(typed, base)) return saved;
  if (ownBlocksOf(typed).size > 0 || ownBlocksOf(saved).size > 0) return mergeLists(sides, path, refused);
  return refused.has(path) ? saved : typed;
}

/** The order and the blocks are those that were typed if they were changed. */
function mergeLists(sides: Sides<unknown>, path: string, refused: Refused): unknown {
  const [base, typed, saved] = [sides.base, sides.typed, sides.saved].map(ownBlocksOf) as [Own, Own, Own];
  const isRefused =
    refused.has(path) ||
    [...base.keys()].some((id) => !typed.has(id) && startsIn(refused, `${path}[${id}].`));
  const isTyped = !isSame(outlineOf(sides.typed), outlineOf(sides.base)) || hasOrphan({ base, typed, saved });
  const items = isTyped && !isRefused ? sides.typed : sides.saved;
  return mapItems(items, (item) => {
    if (!isOwnBlock(item)) return item;
    const [mine, theirs] = [typed.get(item._ref), saved.get(item._ref)];
    if (mine === undefined || theirs === undefined) return item;
    const values = { base: base.get(item._ref)?.fields ?? {}, typed: mine.fields, saved: theirs.fields };
    return { ...theirs, fields: mergeTyped(values, refused, `${path}[${item._ref}].`) };
  });
}

type Own = ReadonlyMap<string, OwnBlock>;

const startsIn = (paths: Refused, start: string): boolean =>
  [...paths].some((path) => path.startsWith(start));

/** Whether a block that was typed in has been removed since. */
export const hasOrphan = ({ base, typed, saved }: Sides<Own>): boolean =>
  [...typed].some(([id, { fields }]) => {
    const was = base.get(id);
    return was !== undefined && !saved.has(id) && !isSame(was.fields, fields);
  });
