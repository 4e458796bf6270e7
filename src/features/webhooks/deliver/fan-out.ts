import { limits } from '../../../../contracts/limits.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { DeliveryRepository, type NewDelivery } from '../delivery.repository.js';
import { eventBodies } from './event-bodies.js';
import { isTold } from './matches-webhook.js';
import { BATCH } from './outgoing-call.js';
import { OutboxRepository, type QueuedEvent } from './outbox.repository.js';
import { WebhookRepository, type WebhookRow } from '../webhook.repository.js';

/** Events that one transaction takes out of the outbox. */
export const FAN_OUT_EVENTS = 100;

/** A webhook and the events that it is told of. */
interface Match {
  readonly webhook: WebhookRow;
  readonly events: readonly QueuedEvent[];
}

const eachOnItsOwn = (work: UnitOfWork, { webhook, events }: Match): NewDelivery[] =>
  events.map(({ id, type }) => ({
    id: work.newId(),
    webhookId: webhook.id,
    eventType: type,
    eventIds: [id],
    nextAttemptAt: work.now,
  }));

/** Adds events to what the webhook collects; what is full is due at once, the rest when the window ends. */
async function collected(work: UnitOfWork, { webhook, events }: Match): Promise<NewDelivery[]> {
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
  const told = [...new Set(matches.flatMap(({ events }) => events))];
  const full = matches.filter(({ webhook }) => webhook.payload === 'full').flatMap(({ events }) => events);
  const deliveries = work.use(DeliveryRepository);
  await deliveries.insertBodies(await eventBodies(work, told, new Set(full.map(({ id }) => id))));
  const made = matches.filter(({ webhook }) => webhook.batchWindowSeconds === 0);
  const rows = made.flatMap((match) => eachOnItsOwn(work, match));
  for (const match of matches.filter(({ webhook }) => webhook.batchWindowSeconds > 0))
    rows.push(...(await collected(work, match)));
  await deliveries.insertAll(rows);
}

/**
 * Takes the oldest events out of the outbox of the work's environment and writes a delivery for each webhook
 * that is told of them: both or neither, so that no event is lost or told twice here.
 * @returns how many events were taken
 */
export async function fanOut(work: UnitOfWork): Promise<number> {
  const outbox = work.use(OutboxRepository);
  const events = await outbox.take(FAN_OUT_EVENTS);
  if (events.length === 0) return 0;
  const webhooks = await work.use(WebhookRepository).listEnabled();
  const matches = webhooks
    .map((webhook) => ({ webhook, events: events.filter((event) => isTold(webhook, event)) }))
    .filter((match) => match.events.length > 0)
    // In one order, so that two processes never wait for each other crosswise.
    .sort((a, b) => (a.webhook.id < b.webhook.id ? -1 : 1));
  if (matches.length > 0) await writeDeliveries(work, matches);
  await outbox.remove(events.map(({ id }) => id));
  return events.length;
}
