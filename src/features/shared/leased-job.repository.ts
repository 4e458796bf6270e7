import { AppError } from '../../../contracts/errors.js';
import { Repository } from '../../persistence/repositories/repository.js';

const PRUNED_AT_ONCE = 1000;

/** The claim of a process on a job. */
export interface LeaseKey {
  readonly id: string;
  readonly leaseId: string;
}

/**
 * Jobs of an environment. A process works on a job while its lease lasts; every change names the lease, so that one
 * that has lost it changes nothing.
 */
export abstract class LeasedJobRepository extends Repository {
  protected abstract readonly table: 'import_jobs' | 'translation_jobs';
  /** Jobs of an environment that have not ended. */
  protected abstract readonly maximumOpen: number;
  /** SQL of what a worker needs to know of a job `j`, besides who started it and where. */
  protected abstract readonly dueColumns: string;

  /** @throws AppError 422 `limit_reached` */
  async assertRoom(): Promise<void> {
    const maximum = this.maximumOpen;
    const [row] = await this.query<{ open: number }>(
      `SELECT count(*)::int AS open FROM ${this.table} WHERE environment_id = $1 AND status IN ('queued', 'running')`,
      [this.environmentId],
    );
    if ((row?.open ?? 0) >= maximum) throw new AppError('limit_reached', { maximum });
  }

  /** Of every tenant; needs platform work. */
  protected dueJobs<J extends object>(now: Date, limit: number): Promise<J[]> {
    return this.query<J>(
      `SELECT ${this.dueColumns}, j.id, j.options, j.attempts, j.created_by AS "createdBy", j.created_at AS "createdAt",
         j.tenant_id AS "tenantId", h.project_id AS "projectId", h.project_slug AS "projectSlug",
         h.environment_id AS "environmentId", h.environment_slug AS "environmentSlug"
       FROM ${this.table} j JOIN environment_heads h ON h.environment_id = j.environment_id
       WHERE j.status IN ('queued', 'running') AND j.due_at <= $1 ORDER BY j.due_at, j.id LIMIT $2`,
      [now, limit],
    );
  }

  /** Leaves the job to a later attempt; a stopping process has not failed. */
  async release(
    { id, leaseId }: LeaseKey,
    { at, isAttempt }: { at: Date; isAttempt: boolean },
  ): Promise<void> {
    await this.query(
      `UPDATE ${this.table} SET status = 'queued', due_at = $4, lease_id = NULL, attempts = attempts - $5
       WHERE environment_id = $1 AND id = $2 AND lease_id = $3 AND status = 'running'`,
      [this.environmentId, id, leaseId, at, isAttempt ? 0 : 1],
    );
  }

  /** Deletes expired jobs of every tenant. Their files are swept. */
  async prune(): Promise<void> {
    for (let gone = PRUNED_AT_ONCE; gone === PRUNED_AT_ONCE;) {
      const [row] = await this.query<{ gone: number }>(
        `WITH gone AS (DELETE FROM ${this.table} WHERE (environment_id, id) IN (SELECT environment_id, id
           FROM ${this.table} WHERE expires_at <= $1 ORDER BY expires_at LIMIT ${String(PRUNED_AT_ONCE)}) RETURNING 1)
         SELECT count(*)::int AS gone FROM gone`,
        [this.bound.now],
      );
      gone = row?.gone ?? 0;
    }
  }
}
