import { AppError } from '../../../contracts/errors.js';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';

/** Keys of T that may be present, without undefined. */
type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * The given keys: omitted is unchanged, null clears (decisions 2.1).
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
