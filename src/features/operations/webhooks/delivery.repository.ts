import type { DeliveryAttempt, DeliveryStatus } from '../../../../contracts/operations/webhooks/webhook.js';
import { AppError } from '../../../../contracts/errors.js';
import { isUuid } from '../../../infrastructure/ids.js';
import { Repository } from '../../../persistence/repositories/repository.js';

export interface StoredDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly eventType: string;
  readonly eventIds: readonly string[];
  readonly isTest: boolean;
  readonly status: DeliveryStatus;
  readonly attempts: readonly DeliveryAttempt[];
  readonly attemptCount: number;
  readonly nextAttemptAt: Date;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
}

export type NewDelivery = Pick<
  StoredDelivery,
  'id' | 'webhookId' | 'eventType' | 'eventIds' | 'nextAttemptAt'
> & {
  readonly isTest?: boolean;
  /** Set when an attempt is already in progress. */
  readonly claim?: string;
  readonly collectsUntil?: Date | null;
};

/** What is sent for an event. */
export interface EventBody {
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
  /** Of the unit of work that emitted it, if that was traced. Kept beside the body, never sent. */
  readonly traceParent?: string | undefined;
}

/** The result of one attempt. */
export interface Settlement {
  readonly id: string;
  readonly status: DeliveryStatus;
  readonly nextAttemptAt: Date;
  readonly attempt: DeliveryAttempt;
}

/** Which deliveries are listed. Null: any. */
interface DeliveryQuery {
  /** Older than this one. */
  readonly beforeId: string | null;
  readonly status: DeliveryStatus | null;
  readonly event: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly limit: number;
}

const columns = `id, webhook_id AS "webhookId", event_type AS "eventType", event_ids AS "eventIds", is_test AS "isTest",
  status, attempts, attempt_count AS "attemptCount", next_attempt_at AS "nextAttemptAt", created_at AS "createdAt",
  completed_at AS "completedAt"`;

/** No member of a body has this name. */
const TRACE_PARENT = 'traceParent';

export class DeliveryRepository extends Repository {
  /** One body per event, shared by all webhooks. */
  async insertBodies(events: readonly EventBody[]): Promise<void> {
    const rows = events.map(({ traceParent, ...event }) =>
      traceParent === undefined ? event : { ...event, body: { ...event.body, [TRACE_PARENT]: traceParent } },
    );
    await this.query(
      `INSERT INTO webhook_events (tenant_id, id, body, request_id, created_at)
       SELECT $1, id, body, "requestId", $2 FROM json_to_recordset($3::json) AS e (id uuid, body json, "requestId" text)`,
      [this.tenantId, this.bound.now, JSON.stringify(rows)],
    );
  }

  async insertAll(deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.query(
      `INSERT INTO webhook_deliveries (tenant_id, project_id, webhook_id, id, event_type, event_ids, is_test, claim,
         collects_until, next_attempt_at, created_at)
       SELECT $1, $2, "webhookId", id, "eventType", "eventIds", coalesce("isTest", false), claim, "collectsUntil", "nextAttemptAt", $3
       FROM jsonb_to_recordset($4::jsonb) AS d ("webhookId" uuid, id uuid, "eventType" text, "eventIds" uuid[], "isTest" boolean,
         claim uuid, "collectsUntil" timestamptz, "nextAttemptAt" timestamptz)`,
      [this.tenantId, this.projectId, this.bound.now, JSON.stringify(deliveries)],
    );
  }

