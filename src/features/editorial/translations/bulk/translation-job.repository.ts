import { AppError } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import { isUuid } from '../../../../infrastructure/ids.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import { LeasedJobRepository, type LeaseKey } from '../../../shared/leased-job.repository.js';
import type { DueJob, JobPlan, StoredJob, FileOutcome, StoredJobFile } from './stored-job.js';

const columns = `id, kind, status, options, total, done, failed, size::float8 AS size, error, created_by AS "createdBy",
  created_at AS "createdAt", completed_at AS "completedAt", expires_at AS "expiresAt"`;

const DAY_MS = 86_400_000;

type Ending =
  | { readonly status: 'done'; readonly size: number | null }
  | { readonly status: 'failed'; readonly error: { readonly code: string; readonly message: string } };

/** Exports and imports of translations of an environment. */
export class TranslationJobRepository extends LeasedJobRepository {
  protected readonly table = 'translation_jobs';
  protected readonly maximumOpen = limits.translationJobsOpen;
  protected readonly dueColumns = 'j.kind';

  async insert(id: string, plan: JobPlan, { total, size }: { total: number; size?: number }): Promise<void> {
    const { now, scope } = this.bound;
    await this.query(
      `INSERT INTO translation_jobs (tenant_id, environment_id, id, kind, status, options, total, size, due_at, created_by,
         created_at, expires_at) VALUES ($1, $2, $3, $4, 'queued', $5, $6, $7, $8, $9, $8, $10)`,
      [
        ...[this.tenantId, this.environmentId, id, plan.kind, JSON.stringify(plan.options), total],
        ...[size ?? null, now, JSON.stringify(scope.actor)],
        new Date(now.getTime() + limits.translationJobDays * DAY_MS),
      ],
    );
    this.#note(plan.kind, id, { verb: 'create', before: null, after: { ...plan.options, total } });
  }

  /** @throws AppError 404 `job_not_found` */
  async find(id: string, kind: JobPlan['kind']): Promise<StoredJob> {
    const [job] = isUuid(id)
      ? await this.query<StoredJob>(
          `SELECT ${columns} FROM translation_jobs WHERE environment_id = $1 AND id = $2 AND kind = $3 AND expires_at > $4`,
          [this.environmentId, id, kind, this.bound.now],
        )
      : [];
    if (job === undefined) throw new AppError('job_not_found');
    return job;
  }

  /** Of every tenant; needs platform work. */
  due(now: Date, limit: number): Promise<DueJob[]> {
    return this.dueJobs(now, limit);
  }

  /** False if another process has the job. An export starts again from nothing. */
  async claim(id: string, leaseId: string, until: Date): Promise<boolean> {
    const claimed = await this.query(
      `UPDATE translation_jobs SET status = 'running', lease_id = $3, due_at = $4, attempts = attempts + 1,
         done = CASE kind WHEN 'export' THEN 0 ELSE done END, failed = CASE kind WHEN 'export' THEN 0 ELSE failed END
       WHERE environment_id = $1 AND id = $2 AND status IN ('queued', 'running') AND due_at <= $5 RETURNING id`,
      [this.environmentId, id, leaseId, until, this.bound.now],
    );
    return claimed.length > 0;
  }

  /** Extends the lease and adds to the counts; false if it is lost. */
  async progress(
    { id, leaseId }: LeaseKey,
    { until, done, failed }: { until: Date; done: number; failed: number },
  ): Promise<boolean> {
    const renewed = await this.query(
      `UPDATE translation_jobs SET due_at = $4, done = done + $5, failed = failed + $6
       WHERE environment_id = $1 AND id = $2 AND lease_id = $3 AND status = 'running' RETURNING id`,
      [this.environmentId, id, leaseId, until, done, failed],
    );
    return renewed.length > 0;
  }

