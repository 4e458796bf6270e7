import type { Actor } from '../../../../contracts/actor.js';
import {
  importLimits,
  type ImportCount,
  type ImportLoss,
  type ImportStatus,
  type ImportSystem,
} from '../../../../contracts/editorial/imports/import-job.js';
import { AppError } from '../../../../contracts/errors.js';
import { isUuid } from '../../../infrastructure/ids.js';
import type { AddressRow } from '../../../persistence/work/unit-of-work.js';
import { LeasedJobRepository, type LeaseKey } from '../../shared/leased-job.repository.js';

/** What a job reads, and where to. `dryRun` is that of its latest run. */
export interface ImportOptions {
  readonly system: ImportSystem;
  readonly siteSlug: string;
  readonly contentTypeApiName: string | null;
  readonly fileName: string;
  readonly dryRun: boolean;
}

export interface ImportReport {
  readonly counts: readonly ImportCount[];
  /** The first ones. */
  readonly losses: readonly ImportLoss[];
  readonly lossCount: number;
  /** Entries that could not be written. */
  readonly failed: number;
  /** Fields that content types of the project lack. */
  readonly conflicts: number;
}

/** Steps of the present part. */
export interface ImportProgress {
  readonly done: number;
  readonly total: number;
}

interface JobError {
  readonly code: string;
  readonly message: string;
}

export interface StoredImport {
  readonly id: string;
  readonly status: ImportStatus;
  readonly options: ImportOptions;
  readonly mapping: string | null;
  readonly size: number;
  readonly progress: ImportProgress;
  readonly report: ImportReport;
  readonly error: JobError | null;
  readonly createdBy: Actor;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
  readonly expiresAt: Date;
}

/** A job that a process may claim. */
export type DueImport = AddressRow &
  Pick<StoredImport, 'id' | 'options' | 'mapping' | 'createdBy' | 'createdAt'> & {
    readonly attempts: number;
  };

export type ImportEnding =
  | { readonly status: 'done'; readonly report: ImportReport; readonly mapping: string | null }
  | { readonly status: 'failed'; readonly error: JobError };

const columns = `id, status, options, mapping, size::float8 AS size, progress, report, error, created_by AS "createdBy",
  created_at AS "createdAt", completed_at AS "completedAt", expires_at AS "expiresAt"`;

const EMPTY = `progress = '{"done": 0, "total": 0}', report = '{"counts": [], "losses": [], "lossCount": 0, "failed": 0, "conflicts": 0}'`;

const DAY_MS = 86_400_000;

/** A row that was just written. */
function present(job: StoredImport | undefined): StoredImport {
  if (job === undefined) throw new Error('an import that is not there');
  return job;
}

/** Imports of an environment. */
export class ImportJobRepository extends LeasedJobRepository {
  protected readonly table = 'import_jobs';
  protected readonly maximumOpen = importLimits.importsOpen;
  protected readonly dueColumns = 'j.mapping';

  async insert(
    id: string,
    { options, mapping, size }: Pick<StoredImport, 'options' | 'mapping' | 'size'>,
  ): Promise<StoredImport> {
    const { now, scope } = this.bound;
    const [job] = await this.query<StoredImport>(
      `INSERT INTO import_jobs (tenant_id, environment_id, id, status, options, mapping, size, due_at, created_by,
         created_at, expires_at) VALUES ($1, $2, $3, 'queued', $4, $5, $6, $7, $8, $7, $9) RETURNING ${columns}`,
      [
        ...[this.tenantId, this.environmentId, id, JSON.stringify(options), mapping, size, now],
        ...[JSON.stringify(scope.actor), new Date(now.getTime() + importLimits.importDays * DAY_MS)],
      ],
    );
    this.#note('create', { id, name: options.fileName, before: null, after: { ...options, size } });
    return present(job);
  }

  /** Newest first. */
  list(): Promise<StoredImport[]> {
    return this.query<StoredImport>(
      `SELECT ${columns} FROM import_jobs WHERE environment_id = $1 AND expires_at > $2
       ORDER BY created_at DESC, id DESC LIMIT ${String(importLimits.importsListed)}`,
      [this.environmentId, this.bound.now],
    );
  }

