import type { JobKind, PendingSchedule } from '../../../../../contracts/entries/schedules/schedule.js';
import type { Catalog } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { cancelSchedules } from '../schedules/canceled-schedules.js';
import { localeOf, withLocale, type StoredEntry, type StoredLocale } from '../stored-entry.js';
import {
  isAdmitted,
  isRefusal,
  type Outcome,
  lockTargets,
  type Applied,
  type LockedTarget,
  type TargetGroup,
} from './locale-targets.js';
import { AppError } from '../../../../../contracts/errors.js';
import { isRestricting } from '../access/entry-rights.js';
import { LinkRepository, type RestrictingField, type LiveReferrer } from '../link.repository.js';
import { type Withdrawal, PublicationRepository } from './publication.repository.js';
import { EntryTreeRepository } from '../../../routing/tree/index.js';
import { entryEvent, presentState } from '../entry.presenter.js';
import { noValues, type ValuesRead } from '../anchored-values.js';

const waitingFor = (entry: StoredEntry, locale: string, kind: JobKind): readonly PendingSchedule[] =>
  (localeOf(entry, locale)?.scheduled ?? []).filter((job) => job.kind === kind);

function withoutWaiting(entry: StoredEntry, locale: string, kind: JobKind): StoredEntry {
  const state = localeOf(entry, locale);
  if (state?.scheduled === undefined) return entry;
  return withLocale(entry, { ...state, scheduled: state.scheduled.filter((job) => job.kind !== kind) });
}

/**
 * Cancels the waiting jobs that a call has made pointless: of the same kind and locale (rule publication/schedules). Sends no
 * statement if there are none.
 */
export async function cancelPointless(
  work: UnitOfWork,
  catalog: Catalog,
  { outcomes, kind }: { outcomes: readonly Outcome[]; kind: JobKind },
): Promise<Outcome[]> {
  const done = outcomes.filter(isAdmitted);
  const jobIds = done
    .flatMap(({ after, locale }) => waitingFor(after, locale, kind))
    .map(({ jobId }) => jobId);
  await cancelSchedules(work, catalog, {
    entries: done.map(({ after }) => after),
    jobIds,
    reason: kind === 'publish' ? 'published' : 'unpublished',
  });
  if (jobIds.length === 0) return [...outcomes];
  return outcomes.map((outcome) =>
    isRefusal(outcome) ? outcome : { ...outcome, after: withoutWaiting(outcome.after, outcome.locale, kind) },
  );
}

interface WithdrawalCheck {
  /** 409 `entry_in_use` by entry id. */
  readonly refusals: ReadonlyMap<string, AppError>;
  /** By entry id. */
  readonly referrerCounts: ReadonlyMap<string, number>;
}

/** Fields that keep their targets published. */
const restrictingFields = (catalog: Catalog): RestrictingField[] =>
  catalog.data.contentTypes.flatMap((type) =>
    type.fields.filter(isRestricting).map(({ apiName }) => ({ contentTypeId: type.id, apiName })),
  );

/** Whether a published locale with the link remains. */
const staysLive = (
  { entryId, publishedLocales }: LiveReferrer,
  leaving: ReadonlyMap<string, Withdrawal>,
): boolean => publishedLocales.some((locale) => leaving.get(entryId)?.locales.includes(locale) !== true);

/**
 * Finds entries that must stay published because a document links to them through a restricting field. Referrers that
 * leave too do not count, unless they must stay themselves.
 */
export async function checkWithdrawals(
  work: UnitOfWork,
  catalog: Catalog,
  withdrawals: readonly Withdrawal[],
): Promise<WithdrawalCheck> {
  const repository = work.use(LinkRepository);
  const targetIds = withdrawals.map(({ entryId }) => entryId);
  const referrers = targetIds.length === 0 ? [] : await repository.referrersOf(targetIds);
  const links = await repository.liveReferrersOf(targetIds, restrictingFields(catalog));
  const leaving = new Map(withdrawals.map((withdrawal) => [withdrawal.entryId, withdrawal]));
  const refusals = new Map<string, AppError>();
  for (let found = links; found.length > 0;) {
    found = links.filter((link) => leaving.has(link.targetId) && staysLive(link, leaving));
    for (const [targetId, held] of Map.groupBy(found, (link) => link.targetId)) {
      const entryIds = [...new Set(held.map(({ entryId }) => entryId))].slice(0, 10);
      refusals.set(targetId, new AppError('entry_in_use', { entryIds }));
    }
    for (const { targetId } of found) leaving.delete(targetId);
  }
  const counts = [...Map.groupBy(referrers, ({ targetId }) => targetId)].map(
    ([targetId, rows]) => [targetId, new Set(rows.map(({ entryId }) => entryId)).size] as const,
  );
  return { refusals, referrerCounts: new Map(counts) };
}

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
  const leaving = live.filter(({ entry: { id } }) => !refusals.has(id));
  await work.use(EntryTreeRepository).refreshPaths(
    leaving.map(({ entry }) => entry),
    leaving.map(({ locale }) => locale),
  );
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
