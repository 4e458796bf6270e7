import type { JobKind, JobStatus } from '../../../../contracts/entries/schedules/schedule.js';
import { isUuid } from '../../../infrastructure/ids.js';
import { makingKey, orphanedSql } from '../../shared/key-reach.js';
import { Repository } from '../../../persistence/repositories/repository.js';

/** Options of a job; its kind's handler knows their shape. */
export type JobPayload = Readonly<Record<string, unknown>>;

/** A job to insert: one action on one locale of one entry at one time. */
export interface NewJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly entryId: string;
  readonly siteId: string;
  readonly locale: string;
  /** The job fails unless this is the entry's current version when it runs. */
  readonly version: number | null;
  readonly scheduledAt: Date;
  readonly timezone: string;
  /** The scheduled time in the time zone. */
  readonly wallTime: string;
  readonly options: JobPayload;
}

/** A job that publishes a release. */
export interface NewReleaseJob extends Pick<
  NewJob,
  'id' | 'scheduledAt' | 'timezone' | 'wallTime' | 'options'
> {
  readonly kind: 'release';
  readonly releaseId: string;
}

type MovedTime = Pick<NewJob, 'timezone' | 'wallTime'> & { readonly at: Date };

export interface WaitingJob extends Omit<NewJob, 'wallTime'> {
  readonly attempts: number;
  /** The key that made or moved it, which it ends with; null: a user's. */
  readonly ownerKeyId: string | null;
}

export interface ReleaseJob
  extends Omit<NewReleaseJob, 'wallTime'>, Pick<WaitingJob, 'attempts' | 'ownerKeyId'> {}

/** A job of an entry or of a release. */
export type TakenJob = WaitingJob | ReleaseJob;

/** With the time at which it will run. */
export type PlannedJob = TakenJob & { readonly dueAt: Date };

export interface JobFailure {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}

const waitingColumns = `id, kind, release_id AS "releaseId", entry_id AS "entryId", site_id AS "siteId", locale, version,
  scheduled_at AS "scheduledAt", timezone, options, attempts, owner_key_id AS "ownerKeyId"`;

/** A user who takes over a key's job becomes its creator; a key does not run a user's job in its own name. */
const ownedBy = (keyId: string, actor: string): string => `owner_key_id = ${keyId}::uuid,
         created_by = CASE WHEN ${keyId}::uuid IS NULL AND owner_key_id IS NOT NULL THEN ${actor}::jsonb ELSE created_by END`;

/** The jobs of one tenant. Writers of a row must hold the lock of its entry. */
export class ScheduledJobRepository extends Repository {
  /** Inserts any number of jobs in one statement. */
  async insertAll(jobs: readonly (NewJob | NewReleaseJob)[]): Promise<void> {
    if (jobs.length === 0) return;
    await this.query(
      `INSERT INTO scheduled_jobs (tenant_id, project_id, environment_id, id, kind, entry_id, site_id, locale, version, release_id,
         scheduled_at, timezone, wall_time, options, next_attempt_at, created_at, created_by, owner_key_id, updated_at)
       SELECT $1, $2, $3, id, kind, "entryId", "siteId", locale, version, "releaseId", "scheduledAt", timezone, "wallTime", options, "scheduledAt", $4, $5, $7, $4
       FROM jsonb_to_recordset($6::jsonb) AS j (id uuid, kind text, "entryId" uuid, "siteId" uuid, locale text, version integer,
         "releaseId" uuid, "scheduledAt" timestamptz, timezone text, "wallTime" timestamp, options jsonb)`,
      [
        this.tenantId,
        this.projectId,
        this.environmentId,
        this.bound.now,
        JSON.stringify(this.bound.scope.actor),
        JSON.stringify(jobs),
        makingKey(this.bound.scope),
      ],
    );
  }

  /** Waiting jobs by entry, soonest first. */
  async waitingOf(entryIds: readonly string[]): Promise<Map<string, WaitingJob[]>> {
    if (entryIds.length === 0) return new Map();
    const rows = await this.query<WaitingJob>(
      `SELECT ${waitingColumns} FROM scheduled_jobs
       WHERE environment_id = $1 AND entry_id = ANY($2::uuid[]) AND status = 'scheduled' ORDER BY scheduled_at, id`,
      [this.environmentId, [...entryIds]],
    );
    return Map.groupBy(rows, ({ entryId }) => entryId);
  }

  /** The entry's job, whatever its status. */
  async find(entryId: string, id: string): Promise<(WaitingJob & { status: JobStatus }) | undefined> {
    if (!isUuid(id)) return undefined;
    const [job] = await this.query<WaitingJob & { status: JobStatus }>(
      `SELECT ${waitingColumns}, status FROM scheduled_jobs WHERE environment_id = $1 AND entry_id = $2 AND id = $3`,
      [this.environmentId, entryId, id],
    );
    return job;
  }

  /** The job of a release, whatever its status; undefined for jobs of entries. */
  async findRelease(id: string): Promise<(ReleaseJob & { status: JobStatus }) | undefined> {
    if (!isUuid(id)) return undefined;
    const [job] = await this.query<ReleaseJob & { status: JobStatus }>(
      `SELECT ${waitingColumns}, status FROM scheduled_jobs WHERE environment_id = $1 AND id = $2 AND kind = 'release'`,
      [this.environmentId, id],
    );
    return job;
  }

  /** The entry of a job, whatever its status. */
  async entryOf(id: string): Promise<string | undefined> {
    const [job] = await this.query<{ entryId: string }>(
      'SELECT entry_id AS "entryId" FROM scheduled_jobs WHERE environment_id = $1 AND id = $2',
      [this.environmentId, id],
    );
    return job?.entryId;
  }