  /** @throws AppError 404 `job_not_found` */
  async find(id: string, lock: '' | 'FOR UPDATE' = ''): Promise<StoredImport> {
    const [job] = isUuid(id)
      ? await this.query<StoredImport>(
          `SELECT ${columns} FROM import_jobs WHERE environment_id = $1 AND id = $2 AND expires_at > $3 ${lock}`,
          [this.environmentId, id, this.bound.now],
        )
      : [];
    if (job === undefined) throw new AppError('job_not_found');
    return job;
  }

  /** Runs an ended job again, for the caller. */
  async repeat(
    { id, options: before }: StoredImport,
    { options, mapping }: Pick<StoredImport, 'options' | 'mapping'>,
  ): Promise<StoredImport> {
    const { now, scope } = this.bound;
    const [job] = await this.query<StoredImport>(
      `UPDATE import_jobs SET status = 'queued', options = $3, mapping = $4, due_at = $5, created_by = $6, attempts = 0,
         error = NULL, completed_at = NULL, ${EMPTY}
       WHERE environment_id = $1 AND id = $2 RETURNING ${columns}`,
      [...[this.environmentId, id, JSON.stringify(options), mapping, now], JSON.stringify(scope.actor)],
    );
    this.#note('start', { id, name: options.fileName, before: { ...before }, after: { ...options } });
    return present(job);
  }

  /** The process that works on it notices. An ended job stays as it is. */
  async cancel({ id, status, options }: StoredImport): Promise<StoredImport | undefined> {
    const [job] = await this.query<StoredImport>(
      `UPDATE import_jobs SET status = 'canceled', lease_id = NULL, completed_at = $3
       WHERE environment_id = $1 AND id = $2 AND status IN ('queued', 'running') RETURNING ${columns}`,
      [this.environmentId, id, this.bound.now],
    );
    if (job !== undefined)
      this.#note('end', { id, name: options.fileName, before: { status }, after: { status: job.status } });
    return job;
  }

  /** Of every tenant; needs platform work. */
  due(now: Date, limit: number): Promise<DueImport[]> {
    return this.dueJobs(now, limit);
  }

  /** False if another process has the job. It starts over. */
  async claim({ id, leaseId }: LeaseKey, until: Date): Promise<boolean> {
    const claimed = await this.query(
      `UPDATE import_jobs SET status = 'running', lease_id = $3, due_at = $4, attempts = attempts + 1, ${EMPTY}
       WHERE environment_id = $1 AND id = $2 AND status IN ('queued', 'running') AND due_at <= $5 RETURNING id`,
      [this.environmentId, id, leaseId, until, this.bound.now],
    );
    return claimed.length > 0;
  }

  /** Extends the lease; false if it is lost. */
  async renew({ id, leaseId }: LeaseKey, until: Date, progress: ImportProgress): Promise<boolean> {
    const renewed = await this.query(
      `UPDATE import_jobs SET due_at = $4, progress = $5
       WHERE environment_id = $1 AND id = $2 AND lease_id = $3 AND status = 'running' RETURNING id`,
      [this.environmentId, id, leaseId, until, JSON.stringify(progress)],
    );
    return renewed.length > 0;
  }

  /** Undefined if the lease is lost. */
  async end({ id, leaseId }: LeaseKey, ending: ImportEnding): Promise<StoredImport | undefined> {
    const isDone = ending.status === 'done';
    const [job] = await this.query<StoredImport>(
      `UPDATE import_jobs SET status = $4, report = coalesce($5, report), mapping = coalesce($6, mapping), error = $7,
         completed_at = $8, lease_id = NULL
       WHERE environment_id = $1 AND id = $2 AND lease_id = $3 AND status = 'running' RETURNING ${columns}`,
      [
        ...[this.environmentId, id, leaseId, ending.status],
        ...(isDone
          ? [JSON.stringify(ending.report), ending.mapping, null]
          : [null, null, JSON.stringify(ending.error)]),
        this.bound.now,
      ],
    );
    if (job === undefined) return undefined;
    const { status, error, options, report } = job;
    const { losses: _losses, ...numbers } = report;
    const after = { status, dryRun: options.dryRun, ...numbers, ...(error !== null && { error }) };
    this.#note('finish', { id, name: options.fileName, before: { status: 'running' }, after });
    return job;
  }

  #note(
    verb: 'create' | 'start' | 'end' | 'finish',
    { id, name, before, after }: { id: string; name: string; before: object | null; after: object },
  ): void {
    this.record({
      action: `import.${verb}`,
      target: { type: 'import', id, name },
      before: before && { ...before },
      after: { ...after },
    });
  }
}
