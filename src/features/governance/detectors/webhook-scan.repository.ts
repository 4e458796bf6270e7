import { Repository } from '../../../persistence/repositories/repository.js';
import { orphanedSql } from '../../shared/index.js';
import { isDefaultSql } from './subject-home.js';

export interface FailingWebhook {
  readonly id: string;
  readonly name: string;
  readonly health: 'failing' | 'disabled';
  readonly failingSince: Date | null;
}

export interface OrphanedWebhook {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly keyId: string;
}

/** Webhooks belong to the default environment. */
export class WebhookScanRepository extends Repository {
  async failing(limit: number): Promise<FailingWebhook[]> {
    return this.query<FailingWebhook>(
      `SELECT w.id, w.name, w.health, w.failing_since AS "failingSince" FROM webhooks w
       WHERE w.tenant_id = $1 AND w.project_id = $2 AND ${isDefaultSql} AND w.health IN ('failing', 'disabled')
       ORDER BY w.failing_since DESC NULLS LAST, w.id LIMIT $4`,
      [this.tenantId, this.projectId, this.environmentId, limit],
    );
  }

  /** Enabled ones whose key has ended. */
  async orphaned(now: Date, limit: number): Promise<OrphanedWebhook[]> {
    return this.query<OrphanedWebhook>(
      `SELECT w.id, w.name, w.url, w.owner_key_id AS "keyId" FROM webhooks w
       WHERE w.tenant_id = $1 AND w.project_id = $2 AND ${isDefaultSql} AND w.enabled AND ${orphanedSql('w', '$4')}
       ORDER BY w.updated_at DESC, w.id LIMIT $5`,
      [this.tenantId, this.projectId, this.environmentId, now, limit],
    );
  }
}
