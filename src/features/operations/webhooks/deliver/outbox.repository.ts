import { Repository } from '../../../../persistence/repositories/repository.js';
import type { Catalog } from '../../../../content/catalog.js';
import { composeValues } from '../../../../content/blocks/stored-values.js';
import { deliverFields } from '../../../../content/deliver-fields.js';
import type { AddressRow } from '../../../../persistence/work/unit-of-work.js';
import { presentDocument, type StoredDocument } from '../../../publishing/delivery/index.js';
import { orphanedSql } from '../../../shared/key-reach.js';

export interface QueuedEvent {
  readonly id: string;
  readonly type: string;
  /** Grows with each event of the service. Of one subject, later changes have higher numbers. */
  readonly sequence: number;
  readonly payload: {
    readonly project: { readonly slug: string };
    readonly environment: string;
    readonly actor: { readonly type: string; readonly id: string | null; readonly name: string };
    readonly timestamp: string;
    readonly requestId?: string | undefined;
    /** Of the unit of work that emitted it, if that was traced. */
    readonly traceParent?: string | undefined;
    /** Absent from events of earlier releases. */
    readonly cause?: { readonly requestId: string; readonly action: string } | null;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

const take = {
  name: 'outbox_take',
  text: `SELECT id, type, sequence::float8 AS sequence, payload FROM outbox_events WHERE environment_id = $1 AND tenant_id = $2
    ORDER BY created_at, id LIMIT $3 FOR UPDATE SKIP LOCKED`,
};

const remove = {
  name: 'outbox_remove',
  text: 'DELETE FROM outbox_events WHERE tenant_id = $1 AND id = ANY($2::uuid[])',
};

/** The outbox of one environment. Concurrent processes take different events. */
export class OutboxRepository extends Repository {
  /** The oldest events, locked until the unit of work ends. */
  async take(limit: number): Promise<QueuedEvent[]> {
    return this.query<QueuedEvent>(take, [this.environmentId, this.tenantId, limit]);
  }

  /** For an event that is no change. */
  async nextSequence(): Promise<number> {
    const [row] = await this.query<{ sequence: number }>(
      "SELECT nextval('event_sequence')::float8 AS sequence",
    );
    if (row === undefined) throw new Error('a statement without a row');
    return row.sequence;
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.query(remove, [this.tenantId, [...ids]]);
  }
}

/** One locale of an entry after an event. */
export interface EntryState {
  readonly eventId: string;
  readonly entryId: string;
  readonly locale: string;
  readonly version: number;
  /** Whether the published document or the draft is meant. */
  readonly isPublished: boolean;
}

interface EventEntryRow extends StoredDocument {
  readonly eventId: string;
  readonly sharedFields: Readonly<Record<string, unknown>> | null;
}

const requestedStates = `jsonb_to_recordset($2::jsonb)
  AS q ("eventId" uuid, "entryId" uuid, locale text, version integer, "isPublished" boolean)`;

export class EventEntryRepository extends Repository {
  /** In delivery shape; omits entries that have changed since their event. */
  async entries(states: readonly EntryState[], catalog: Catalog): Promise<Map<string, object>> {
    if (states.length === 0) return new Map();
    const rows = await this.query<EventEntryRow>(
      `SELECT q."eventId", p.entry_id AS id, p.content_type_id AS "contentTypeId", p.site_id AS "siteId", p.slug, p.locale,
         p.fields, NULL::jsonb AS "sharedFields", p.published_at AS "publishedAt", p.published_at AS "updatedAt",
         p.created_at AS "createdAt"
       FROM ${requestedStates} JOIN published_entries p ON p.environment_id = $1 AND p.entry_id = q."entryId"
         AND p.locale = q.locale AND p.version = q.version
       WHERE q."isPublished"
       UNION ALL
       SELECT q."eventId", l.entry_id, l.content_type_id, l.site_id, l.slug, l.locale, l.fields, e.shared_fields,
         l.published_at, l.updated_at, e.created_at
       FROM ${requestedStates} JOIN entries e ON e.environment_id = $1 AND e.id = q."entryId" AND e.version = q.version
         JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = e.id AND l.locale = q.locale AND NOT l.is_deleted
       WHERE NOT q."isPublished"`,
      [this.environmentId, JSON.stringify(states)],
    );
    return new Map(
      rows.map(({ eventId, sharedFields, fields, ...document }) => {
        const type = catalog.contentTypeById(document.contentTypeId);
        const resolved =
          sharedFields === null
            ? fields
            : deliverFields(type?.fields ?? [], composeValues(sharedFields, fields));
        return [eventId, presentDocument({ ...document, fields: resolved }, catalog)];
      }),
    );
  }

  /** Stored paths by event. */
  async paths(
    places: readonly Pick<EntryState, 'eventId' | 'entryId' | 'locale'>[],
  ): Promise<Map<string, string>> {
    if (places.length === 0) return new Map();
    const rows = await this.query<{ eventId: string; path: string }>(
      `SELECT q."eventId", r.path FROM ${requestedStates}
         JOIN routes r ON r.environment_id = $1 AND r.entry_id = q."entryId" AND r.locale = q.locale AND r.is_own`,
      [this.environmentId, JSON.stringify(places)],
    );
    return new Map(rows.map(({ eventId, path }) => [eventId, path]));
  }
}

export class HealthRepository extends Repository {
  async recordSuccess(webhookId: string): Promise<void> {
    await this.query(
      `UPDATE webhooks SET health = 'healthy', failing_since = NULL, last_delivery_at = $3
       WHERE tenant_id = $1 AND id = $2 AND enabled`,
      [this.tenantId, webhookId, this.bound.now],
    );
  }

  /** Since when every attempt has failed; undefined for a disabled or deleted webhook. */
  async recordFailure(webhookId: string): Promise<Date | undefined> {
    const [row] = await this.query<{ since: Date }>(
      `UPDATE webhooks SET health = 'failing', failing_since = coalesce(failing_since, $3)
       WHERE tenant_id = $1 AND id = $2 AND enabled RETURNING failing_since AS since`,
      [this.tenantId, webhookId, this.bound.now],
    );
    return row?.since;
  }

  /** Records the change. Returns false if the webhook was disabled already. */
  async disable(webhookId: string, reason: string): Promise<boolean> {
    const [row] = await this.query<{ name: string; since: Date | null }>(
      `UPDATE webhooks SET enabled = false, health = 'disabled', updated_at = $3
       WHERE tenant_id = $1 AND id = $2 AND enabled RETURNING name, failing_since AS since`,
      [this.tenantId, webhookId, this.bound.now],
    );
    if (row === undefined) return false;
    if (reason === 'gone') await this.#endPending(webhookId);
    this.record({
      action: 'webhook.disable',
      target: { type: 'webhook', id: webhookId, name: row.name },
      before: { enabled: true },
      after: { enabled: false, health: 'disabled', reason, failingSince: row.since?.toISOString() ?? null },
    });
    return true;
  }

  /** The target has unsubscribed, so nothing that waits is sent when the webhook is enabled again. */
  async #endPending(webhookId: string): Promise<void> {
    await this.query(
      `UPDATE webhook_deliveries SET status = 'failed', completed_at = $3, claim = NULL, collects_until = NULL
       WHERE tenant_id = $1 AND webhook_id = $2 AND status = 'pending'`,
      [this.tenantId, webhookId, this.bound.now],
    );
  }
}

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
