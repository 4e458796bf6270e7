import { Repository } from '../../../../persistence/repositories/repository.js';
import { orphanedSql } from '../../../shared/key-reach.js';
import { isDefaultSql } from './key-scan.repository.js';

interface OrphanedJob {
  readonly jobId: string;
  readonly kind: string;
  readonly locale: string;
  readonly scheduledAt: string;
  readonly apiKeyId: string;
}

interface OrphanedEntry {
  readonly id: string;
  readonly title: string;
  /** Soonest first. */
  readonly jobs: readonly OrphanedJob[];
}

export class ScheduleScanRepository extends Repository {
  /** Entries with waiting jobs whose key has ended, the soonest first. */
  async orphaned(now: Date, limit: number): Promise<OrphanedEntry[]> {
    return this.query<OrphanedEntry>(
      `SELECT j.entry_id AS id, coalesce(max(l.title), j.entry_id::text) AS title,
         jsonb_agg(jsonb_build_object('jobId', j.id, 'kind', j.kind, 'locale', j.locale, 'apiKeyId', j.owner_key_id,
           'scheduledAt', to_char(j.scheduled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY j.scheduled_at, j.id) AS jobs
       FROM scheduled_jobs j
         LEFT JOIN entry_locales l ON l.environment_id = j.environment_id AND l.entry_id = j.entry_id AND l.locale = j.locale
       WHERE j.environment_id = $1 AND j.status = 'scheduled' AND j.entry_id IS NOT NULL AND ${orphanedSql('j', '$2')}
       GROUP BY j.entry_id ORDER BY min(j.scheduled_at), j.entry_id LIMIT $3`,
      [this.environmentId, now, limit],
    );
  }
}

interface FailingWebhook {
  readonly id: string;
  readonly name: string;
  readonly health: 'failing' | 'disabled';
  readonly failingSince: Date | null;
}

interface OrphanedWebhook {
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
