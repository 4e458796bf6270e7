import { AppError } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import type {
  JobKind,
  PendingSchedule,
  ScheduledJob,
} from '../../../../../contracts/entries/schedules/schedule.js';
import type { Catalog } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import {
  ScheduledJobRepository,
  type JobPayload,
  type NewJob,
  type WaitingJob,
} from '../../../operations/jobs/index.js';
import type { ZonedTime } from '../../schedules/index.js';
import { noValues, valuesOfTargets } from '../anchored-values.js';
import { cancelSchedules, presentPending, entryData } from '../schedules/canceled-schedules.js';
import {
  isAdmitted,
  isRefusal,
  lockTargets,
  type LocaleTarget,
  type LockedTarget,
  type Refusal,
} from './locale-targets.js';
import { candidateOf, checkCandidates } from './publish-check.js';

export interface ScheduleRequest {
  readonly kind: JobKind;
  readonly targets: readonly LocaleTarget[];
  readonly time: ZonedTime;
  readonly options: JobPayload;
}

export interface Scheduled extends LockedTarget {
  readonly job: ScheduledJob;
  readonly replaced: readonly PendingSchedule[];
}

/** Runs the publish checks now and again when the job runs. */
async function checkPublishable(
  work: UnitOfWork,
  catalog: Catalog,
  places: readonly (LockedTarget | Refusal)[],
): Promise<(LockedTarget | Refusal)[]> {
  const drafts = places.map((place) => (isRefusal(place) ? place : candidateOf(catalog, place)));
  const outcomes = await checkCandidates(work, drafts.filter(isAdmitted));
  const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  return drafts.map((draft) => byId.get(draft.id) ?? draft);
}

/** A target with the waiting jobs that its new one replaces. */
interface ReplacingTarget extends LockedTarget {
  readonly replaced: readonly WaitingJob[];
}

/** @param kind of the new jobs */
async function checkLimit(
  work: UnitOfWork,
  places: readonly (LockedTarget | Refusal)[],
  kind: JobKind,
): Promise<(ReplacingTarget | Refusal)[]> {
  const ids = places.filter(isAdmitted).map(({ entry }) => entry.id);
  const waiting = await work.use(ScheduledJobRepository).waitingOf(ids);
  const limit = limits.schedulesPerEntry;
  return places.map((place) => {
    if (isRefusal(place)) return place;
    const { id, entry, locale } = place;
    const jobs = waiting.get(entry.id) ?? [];
    const replaced = jobs.filter((job) => job.kind === kind && job.locale === locale);
    const isFull = jobs.length - replaced.length >= limit;
    return isFull ? { id, error: new AppError('limit_reached', { limit }) } : { id, entry, locale, replaced };
  });
}

const versionOf = (targets: readonly LocaleTarget[], id: string): number | null =>
  targets.find((target) => target.id === id)?.version ?? null;

/**
 * Set-based: the number of statements is constant. An expected version must match now and when the job runs. A new
 * job replaces a waiting one of the same kind and locale. The caller writes the audit record.
 */
export async function scheduleLocales(
  work: UnitOfWork,
  catalog: Catalog,
  { kind, targets, time, options }: ScheduleRequest,
): Promise<(Scheduled | Refusal)[]> {
  const values = kind === 'publish' ? valuesOfTargets(targets) : noValues;
  const locked = await lockTargets(work, { catalog, targets, values, action: kind });
  const places = await checkLimit(
    work,
    kind === 'publish' ? await checkPublishable(work, catalog, locked) : locked,
    kind,
  );
  const outcomes = places.map((place) =>
    isRefusal(place) ? place : newSchedule(work, place, { kind, time }),
  );
  const jobs = outcomes.filter(isAdmitted).map(({ id, entry, job }): NewJob => ({
    id: job.jobId,
    kind,
    entryId: entry.id,
    siteId: entry.siteId,
    locale: job.locale,
    version: versionOf(targets, id),
    scheduledAt: time.at,
    timezone: time.timezone,
    wallTime: time.wallTime,
    options,
  }));
  const replacing = places.filter(isAdmitted);
  await cancelSchedules(work, catalog, {
    entries: replacing.map(({ entry }) => entry),
    jobIds: replacing.flatMap(({ replaced }) => replaced.map(({ id }) => id)),
    reason: 'replaced',
  });
  await work.use(ScheduledJobRepository).insertAll(jobs);
  for (const outcome of outcomes) if (isAdmitted(outcome)) emitScheduled(work, catalog, outcome);
  if (jobs.length > 0) work.wake(time.at);
  return outcomes;
}

function newSchedule(
  work: UnitOfWork,
  { id, entry, locale, replaced }: ReplacingTarget,
  { kind, time }: { kind: JobKind; time: ZonedTime },
): Scheduled {
  const scheduledAt = time.at.toISOString();
  const when = { scheduledAt, timezone: time.timezone };
  const job = { jobId: work.newId(), status: 'scheduled', kind, entryId: entry.id, locale, ...when } as const;
  return { id, entry, locale, job, replaced: replaced.map(presentPending) };
}

function emitScheduled(work: UnitOfWork, catalog: Catalog, { entry, locale, job }: Scheduled): void {
  work.emit({ type: 'entry.scheduled', data: { ...job, ...entryData(catalog, entry, locale) } });
}
