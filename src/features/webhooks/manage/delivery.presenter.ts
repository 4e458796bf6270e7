import type { WebhookDelivery } from '../../../../contracts/resources/webhook-delivery.js';
import type { StoredDelivery } from '../delivery.repository.js';

export function presentDelivery(row: StoredDelivery): WebhookDelivery {
  return {
    ...row,
    eventIds: [...row.eventIds],
    attempts: [...row.attempts],
    nextAttemptAt: row.status === 'pending' ? row.nextAttemptAt.toISOString() : null,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}
