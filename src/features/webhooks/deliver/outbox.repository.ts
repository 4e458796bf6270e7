import { Repository } from '../../../persistence/repositories/repository.js';

export interface QueuedEvent {
  readonly id: string;
  readonly type: string;
  readonly payload: {
    readonly project: { readonly slug: string };
    readonly environment: string;
    readonly actor: { readonly type: string; readonly id: string | null; readonly name: string };
    readonly timestamp: string;
    readonly requestId?: string | undefined;
    /** Absent from events of earlier releases. */
    readonly cause?: { readonly requestId: string; readonly action: string } | null;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

const take = {
  name: 'outbox_take',
  text: `SELECT id, type, payload FROM outbox_events WHERE environment_id = $1 AND tenant_id = $2
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

  async remove(ids: readonly string[]): Promise<void> {
    await this.query(remove, [this.tenantId, [...ids]]);
  }
}
