import type { Actor } from '../../../../contracts/actor.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { AddressRow } from '../../../persistence/work/unit-of-work.js';

/** What is done to one environment in the background, with the actor that it runs for. */
export interface EnvironmentJob extends AddressRow {
  readonly kind: 'copy' | 'delete' | 'promote' | 'rollback';
  readonly copiesContent: boolean;
  readonly attempts: number;
  readonly createdBy: Actor;
  /** What the feature that runs it needs to know. */
  readonly details?: object | null;
}

const columns = `tenant_id AS "tenantId", project_id AS "projectId", project_slug AS "projectSlug",
  environment_id AS "environmentId", environment_slug AS "environmentSlug", kind, copies_content AS "copiesContent",
  attempts, created_by AS "createdBy", details`;

/** Progress and outcome of jobs; `due` needs platform work. */
export class EnvironmentJobRepository extends Repository {
  due(now: Date, limit: number): Promise<EnvironmentJob[]> {
    return this.query<EnvironmentJob>(
      `SELECT ${columns} FROM environment_jobs WHERE next_attempt_at <= $1 ORDER BY next_attempt_at, environment_id LIMIT $2`,
      [now, limit],
    );
  }

  /** Replaces the job of the environment, if any. */
  async put({ environmentId, environmentSlug, kind, copiesContent, details }: EnvironmentJob): Promise<void> {
    const { now, scope } = this.bound;
    await this.query(
      `INSERT INTO environment_jobs AS j (tenant_id, project_id, project_slug, environment_id, environment_slug, kind,
         copies_content, next_attempt_at, created_by, created_at, details)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $8, $10)
       ON CONFLICT (tenant_id, environment_id) DO UPDATE SET kind = excluded.kind, attempts = 0, done = 0,
         next_attempt_at = excluded.next_attempt_at`,
      [
        this.tenantId,
        this.projectId,
        scope.projectSlug,
        environmentId,
        environmentSlug,
        kind,
        copiesContent,
        now,
        JSON.stringify(scope.actor),
        details === undefined ? null : JSON.stringify(details),
      ],
    );
  }

  async noteProgress(done: number, total: number): Promise<void> {
    await this.query(
      'UPDATE environment_jobs SET done = $3, total = $4 WHERE tenant_id = $1 AND environment_id = $2',
      [this.tenantId, this.environmentId, done, total],
    );
  }

  async putOff(at: Date): Promise<void> {
    await this.query(
      'UPDATE environment_jobs SET attempts = attempts + 1, next_attempt_at = $3 WHERE tenant_id = $1 AND environment_id = $2',
      [this.tenantId, this.environmentId, at],
    );
  }

  async end(): Promise<void> {
    await this.query('DELETE FROM environment_jobs WHERE tenant_id = $1 AND environment_id = $2', [
      this.tenantId,
      this.environmentId,
    ]);
  }

  /** Whether the environment still has a job of this kind. */
  async isDue(kind: EnvironmentJob['kind']): Promise<boolean> {
    const found = await this.query(
      'SELECT 1 FROM environment_jobs WHERE tenant_id = $1 AND environment_id = $2 AND kind = $3',
      [this.tenantId, this.environmentId, kind],
    );
    return found.length > 0;
  }

  /** Keeps other processes from the job until the unit of work ends; false if one has it. */
  async claim(): Promise<boolean> {
    const [lock] = await this.query<{ isHeld: boolean }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS "isHeld"',
      [`environment:${this.environmentId}`],
    );
    return lock?.isHeld === true;
  }
}
