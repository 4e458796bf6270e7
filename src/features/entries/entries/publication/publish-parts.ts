import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { EntryRepository } from '../entry.repository.js';
import { localeOf, type StoredEntry } from '../stored-entry.js';
import { isAdmitted, isRefusal, type Applied, type LockedTarget, type Refusal } from './locale-targets.js';
import type { AlongOptions } from './publish-along.js';

type Locked = LockedTarget | Refusal;

/** Stored bytes of the drafts that are read at once; in memory they are many times as large. */
const READ_AT_ONCE = 500_000;

/** Targets in their order, divided where their drafts are large. */
export function partsOf(places: readonly Locked[], { withDependencies }: AlongOptions): Locked[][] {
  // Targets that are published with others are refused with them, so they stay together.
  if (withDependencies) return [[...places]];
  const parts: Locked[][] = [[]];
  let size = 0;
  for (const place of places) {
    const own = isRefusal(place) ? 0 : (localeOf(place.entry, place.locale)?.storedBytes ?? 0);
    if (size > 0 && size + own > READ_AT_ONCE) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(place);
    size += own;
  }
  return parts;
}

/** The targets with their values. Sends no statement if these were read. */
export async function readPart(work: UnitOfWork, places: readonly Locked[]): Promise<Locked[]> {
  const admitted = places.filter(isAdmitted);
  const entries = await work.use(EntryRepository).complete(admitted);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return places.map((place) =>
    isRefusal(place) ? place : { ...place, entry: byId.get(place.entry.id) ?? place.entry },
  );
}

const statesOf = (entry: StoredEntry): StoredEntry => ({
  ...entry,
  locales: entry.locales.map((state) => ({ ...state, fields: null })),
});

/** Frees the values for what follows. */
export function withoutValues<O extends Applied | Refusal>(outcome: O): O {
  if (isRefusal(outcome)) return outcome;
  return { ...outcome, before: statesOf(outcome.before), after: statesOf(outcome.after) };
}
