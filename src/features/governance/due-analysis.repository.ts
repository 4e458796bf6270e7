import { Repository } from '../../persistence/repositories/repository.js';
import type { AddressRow } from '../../persistence/work/unit-of-work.js';

/** Environments of every tenant; needs platform work. */
export class DueAnalysisRepository extends Repository {
  /** Those whose last analysis started before a time, the longest due first. */
  async list(before: Date, limit: number): Promise<AddressRow[]> {
    return this.query<AddressRow>(
      `SELECT h.tenant_id AS "tenantId", h.project_id AS "projectId", h.project_slug AS "projectSlug",
         h.environment_id AS "environmentId", h.environment_slug AS "environmentSlug"
       FROM environment_heads h LEFT JOIN governance_analyses a ON a.environment_id = h.environment_id
       WHERE h.tenant_active AND (a.started_at IS NULL OR a.started_at < $1)
       ORDER BY a.started_at NULLS FIRST, h.environment_id LIMIT $2`,
      [before, limit],
    );
  }
}
