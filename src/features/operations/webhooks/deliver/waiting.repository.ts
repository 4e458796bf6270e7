import { orphanedSql } from '../../../shared/key-reach.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import type { AddressRow } from '../../../../persistence/work/unit-of-work.js';

export interface DueWebhook {
  readonly webhookId: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly projectSlug: string;
}

/** Rows per pruning transaction. */
export const PRUNE_BATCH = 1000;

const headScope = `h.tenant_id AS "tenantId", h.project_id AS "projectId", h.project_slug AS "projectSlug"`;

/** One index look-up per value, whatever the length of the queue. */
const distinct = (column: string, from: string): string => `WITH RECURSIVE found AS (
    (SELECT ${column} FROM ${from} ORDER BY ${column} LIMIT 1)
    UNION ALL
    SELECT (SELECT q.${column} FROM ${from.replace(/^\S+/, '$& q')} AND q.${column} > found.${column} ORDER BY q.${column} LIMIT 1)
    FROM found WHERE found.${column} IS NOT NULL
  )`;

// Named, since both run after each write: planning them takes longer than running them.
const environments = {
  name: 'outbox_environments',
  text: `${distinct('environment_id', 'outbox_events WHERE true')}
       SELECT ${headScope}, h.environment_id AS "environmentId", h.environment_slug AS "environmentSlug"
       FROM found JOIN environment_heads h ON h.environment_id = found.environment_id WHERE h.tenant_active`,
};

const dueWebhooks = {
  name: 'due_webhooks',
  text: `${distinct('webhook_id', "webhook_deliveries WHERE status = 'pending'")}
       SELECT w.id AS "webhookId", ${headScope} FROM found
         JOIN webhooks w ON w.id = found.webhook_id AND w.enabled AND NOT ${orphanedSql('w', '$1')}
         JOIN LATERAL (SELECT tenant_id, project_id, project_slug FROM environment_heads
           WHERE project_id = w.project_id AND tenant_active LIMIT 1) AS h ON true
         CROSS JOIN LATERAL (SELECT d.next_attempt_at FROM webhook_deliveries d
           WHERE d.webhook_id = w.id AND d.status = 'pending' ORDER BY d.next_attempt_at, d.id LIMIT 1) AS first
       WHERE first.next_attempt_at <= $1 ORDER BY first.next_attempt_at LIMIT $2`,
};

/** Due work of active tenants; needs a platform unit of work. */
export class WaitingRepository extends Repository {
  /** Environments with events in their outbox. */
  async environments(): Promise<AddressRow[]> {
    return this.query<AddressRow>(environments);
  }

  /** Webhooks with due deliveries, the longest due first. */
  async webhooks(now: Date, limit: number): Promise<DueWebhook[]> {
    return this.query<DueWebhook>(dueWebhooks, [now, limit]);
  }

  /** Deletes one batch of rows older than `before`; returns how many. */
  async prune(
    table: 'outbox_events' | 'webhook_events' | 'webhook_deliveries',
    before: Date,
  ): Promise<number> {
    const rows = await this.query(
      `DELETE FROM ${table} WHERE (tenant_id, id) IN
         (SELECT tenant_id, id FROM ${table} WHERE created_at < $1 ORDER BY created_at LIMIT ${PRUNE_BATCH}) RETURNING id`,
      [before],
    );
    return rows.length;
  }
}
