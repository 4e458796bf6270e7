import { limits } from '../../../../../contracts/limits.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { DeliveryRepository, type NewDelivery } from '../delivery.repository.js';
import { eventBodies, matchesWebhook } from './event-bodies.js';
import { BATCH } from './outgoing-call.js';
import { OutboxRepository, type QueuedEvent } from './outbox.repository.js';
import { WebhookRepository, type WebhookRow } from '../webhook.repository.js';

/** Events per transaction. */
export const FAN_OUT_EVENTS = 100;

interface Match {
  readonly webhook: WebhookRow;
  readonly events: readonly QueuedEvent[];
}

const singleDeliveries = (work: UnitOfWork, { webhook, events }: Match): NewDelivery[] =>
  events.map(({ id, type }) => ({
    id: work.newId(),
    webhookId: webhook.id,
    eventType: type,
    eventIds: [id],
    nextAttemptAt: work.now,
  }));

/** Full batches are due at once, the rest when the window ends. */
async function addToBatches(work: UnitOfWork, { webhook, events }: Match): Promise<NewDelivery[]> {
  const deliveries = work.use(DeliveryRepository);
  const open = await deliveries.collecting(webhook.id);
  const ids = [...(open?.eventIds ?? []), ...events.map(({ id }) => id)];
  const chunks = Array.from({ length: Math.ceil(ids.length / limits.webhookBatchEvents) }, (_, index) =>
    ids.slice(index * limits.webhookBatchEvents, (index + 1) * limits.webhookBatchEvents),
  );
  const isFull = (chunk: readonly string[]) => chunk.length === limits.webhookBatchEvents;
  const [first] = chunks;
  if (open !== undefined && first !== undefined) {
    await deliveries.collect(open.id, first, isFull(first));
    chunks.shift();
  }
  const until = new Date(work.now.getTime() + webhook.batchWindowSeconds * 1000);
  return chunks.map((eventIds) => ({
    id: work.newId(),
    webhookId: webhook.id,
    eventType: BATCH,
    eventIds,
    nextAttemptAt: isFull(eventIds) ? work.now : until,
    collectsUntil: isFull(eventIds) ? null : until,
  }));
}

async function writeDeliveries(work: UnitOfWork, matches: readonly Match[]): Promise<void> {
  const matched = [...new Set(matches.flatMap(({ events }) => events))];
  const full = matches.filter(({ webhook }) => webhook.payload === 'full').flatMap(({ events }) => events);
  const deliveries = work.use(DeliveryRepository);
  await deliveries.insertBodies(await eventBodies(work, matched, new Set(full.map(({ id }) => id))));
  const made = matches.filter(({ webhook }) => webhook.batchWindowSeconds === 0);
  const rows = made.flatMap((match) => singleDeliveries(work, match));
  for (const match of matches.filter(({ webhook }) => webhook.batchWindowSeconds > 0))
    rows.push(...(await addToBatches(work, match)));
  await deliveries.insertAll(rows);
}

export interface FannedOut {
  readonly events: number;
  /** Whether a webhook of the project is enabled, and so may have deliveries that are due. */
  readonly hasWebhooks: boolean;
}

/** Moves the oldest events from the outbox to a delivery per matching webhook, in one transaction. */
export async function fanOut(work: UnitOfWork): Promise<FannedOut> {
  const outbox = work.use(OutboxRepository);
  const events = await outbox.take(FAN_OUT_EVENTS);
  if (events.length === 0) return { events: 0, hasWebhooks: false };
  const webhooks = await work.use(WebhookRepository).listReceiving();
  const matches = webhooks
    .map((webhook) => ({ webhook, events: events.filter((event) => matchesWebhook(webhook, event)) }))
    .filter((match) => match.events.length > 0)
    // A fixed order prevents deadlocks between processes.
    .sort((a, b) => (a.webhook.id < b.webhook.id ? -1 : 1));
  if (matches.length > 0) await writeDeliveries(work, matches);
  await outbox.remove(events.map(({ id }) => id));
  return { events: events.length, hasWebhooks: webhooks.length > 0 };
}
