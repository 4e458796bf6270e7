import { isEqualJson } from './exact-json/canonical-json.js';

/** Values of one part by key. */
export type Properties = Readonly<Record<string, unknown>>;
/** An item that can be merged: the part '' is the item itself and exists with it; other parts can be absent. */
export type Parts = ReadonlyMap<string, Properties>;

export interface Sides<T> {
  readonly base: T;
  readonly source: T;
  readonly target: T;
}

/** Values that differ between source and target; undefined where a side has none. */
export interface Difference extends Sides<unknown> {
  readonly part: string;
  /** Null: the whole part exists on one side only. */
  readonly key: string | null;
  /** Where it changed since the base; `both` is a conflict. */
  readonly changedIn: 'source' | 'target' | 'both';
}

export const ROOT = '';

export const isEqualParts = (a: Parts, b: Parts): boolean =>
  isEqualJson(Object.fromEntries(a), Object.fromEntries(b));

function changedIn<T>(
  { base, source, target }: Sides<T>,
  isEqual: (a: T, b: T) => boolean,
): Difference['changedIn'] {
  if (isEqual(target, base)) return 'source';
  return isEqual(source, base) ? 'target' : 'both';
}

function comparePart(part: string, sides: Sides<Properties | undefined>): Difference[] {
  const { base, source, target } = sides;
  if (isEqualJson(source, target)) return [];
  if (source === undefined || target === undefined)
    return [{ part, key: null, changedIn: changedIn(sides, isEqualJson), ...sides }];
  return [...new Set([...Object.keys(source), ...Object.keys(target)])]
    .filter((key) => !isEqualJson(source[key], target[key]))
    .map((key) => {
      const values = { base: base?.[key], source: source[key], target: target[key] };
      return { part, key, changedIn: changedIn(values, isEqualJson), ...values };
    });
}

/**
 * Compares an item by part and key. An item that was deleted on one side conflicts with any change on the other; all
 * else conflicts only where both sides changed the same key to different values.
 */
export function compareParts(sides: Sides<Parts>): Difference[] {
  const { base, source, target } = sides;
  const at = (part: string): Sides<Properties | undefined> => ({
    base: base.get(part),
    source: source.get(part),
    target: target.get(part),
  });
  if (source.has(ROOT) !== target.has(ROOT))
    return [{ part: ROOT, key: null, changedIn: changedIn(sides, isEqualParts), ...at(ROOT) }];
  if (!source.has(ROOT)) return [];
  return [...new Set([...source.keys(), ...target.keys()])].flatMap((part) => comparePart(part, at(part)));
}

/** The target with the changes of the source. A part without keys that the source took away is removed. */
export function mergeParts(
  { source, target }: Omit<Sides<Parts>, 'base'>,
  taken: readonly Difference[],
): Parts {
  const merged = new Map(target);
  for (const { part, key } of taken) {
    if (key === null) {
      if (part === ROOT) return source;
      const whole = source.get(part);
      if (whole === undefined) merged.delete(part);
      else merged.set(part, whole);
      continue;
    }
    const value = source.get(part)?.[key];
    const { [key]: _replaced, ...others } = merged.get(part) ?? {};
    merged.set(part, value === undefined ? others : { ...others, [key]: value });
  }
  return merged;
}
