import { splitList } from '../../../contracts/primitives.js';
import { AppError } from '../../../contracts/errors.js';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';

/** The values of a list that may be written as text with commas, as in a query string. */
export const commaList = <Value>(value: Value): Exclude<Value, string> | string[] =>
  typeof value === 'string' ? splitList(value) : (value as Exclude<Value, string>);

interface PageWindow {
  readonly limit: number;
  readonly offset: number;
  /** Whether rows are read from the end, in reverse order. */
  readonly isReversed: boolean;
}

/** Reads pages beyond the middle from the end, because skipped rows are scanned. */
export function pageWindow({ limit, offset }: { limit: number; offset: number }, total: number): PageWindow {
  const isReversed = offset * 2 > total;
  if (!isReversed) return { limit, offset, isReversed };
  const end = Math.min(offset + limit, total);
  return { limit: Math.max(0, end - offset), offset: total - end, isReversed };
}

/** Keys of T that may be present, without undefined. */
type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * The given keys: omitted is unchanged, null clears (rule http/input).
 * @throws AppError 422 `no_update_fields` if there are none
 */
export function definedKeys<T extends object>(change: T): Present<T> {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  if (given.length === 0) throw new AppError('no_update_fields');
  return Object.fromEntries(given) as Present<T>;
}

export function hasChanges(before: object, changes: object): boolean {
  return Object.entries(changes).some(
    ([key, value]) => !isEqualJson((before as Record<string, unknown>)[key], value),
  );
}
