import { z } from 'zod';
import type {
  PendingSchedule,
  ScheduledJob,
  JobKind,
} from '../../../../../contracts/entries/schedules/schedule.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { Entry } from '../../../../../contracts/entries/entries/entry.js';
import type {
  BrokenLink,
  PlannedPublication,
} from '../../../../../contracts/entries/entries/entry-reference.js';
import type { Warning } from '../../../../../contracts/envelopes.js';
import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import type { Catalog, SiteDefinition } from '../../../../content/catalog.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { parseTarget, redirectOldPath } from '../../../routing/redirects/index.js';
import { EntryTreeRepository } from '../../../routing/tree/index.js';
import { jobHandler, type JobHandler } from '../../../operations/jobs/index.js';
import { futureTime } from '../../schedules/index.js';
import { EntryRepository } from '../entry.repository.js';
import { brief, changedParts, presentEntry, presentState } from '../entry.presenter.js';
import { localeToWrite } from '../access/entry-locale.js';
import { siteOf } from '../access/entry-rights.js';
import { brokenLinks } from '../dependencies/broken-links.js';
import { noValues, valuesIn } from '../anchored-values.js';
import { localeOf, type StoredEntry } from '../stored-entry.js';
import { isRefusal, singleOutcome, type Applied, type LocaleTarget } from './locale-targets.js';
import { scheduleLocales, type ScheduleRequest } from './schedule-locales.js';
import { publishLocales } from './publish-locales.js';
import { unpublishLocales } from './unpublish-locales.js';

/** The new job, and the waiting ones that it replaces. */
interface Scheduled {
  data: ScheduledJob;
  meta?: { replaced: PendingSchedule[] };
}

async function scheduleEntry(work: UnitOfWork, request: ScheduleRequest): Promise<Scheduled> {
  const catalog = await work.use(CatalogRepository).current();
  const [outcome] = await scheduleLocales(work, catalog, request);
  if (outcome === undefined) throw new Error('Schedule returned no outcome');
  if (isRefusal(outcome)) throw outcome.error;
  const { entry, locale, job, replaced } = outcome;
  const after = { ...job };
  work.use(EntryRepository).note({ action: 'entry.schedule', entry, locale, before: null, after });
  return { data: job, ...(replaced.length > 0 && { meta: { replaced: [...replaced] } }) };
}

type PublishEntryInput = InputOf<typeof entries.publish>;

type WantedPublication = LocaleTarget & {
  readonly withDependencies: boolean;
  readonly comment?: string | undefined;
  readonly isJob?: boolean;
};

interface PublicationPlan {
  data: Entry;
  meta: { publishes: PlannedPublication[] };
}

/** Publishes now or on schedule. A no-op if the draft is already published. */
export async function publishEntry(
  work: UnitOfWork,
  input: PublishEntryInput,
): Promise<{ data: Entry } | Scheduled | PublicationPlan> {
  if (input.dryRun) return planPublication(work, input);
  const time = await futureTime(work, input);
  if (time === undefined) return { data: await publishNow(work, input) };
  const { withDependencies, comment } = input;
  const options = { withDependencies, ...(comment && { comment }) };
  return scheduleEntry(work, { kind: 'publish', targets: [input], time, options });
}

/** Records each entry that was published along with those that the call names. */
export function noteAlong(work: UnitOfWork, catalog: Catalog, along: readonly Applied[]): void {
  noteEach(work, catalog, { along, action: 'entry.publish' });
}

/** Records each entry that was unpublished along with those that the call names. */
export function noteUnpublishedAlong(work: UnitOfWork, catalog: Catalog, along: readonly Applied[]): void {
  noteEach(work, catalog, { along, action: 'entry.unpublish' });
}

