import { AppError } from '../../../contracts/errors.js';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';

/** The keys of T that may be present, none of them undefined. */
type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * The keys of a change that were given: omitted is untouched, null clears (decisions 2.1).
 * @throws AppError 422 `no_update_fields` where there are none
 */
export function definedKeys<T extends object>(change: T): Present<T> {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  if (given.length === 0) throw new AppError('no_update_fields');
  return Object.fromEntries(given) as Present<T>;
}

/** Whether a change would change anything. */
export function hasChanges(before: object, changes: object): boolean {
  return Object.entries(changes).some(
    ([key, value]) => !isEqualJson((before as Record<string, unknown>)[key], value),
  );
}
