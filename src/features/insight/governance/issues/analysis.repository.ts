import type {
  DetectorName,
  GovernanceAnalysis,
} from '../../../../../contracts/insight/governance/governance.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import type { AddressRow } from '../../../../persistence/work/unit-of-work.js';

export interface StoredAnalysis {
  readonly id: string;
  readonly status: GovernanceAnalysis['status'];
  readonly startedAt: Date;
  readonly completedAt: Date | null;
  /** By detector, what it has scanned up to. */
  readonly scans: Readonly<Partial<Record<DetectorName, string>>>;
}

/** A step that runs for longer was killed with its process. */
const STEP_SECONDS = 600;

const isAlive = `stepped_at > $2::timestamptz - interval '${String(STEP_SECONDS)} seconds'`;

/** The last analysis of the environment; one runs at a time. */
export class AnalysisRepository extends Repository {
  async last(): Promise<StoredAnalysis | undefined> {
    const [analysis] = await this.query<StoredAnalysis>(
      `SELECT id, CASE WHEN status = 'running' AND NOT ${isAlive} THEN 'failed' ELSE status END AS status,
         started_at AS "startedAt", completed_at AS "completedAt", scans
       FROM governance_analyses WHERE environment_id = $1`,
      [this.environmentId, this.bound.now],
    );
    return analysis;
  }

  /** Starts an analysis; false while another one is running. */
  async start(id: string): Promise<boolean> {
    const rows = await this.query(
      `INSERT INTO governance_analyses AS a (tenant_id, environment_id, id, status, started_at, stepped_at)
       VALUES ($3, $1, $4, 'running', $2, $2)
       ON CONFLICT (environment_id) DO UPDATE SET id = excluded.id, status = 'running', started_at = excluded.started_at,
         stepped_at = excluded.stepped_at, completed_at = NULL
       WHERE a.status <> 'running' OR NOT a.${isAlive} RETURNING id`,
      [this.environmentId, this.bound.now, this.tenantId, id],
    );
    return rows.length > 0;
  }

  /** Notes the start of a step; false if another analysis has replaced this one. */
  async step(id: string): Promise<boolean> {
    return this.#change(id, 'stepped_at = $3', []);
  }

  /** Ends the analysis in the transaction of its changes; false if another one has replaced it. */
  async complete(id: string, scans: StoredAnalysis['scans']): Promise<boolean> {
    return this.#change(id, "status = 'completed', completed_at = $3, scans = scans || $4::jsonb", [
      JSON.stringify(scans),
    ]);
  }

  async fail(id: string): Promise<void> {
    await this.#change(id, "status = 'failed', completed_at = $3", []);
  }

  noteRun({ id, name, detectors }: { id: string; name: string; detectors: readonly DetectorName[] }): void {
    this.record({
      action: 'governance.analyze',
      target: { type: 'environment', id: this.environmentId, name },
      before: null,
      after: { analysisId: id, detectors },
    });
  }

  async #change(id: string, set: string, values: readonly unknown[]): Promise<boolean> {
    const rows = await this.query(
      `UPDATE governance_analyses SET ${set} WHERE environment_id = $1 AND id = $2 AND status = 'running' RETURNING id`,
      [this.environmentId, id, this.bound.now, ...values],
    );
    return rows.length > 0;
  }
}

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