  /** Moves a waiting job, which then is the caller's; false if it has ended or another process runs it. */
  async move(id: string, { at, timezone, wallTime }: MovedTime): Promise<boolean> {
    if (!(await this.#claim(id))) return false;
    const moved = await this.query(
      `UPDATE scheduled_jobs SET scheduled_at = $3, timezone = $4, wall_time = $5, next_attempt_at = $3, attempts = 0,
         error = NULL, updated_at = $6, ${ownedBy('$7', '$8')}
       WHERE environment_id = $1 AND id = $2 AND status = 'scheduled' RETURNING id`,
      [this.environmentId, id, at, timezone, wallTime, this.bound.now, ...this.#owner()],
    );
    return moved.length > 0;
  }

  /** Makes a waiting job the caller's; false if it has ended or another process runs it. */
  async adopt(id: string): Promise<boolean> {
    if (!(await this.#claim(id))) return false;
    const adopted = await this.query(
      `UPDATE scheduled_jobs SET updated_at = $3, ${ownedBy('$4', '$5')}
       WHERE environment_id = $1 AND id = $2 AND status = 'scheduled' RETURNING id`,
      [this.environmentId, id, this.bound.now, ...this.#owner()],
    );
    return adopted.length > 0;
  }

  /** Cancels those of these jobs that still wait, and returns them. */
  async cancel(ids: readonly string[]): Promise<WaitingJob[]> {
    if (ids.length === 0) return [];
    return this.query<WaitingJob>(
      `UPDATE scheduled_jobs SET status = 'canceled', completed_at = $3, updated_at = $3
       WHERE environment_id = $1 AND id = ANY($2::uuid[]) AND status = 'scheduled' RETURNING ${waitingColumns}`,
      [this.environmentId, [...ids], this.bound.now],
    );
  }

  /**
   * The job, if it is still waiting, no other process has claimed it and its key has not ended. Does not wait for the
   * other process.
   */
  async take(id: string): Promise<TakenJob | undefined> {
    if (!(await this.#claim(id))) return undefined;
    const [job] = await this.query<TakenJob>(
      `SELECT ${waitingColumns} FROM scheduled_jobs j
       WHERE environment_id = $1 AND id = $2 AND status = 'scheduled' AND next_attempt_at <= $3
         AND NOT ${orphanedSql('j', '$3')}`,
      [this.environmentId, id, this.bound.now],
    );
    return job;
  }

  /** Those that will run until then, in their order. */
  async dueBy(at: Date, limit: number): Promise<PlannedJob[]> {
    return this.query<PlannedJob>(
      `SELECT ${waitingColumns}, greatest(next_attempt_at, $3) AS "dueAt" FROM scheduled_jobs j
       WHERE environment_id = $1 AND status = 'scheduled' AND next_attempt_at <= $2 AND NOT ${orphanedSql('j', 'greatest(next_attempt_at, $3)')}
       ORDER BY next_attempt_at, id LIMIT $4`,
      [this.environmentId, at, this.bound.now, limit],
    );
  }

  /** Marks a job as succeeded; false if it was canceled. */
  async succeed(id: string): Promise<boolean> {
    return this.#end(id, "status = 'succeeded', completed_at = $3, error = NULL", []);
  }

  /** Marks a job as failed; false if it was canceled. */
  async fail(id: string, failure: JobFailure): Promise<boolean> {
    return this.#end(id, "status = 'failed', completed_at = $3, error = $4", [JSON.stringify(failure)]);
  }

  /** Postpones a job to its next attempt; false if it was canceled. */
  async putOff(id: string, at: Date, failure: JobFailure): Promise<boolean> {
    return this.#end(id, 'next_attempt_at = $5, error = $4', [JSON.stringify(failure), at]);
  }

  /** The entry's part of an event. */
  async describe(entryId: string): Promise<{ contentTypeApiName: string; version: number } | undefined> {
    const [entry] = await this.query<{ contentTypeApiName: string; version: number }>(
      `SELECT t.api_name AS "contentTypeApiName", e.version FROM entries e
         JOIN content_types t ON t.environment_id = e.environment_id AND t.id = e.content_type_id
       WHERE e.environment_id = $1 AND e.id = $2`,
      [this.environmentId, entryId],
    );
    return entry;
  }

  /** Records the failure of a job in the audit log. */
  noteFailure(job: WaitingJob, failure: JobFailure): void {
    const { id: jobId, kind, entryId, siteId, locale } = job;
    const shown = { jobId, kind, scheduledAt: job.scheduledAt.toISOString() };
    this.record({
      action: 'entry.schedule_failed',
      target: { type: 'entry', id: entryId, name: entryId },
      before: { ...shown, status: 'scheduled' },
      after: { ...shown, status: 'failed', error: failure },
      siteId,
      locale,
    });
  }

  /** Of the caller: the key that a job ends with, and who it runs for. */
  #owner(): [keyId: string | null, actor: string] {
    const { scope } = this.bound;
    return [makingKey(scope), JSON.stringify(scope.actor)];
  }

  /** Keeps other processes from the job until the unit of work ends. */
  async #claim(id: string): Promise<boolean> {
    const [lock] = await this.query<{ isHeld: boolean }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS "isHeld"',
      [`job:${id}`],
    );
    return lock?.isHeld === true;
  }

  async #end(id: string, change: string, values: readonly unknown[]): Promise<boolean> {
    const rows = await this.query(
      `UPDATE scheduled_jobs SET ${change}, attempts = attempts + 1, updated_at = $3
       WHERE environment_id = $1 AND id = $2 AND status = 'scheduled' RETURNING id`,
      [this.environmentId, id, this.bound.now, ...values],
    );
    return rows.length > 0;
  }
}