function noteEach(
  work: UnitOfWork,
  catalog: Catalog,
  { along, action }: { along: readonly Applied[]; action: 'entry.publish' | 'entry.unpublish' },
): void {
  for (const { locale, before, after } of along) {
    const [was, is] = [before, after].map((entry) => brief(presentState(entry, locale, catalog)));
    const change = { entry: after, locale, before: was ?? null, after: is ?? null };
    work.use(EntryRepository).note({ action, ...change, isAlong: true });
  }
}

/** What a call publishes, which is rolled back. */
async function planPublication(work: UnitOfWork, target: WantedPublication): Promise<PublicationPlan> {
  const catalog = await work.use(CatalogRepository).current();
  const { withDependencies } = target;
  const { outcomes, along } = await publishLocales(work, catalog, { targets: [target], withDependencies });
  const own = singleOutcome(outcomes);
  const publishes = [own, ...along]
    .filter(({ isChanged }) => isChanged)
    .map((one) => {
      const { id, contentTypeApiName, locale } = presentState(one.after, one.locale, catalog);
      const title = localeOf(one.after, one.locale)?.title ?? '';
      return { entryId: id, contentTypeApiName, title, locale, isDependency: one !== own };
    });
  return { data: presentEntry(own.before, own.locale, catalog), meta: { publishes } };
}

export async function publishNow(work: UnitOfWork, target: WantedPublication): Promise<Entry> {
  const catalog = await work.use(CatalogRepository).current();
  const { comment, isJob, withDependencies } = target;
  const request = { targets: [target], comment, isJob, withDependencies };
  const { outcomes, along } = await publishLocales(work, catalog, request);
  const { locale, before, after, isChanged } = singleOutcome(outcomes);
  const data = presentEntry(after, locale, catalog);
  const publishedAlong = along.map(({ id }) => id);
  noteAlong(work, catalog, along);
  if (!isChanged && publishedAlong.length === 0) return data;
  const parts = changedParts(presentEntry(before, locale, catalog), data);
  work.use(EntryRepository).note({
    action: 'entry.publish',
    entry: after,
    locale,
    before: parts.before,
    after: {
      ...parts.after,
      ...(comment && { comment }),
      ...(publishedAlong.length > 0 && { publishedAlong }),
    },
  });
  return data;
}

type UnpublishEntryInput = InputOf<typeof entries.unpublish>;

type WantedWithdrawal = LocaleTarget & {
  readonly redirectTo?: string | undefined;
  readonly comment?: string | undefined;
  readonly isJob?: boolean;
};

/** Unpublishes now or on schedule. A no-op if the locale is not published. */
export async function unpublishEntry(
  work: UnitOfWork,
  input: UnpublishEntryInput,
): Promise<Withdrawn | Scheduled> {
  const redirectTo = input.redirectTo && parseTarget('redirectTo', input.redirectTo);
  if (input.dryRun) return planWithdrawal(work, { ...input, redirectTo });
  const time = await futureTime(work, input);
  if (time === undefined) return warned(work, { ...input, redirectTo });
  const { comment } = input;
  const options = { ...(redirectTo !== undefined && { redirectTo }), ...(comment && { comment }) };
  return scheduleEntry(work, { kind: 'unpublish', targets: [input], time, options });
}

/** The published path, if any. */
async function livePathOf(work: UnitOfWork, catalog: Catalog, target: WantedWithdrawal): Promise<LivePath> {
  const entry = await work.use(EntryRepository).lock(target.id, noValues);
  const site = siteOf(catalog, entry);
  const locale = localeToWrite(catalog, entry, target.locale);
  return { site, locale, path: await work.use(EntryTreeRepository).livePath(site, entry.id, locale) };
}

interface LivePath {
  readonly site: SiteDefinition;
  readonly locale: string;
  readonly path: string | undefined;
}

/** @throws AppError 422 if the page has no path, and the errors of {@link redirectOldPath} */
async function redirectFrom(work: UnitOfWork, { site, locale, path }: LivePath, to: string): Promise<void> {
  const key = 'redirectTo';
  if (path === undefined) {
    const message = 'The entry has no path in this locale that could be redirected.';
    throw invalidInput({ path: [key], code: 'no_path', message });
  }
  await redirectOldPath(work, site, { key, locale, from: path, to });
}

