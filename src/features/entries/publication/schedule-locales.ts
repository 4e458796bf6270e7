import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { JobKind, ScheduledJob } from '../../../../contracts/resources/schedule.js';
import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { ScheduledJobRepository, type JobPayload, type NewJob } from '../../jobs/index.js';
import type { ZonedTime } from '../../schedules/index.js';
import { presentEntry } from '../entry.presenter.js';
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

async function checkLimit(
  work: UnitOfWork,
  places: readonly (LockedTarget | Refusal)[],
): Promise<(LockedTarget | Refusal)[]> {
  const ids = places.filter(isAdmitted).map(({ entry }) => entry.id);
  const waiting = await work.use(ScheduledJobRepository).countWaiting(ids);
  const limit = limits.schedulesPerEntry;
  return places.map((place) => {
    const isFull = isAdmitted(place) && 'entry' in place && (waiting.get(place.entry.id) ?? 0) >= limit;
    return isFull ? { id: place.id, error: new AppError('limit_reached', { limit }) } : place;
  });
}

const versionOf = (targets: readonly LocaleTarget[], id: string): number | null =>
  targets.find((target) => target.id === id)?.version ?? null;

/**
 * Set-based: the number of statements is constant. An expected version must match now and when the job runs. The
 * caller writes the audit record.
 */
export async function scheduleLocales(
  work: UnitOfWork,
  catalog: Catalog,
  { kind, targets, time, options }: ScheduleRequest,
): Promise<(Scheduled | Refusal)[]> {
  const locked = await lockTargets(work, { catalog, targets, action: kind });
  const places = await checkLimit(
    work,
    kind === 'publish' ? await checkPublishable(work, catalog, locked) : locked,
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
  await work.use(ScheduledJobRepository).insertAll(jobs);
  for (const outcome of outcomes) if (isAdmitted(outcome)) emitScheduled(work, catalog, outcome);
  if (jobs.length > 0) work.wake(time.at);
  return outcomes;
}

function newSchedule(
  work: UnitOfWork,
  { id, entry, locale }: LockedTarget,
  { kind, time }: { kind: JobKind; time: ZonedTime },
): Scheduled {
  const scheduledAt = time.at.toISOString();
  const when = { scheduledAt, timezone: time.timezone };
  const job = { jobId: work.newId(), status: 'scheduled', kind, entryId: entry.id, locale, ...when } as const;
  return { id, entry, locale, job };
}

function emitScheduled(work: UnitOfWork, catalog: Catalog, { entry, locale, job }: Scheduled): void {
  const { contentTypeApiName, siteId, slug, version, status } = presentEntry(entry, locale, catalog);
  const { status: _status, ...when } = job;
  work.emit({
    type: 'entry.scheduled',
    data: { ...when, contentTypeApiName, siteId, slug, version, status },
  });
}
