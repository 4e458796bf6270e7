import type { Actor } from '../../../contracts/resources/actor.js';
import { orphanedSql } from '../shared/index.js';
import { Repository } from '../../persistence/repositories/repository.js';
import type { AddressRow } from '../../persistence/work/unit-of-work.js';

/** A due job, with the address and the actor that it runs for. */
export interface DueJob extends AddressRow {
  readonly id: string;
  readonly dueAt: Date;
  readonly isTenantActive: boolean;
  readonly createdBy: Actor;
}

/** Due jobs of every tenant; needs platform work, which may read jobs but not change them. */
export class DueJobRepository extends Repository {
  /** Jobs that are due at `now` and whose key has not ended, the longest due first, after the given one. */
  async list(now: Date, { after, limit }: { after: DueJob | undefined; limit: number }): Promise<DueJob[]> {
    return this.query<DueJob>(
      `SELECT j.id, j.next_attempt_at AS "dueAt", j.tenant_id AS "tenantId", h.tenant_active AS "isTenantActive",
         h.project_id AS "projectId", h.project_slug AS "projectSlug", h.environment_id AS "environmentId",
         h.environment_slug AS "environmentSlug", j.created_by AS "createdBy"
       FROM scheduled_jobs j JOIN environment_heads h ON h.environment_id = j.environment_id
       WHERE j.status = 'scheduled' AND j.next_attempt_at <= $1 AND (j.next_attempt_at, j.id) > ($2, $3)
         AND NOT ${orphanedSql('j', '$1')}
       ORDER BY j.next_attempt_at, j.id LIMIT $4`,
      [now, after?.dueAt ?? new Date(0), after?.id ?? '00000000-0000-0000-0000-000000000000', limit],
    );
  }
}