/**
 * @throws AppError 422 `validation_failed`, 409 `redirect_conflict` and `redirect_loop` for an invalid `redirectTo`
 */
async function unpublishNow(
  work: UnitOfWork,
  target: WantedWithdrawal,
): Promise<Pick<Applied, 'before' | 'locale' | 'isChanged'> & { readonly data: Entry }> {
  const catalog = await work.use(CatalogRepository).current();
  const { redirectTo, comment, isJob } = target;
  const left = redirectTo === undefined ? undefined : await livePathOf(work, catalog, target);
  const outcome = singleOutcome(
    await unpublishLocales(work, catalog, {
      targets: [target],
      values: valuesIn(target.locale),
      comment,
      isJob,
    }),
  );
  const { locale, before, after, isChanged } = outcome;
  const data = presentEntry(after, locale, catalog);
  if (!isChanged) return { data, before, locale, isChanged };
  if (left !== undefined && redirectTo !== undefined) await redirectFrom(work, left, redirectTo);
  const parts = changedParts(presentEntry(before, locale, catalog), data);
  work.use(EntryRepository).note({
    action: 'entry.unpublish',
    entry: after,
    locale,
    before: parts.before,
    after: {
      ...parts.after,
      ...(comment && { comment }),
      ...(left !== undefined && { redirect: { source: left.path, target: redirectTo } }),
    },
  });
  return { data, before, locale, isChanged };
}

interface Withdrawn {
  data: Entry;
  meta?: { warnings?: Warning[]; isRefused?: boolean; broken?: BrokenLink[] };
}

async function warned(work: UnitOfWork, target: WantedWithdrawal): Promise<Withdrawn> {
  const { data, before, locale, isChanged } = await unpublishNow(work, target);
  if (!isChanged) return { data };
  const catalog = await work.use(CatalogRepository).current();
  const broken = await brokenLinks(work, catalog, { entry: before, locales: [locale] });
  const count = new Set(broken.map(({ entryId }) => entryId)).size;
  if (count === 0) return { data };
  const message = `Links of ${String(count)} published ${count === 1 ? 'entry' : 'entries'} no longer show the entry.`;
  return { data, meta: { warnings: [{ code: 'still_referenced', message }] } };
}

/** What a call would break; the call is rolled back, or refused. */
async function planWithdrawal(work: UnitOfWork, target: WantedWithdrawal): Promise<Withdrawn> {
  const catalog = await work.use(CatalogRepository).current();
  const plan = async (entry: StoredEntry, isRefused: boolean): Promise<Withdrawn> => {
    const locale = localeToWrite(catalog, entry, target.locale);
    const broken = await brokenLinks(work, catalog, { entry, locales: [locale] });
    return { data: presentEntry(entry, locale, catalog), meta: { isRefused, broken } };
  };
  try {
    return await plan((await unpublishNow(work, target)).before, false);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'entry_in_use') throw error;
    return plan(await work.use(EntryRepository).find(target.id, valuesIn(target.locale)), true);
  }
}

const comment = z.string().optional();
const PublishOptions = z.object({
  withDependencies: z.boolean().default(false),
  comment,
});
const UnpublishOptions = z.object({ redirectTo: z.string().optional(), comment });

/** Jobs run the same checks as direct calls. */
export const entryJobs = {
  publish: jobHandler(PublishOptions, (work, { entryId, locale, version }, options) =>
    publishNow(work, { id: entryId, locale, version: version ?? undefined, isJob: true, ...options }),
  ),
  unpublish: jobHandler(UnpublishOptions, (work, { entryId, locale, version }, options) =>
    unpublishNow(work, { id: entryId, locale, version: version ?? undefined, isJob: true, ...options }),
  ),
} as const satisfies Record<JobKind, JobHandler>;
