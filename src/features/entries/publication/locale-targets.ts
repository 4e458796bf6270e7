import { AppError } from '../../../../contracts/errors.js';
import type { Action } from '../../../../contracts/rights.js';
import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { assertVersion, localeFor, siteOf } from '../access/entry.policy.js';
import { authorizeEntry, entryPaths } from '../access/entry-rights.js';
import { EntryRepository } from '../entry.repository.js';
import type { StoredEntry } from '../stored-entry.js';

/** One locale of one entry that a caller wants changed. */
export interface LocaleTarget {
  readonly id: string;
  /** Absent means the default locale of the entry's site. */
  readonly locale?: string | undefined;
  /** Refused unless the entry stands at this version. */
  readonly version?: number | undefined;
}

/** An entry that exists, is locked and may be changed by the caller. */
export interface LockedTarget {
  readonly id: string;
  readonly entry: StoredEntry;
  readonly locale: string;
}

/** Why an entry was left as it is. */
export interface Refusal {
  readonly id: string;
  readonly error: AppError;
}

/** An entry that a change went through for; `isChanged` is false where nothing had to be done. */
export interface Applied {
  readonly id: string;
  readonly locale: string;
  readonly before: StoredEntry;
  readonly after: StoredEntry;
  readonly isChanged: boolean;
}

/** What became of one entry of a change of many. */
export type Outcome = Applied | Refusal;

/** Whether an entry was left as it is. */
export const isRefusal = (given: object): given is Refusal => 'error' in given;

/** Whether an entry was not refused, so far. */
export const isAdmitted = <T extends object>(given: T | Refusal): given is T => !isRefusal(given);

/** What `find` answers, or the refusal that it throws. */
export function catchRefusal<T>(id: string, find: () => T): T | Refusal {
  try {
    return find();
  } catch (error) {
    if (error instanceof AppError) return { id, error };
    throw error;
  }
}

/** The outcome of a change of one entry, a refusal thrown. */
export function singleOutcome(outcomes: readonly Outcome[]): Applied {
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error('a change of one entry without an outcome');
  if (isRefusal(outcome)) throw outcome.error;
  return outcome;
}

/** What is wanted of which entries. */
export interface TargetRequest {
  readonly catalog: Catalog;
  readonly targets: readonly LocaleTarget[];
  readonly action: Action;
}

/**
 * Locks the entries in the order of their ids, whatever order they were given in, and finds each one's
 * locale. Targets must name different entries.
 */
export async function lockTargets(
  work: UnitOfWork,
  { catalog, targets, action }: TargetRequest,
): Promise<(LockedTarget | Refusal)[]> {
  const entries = await work.use(EntryRepository).lockAll(targets.map(({ id }) => id));
  const paths = await entryPaths(work, action, [...entries.keys()]);
  return targets.map(({ id, locale, version }) =>
    catchRefusal(id, () => {
      const entry = entries.get(id.toLowerCase());
      if (entry === undefined) throw new AppError('entry_not_found');
      const code = localeFor(catalog, siteOf(catalog, entry), locale);
      authorizeEntry(work, entry, { action, locales: [code], paths });
      assertVersion(entry, version);
      return { id, entry, locale: code };
    }),
  );
}