  /** Undefined if the lease is lost. */
  async end(
    { id, leaseId, kind }: LeaseKey & { readonly kind: JobPlan['kind'] },
    ending: Ending,
  ): Promise<StoredJob | undefined> {
    const [job] = await this.query<StoredJob>(
      `UPDATE translation_jobs SET status = $4, size = coalesce($5, size), error = $6, completed_at = $7, lease_id = NULL
       WHERE environment_id = $1 AND id = $2 AND lease_id = $3 AND status = 'running' RETURNING ${columns}`,
      [
        ...[this.environmentId, id, leaseId, ending.status],
        ...['size' in ending ? ending.size : null, 'error' in ending ? JSON.stringify(ending.error) : null],
        this.bound.now,
      ],
    );
    if (job === undefined) return undefined;
    const { status, total, done, failed, error } = job;
    const after = { status, total, done, failed, ...(error !== null && { error }) };
    this.#note(kind, id, { verb: 'finish', before: { status: 'running' }, after });
    return job;
  }

  #note(
    kind: JobPlan['kind'],
    id: string,
    { verb, before, after }: { verb: 'create' | 'finish'; before: object | null; after: object },
  ): void {
    const type = `translation_${kind}` as const;
    this.record({
      action: `${type}.${verb}`,
      target: { type, id, name: id },
      before: before && { ...before },
      after: { ...after },
    });
  }
}

const fileColumns = `position, name, entry_id AS "entryId", locale, status, code, message, units`;

type NewFile = Pick<StoredJobFile, 'name' | 'entryId' | 'locale'>;

/** The files of a job and how they ended. */
export class JobFileRepository extends Repository {
  /** Waiting, in their order. */
  async insert(jobId: string, files: readonly NewFile[]): Promise<void> {
    await this.query(
      `INSERT INTO translation_job_files (tenant_id, environment_id, job_id, position, name, entry_id, locale, status)
       SELECT $1, $2, $3, f.position - 1, f.name, f.entry_id, f.locale, 'waiting'
       FROM unnest($4::text[], $5::uuid[], $6::text[]) WITH ORDINALITY AS f (name, entry_id, locale, position)`,
      [
        ...[this.tenantId, this.environmentId, jobId, files.map(({ name }) => name)],
        ...[files.map(({ entryId }) => entryId), files.map(({ locale }) => locale)],
      ],
    );
  }

  list(jobId: string): Promise<StoredJobFile[]> {
    return this.query<StoredJobFile>(
      `SELECT ${fileColumns} FROM translation_job_files WHERE environment_id = $1 AND job_id = $2 ORDER BY position`,
      [this.environmentId, jobId],
    );
  }

  /** Locks a file that waits; false if another process has handled it. */
  async take(jobId: string, position: number): Promise<boolean> {
    const taken = await this.query(
      `SELECT position FROM translation_job_files
       WHERE environment_id = $1 AND job_id = $2 AND position = $3 AND status = 'waiting' FOR UPDATE`,
      [this.environmentId, jobId, position],
    );
    return taken.length > 0;
  }

  /** Whether another file of the job was applied to the translation. */
  async hasApplied(jobId: string, entryId: string, locale: string): Promise<boolean> {
    const found = await this.query(
      `SELECT 1 FROM translation_job_files
       WHERE environment_id = $1 AND job_id = $2 AND entry_id = $3 AND locale = $4 AND status = 'done' LIMIT 1`,
      [this.environmentId, jobId, entryId, locale],
    );
    return found.length > 0;
  }

  async settle(jobId: string, outcomes: ReadonlyMap<number, FileOutcome>): Promise<void> {
    const rows = [...outcomes].map(([position, outcome]) => ({ position, ...outcome }));
    await this.query(
      `UPDATE translation_job_files f SET status = o.status, code = o.code, message = o.message, units = o.units,
         entry_id = coalesce(o."entryId", f.entry_id), locale = coalesce(o.locale, f.locale)
       FROM jsonb_to_recordset($3::jsonb)
         AS o (position integer, status text, code text, message text, units jsonb, "entryId" uuid, locale text)
       WHERE f.environment_id = $1 AND f.job_id = $2 AND f.position = o.position`,
      [this.environmentId, jobId, JSON.stringify(rows)],
    );
  }
}
