import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { EntryTreeRepository } from '../../tree/index.js';
import { entryEvent } from '../entry.events.js';
import { presentState } from '../entry.presenter.js';
import {
  isAdmitted,
  isRefusal,
  lockTargets,
  type Applied,
  type LockedTarget,
  type Outcome,
  type TargetGroup,
} from './locale-targets.js';
import { PublicationRepository } from './publication.repository.js';
import { cancelPointless } from './cancel-pointless.js';
import { noValues, type ValuesRead } from '../read-values.js';
import { localeOf, withLocale, type StoredLocale } from '../stored-entry.js';
import { checkWithdrawals } from './withdrawal.policy.js';

/** The locale after it was unpublished. */
export const markOffline = (state: StoredLocale): StoredLocale => ({
  ...state,
  publishedContentHash: null,
  publishedSharedHash: null,
  publishedVersion: null,
  publishedAt: null,
});

/** The locale's state, if published. */
function liveState({ entry, locale }: LockedTarget): StoredLocale | undefined {
  const state = localeOf(entry, locale);
  return state === undefined || state.publishedAt === null ? undefined : state;
}

function outcomeOf(place: LockedTarget): Applied {
  const { id, locale, entry } = place;
  const state = liveState(place);
  const after = state === undefined ? entry : withLocale(entry, markOffline(state));
  return { id, locale, before: entry, after, isChanged: state !== undefined };
}

/**
 * Set-based: the number of statements is constant. Locales that are not published stay unchanged. The caller writes
 * the audit record.
 * @param values read for the caller
 */
export async function unpublishLocales(
  work: UnitOfWork,
  catalog: Catalog,
  { targets, values = noValues, comment, isJob }: TargetGroup & { readonly values?: ValuesRead },
): Promise<Outcome[]> {
  const places = await lockTargets(work, { catalog, targets, values, action: 'unpublish' });
  const live = places.filter(isAdmitted).filter((place) => liveState(place) !== undefined);
  const withdrawals = live.map(({ entry, locale }) => ({ entryId: entry.id, locales: [locale] }));
  const { refusals } = await checkWithdrawals(work, catalog, withdrawals);
  await work.use(PublicationRepository).unpublish(
    withdrawals.filter(({ entryId }) => !refusals.has(entryId)),
    comment,
  );
  const leaving = live.map(({ entry }) => entry).filter(({ id }) => !refusals.has(id));
  await work.use(EntryTreeRepository).refreshPaths(leaving);
  const outcomes = places.map((place) => {
    if (isRefusal(place)) return place;
    const error = refusals.get(place.entry.id);
    if (error !== undefined) return { id: place.id, error };
    const outcome = outcomeOf(place);
    if (outcome.isChanged)
      work.emit(entryEvent('unpublished', presentState(outcome.after, place.locale, catalog)));
    return outcome;
  });
  return isJob ? outcomes : cancelPointless(work, catalog, { outcomes, kind: 'unpublish' });
}