  /** The open batch of a webhook, locked until the unit of work ends. */
  async collecting(webhookId: string): Promise<{ id: string; eventIds: string[]; until: Date } | undefined> {
    await this.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`webhook:${webhookId}`]);
    const [row] = await this.query<{ id: string; eventIds: string[]; until: Date }>(
      `SELECT id, event_ids AS "eventIds", collects_until AS until FROM webhook_deliveries
       WHERE webhook_id = $1 AND tenant_id = $2 AND collects_until IS NOT NULL FOR UPDATE`,
      [webhookId, this.tenantId],
    );
    return row;
  }

  /** A full batch is due at once. */
  async collect(id: string, eventIds: readonly string[], isFull: boolean): Promise<void> {
    await this.query(
      `UPDATE webhook_deliveries SET event_ids = $3::uuid[],
         collects_until = CASE WHEN $4 THEN NULL ELSE collects_until END,
         next_attempt_at = CASE WHEN $4 THEN $5 ELSE next_attempt_at END
       WHERE tenant_id = $1 AND id = $2`,
      [this.tenantId, id, [...eventIds], isFull, this.bound.now],
    );
  }

  /** Claims due deliveries for one attempt each. No other process gets them before the lease ends. */
  async claim(
    webhookId: string,
    { claim, leaseEnd, limit }: { claim: string; leaseEnd: Date; limit: number },
  ): Promise<StoredDelivery[]> {
    return this.query<StoredDelivery>(
      `UPDATE webhook_deliveries SET claim = $3, next_attempt_at = $4, collects_until = NULL
       WHERE tenant_id = $1 AND id IN (SELECT id FROM webhook_deliveries
         WHERE webhook_id = $2 AND tenant_id = $1 AND status = 'pending' AND next_attempt_at <= $5
         ORDER BY next_attempt_at, id LIMIT $6 FOR UPDATE SKIP LOCKED)
       RETURNING ${columns}`,
      [this.tenantId, webhookId, claim, leaseEnd, this.bound.now, limit],
    );
  }

  async bodies(ids: readonly string[]): Promise<Map<string, EventBody>> {
    const rows = await this.query<EventBody>(
      'SELECT id, body, request_id AS "requestId" FROM webhook_events WHERE tenant_id = $1 AND id = ANY($2::uuid[])',
      [this.tenantId, [...new Set(ids)]],
    );
    return new Map(
      rows.map(({ body: { [TRACE_PARENT]: traceParent, ...body }, ...row }) => [
        row.id,
        { ...row, body, ...(typeof traceParent === 'string' && { traceParent }) },
      ]),
    );
  }

  /** Records attempts whose claim still holds. */
  async settle(claim: string, settlements: readonly Settlement[]): Promise<void> {
    await this.query(
      `UPDATE webhook_deliveries d SET status = s.status, next_attempt_at = s."nextAttemptAt", claim = NULL,
         attempts = d.attempts || s.attempt, attempt_count = d.attempt_count + 1,
         completed_at = CASE WHEN s.status = 'pending' THEN NULL ELSE $3::timestamptz END
       FROM jsonb_to_recordset($4::jsonb) AS s (id uuid, status text, "nextAttemptAt" timestamptz, attempt jsonb)
       WHERE d.tenant_id = $1 AND d.id = s.id AND d.claim = $2`,
      [this.tenantId, claim, this.bound.now, JSON.stringify(settlements)],
    );
  }

  /** One page, the latest first. */
  async list(
    webhookId: string,
    { beforeId, status, event, from, to, limit }: DeliveryQuery,
  ): Promise<StoredDelivery[]> {
    return this.query<StoredDelivery>(
      `SELECT ${columns} FROM webhook_deliveries d WHERE tenant_id = $1 AND webhook_id = $2
         AND ($3::uuid IS NULL OR id < $3) AND ($4::text IS NULL OR status = $4)
         AND ($5::text IS NULL OR event_type = $5 OR EXISTS (SELECT FROM webhook_events e
           WHERE e.tenant_id = $1 AND e.id = ANY(d.event_ids) AND e.body ->> 'type' = $5))
         AND ($6::timestamptz IS NULL OR created_at >= $6) AND ($7::timestamptz IS NULL OR created_at < $7)
       ORDER BY id DESC LIMIT $8`,
      [this.tenantId, webhookId, beforeId, status, event, from, to, limit],
    );
  }

  /** @throws AppError 404 `delivery_not_found` */
  async find(webhookId: string, id: string): Promise<StoredDelivery> {
    const [row] = isUuid(id)
      ? await this.query<StoredDelivery>(
          `SELECT ${columns} FROM webhook_deliveries WHERE tenant_id = $1 AND webhook_id = $2 AND id = $3`,
          [this.tenantId, webhookId, id],
        )
      : [];
    if (row === undefined) throw new AppError('delivery_not_found');
    return row;
  }
}
