import type {
  WebhookDelivery,
  WebhookTestResult,
} from '../../../../../contracts/operations/webhooks/webhook.js';
import { type StoredDelivery, DeliveryRepository, type EventBody } from '../delivery.repository.js';
import { invalidInput, AppError } from '../../../../../contracts/errors.js';
import type { webhooks } from '../../../../../contracts/operations/webhooks/webhooks.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import { isUuid } from '../../../../infrastructure/ids.js';
import type { UnitOfWork, WorkScope, RunPart } from '../../../../persistence/work/unit-of-work.js';
import { WebhookRepository, type WebhookRow } from '../webhook.repository.js';
import { authorize } from '../../../../access/authorize.js';
import { NeighbourFailure } from '../../../../infrastructure/neighbours/neighbour.js';
import { attempt, LEASE_SECONDS, loggedAttempt, settleAttempts } from '../deliver/deliver-due.js';
import { OutboxRepository } from '../deliver/outbox.repository.js';
import type { WebhookServices } from '../webhook-services.js';

function presentDelivery(row: StoredDelivery): WebhookDelivery {
  return {
    ...row,
    eventIds: [...row.eventIds],
    attempts: [...row.attempts],
    nextAttemptAt: row.status === 'pending' ? row.nextAttemptAt.toISOString() : null,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}

const cursorOf = (id: string): string => Buffer.from(id).toString('base64url');

function idOf(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('utf8');
  if (isUuid(id)) return id;
  throw invalidInput({
    path: ['cursor'],
    code: 'invalid_cursor',
    message: 'The cursor does not belong to this list.',
  });
}

export async function listWebhookDeliveries(
  work: UnitOfWork,
  input: InputOf<typeof webhooks.listDeliveries>,
): Promise<{ data: WebhookDelivery[]; meta: { limit: number; nextCursor: string | null } }> {
  const { id, cursor, limit } = input;
  const beforeId = cursor === undefined ? null : idOf(cursor);
  const webhook = await work.use(WebhookRepository).find(id);
  const { status = null, event = null, from = null, to = null } = input;
  const query = { beforeId, status, event, from, to, limit: limit + 1 };
  const rows = await work.use(DeliveryRepository).list(webhook.id, query);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    data: page.map(presentDelivery),
    meta: { limit, nextCursor: last === undefined ? null : cursorOf(last.id) },
  };
}

/** Sends the same events again; the delivery waits while the webhook is disabled. */
export async function redeliverWebhook(
  work: UnitOfWork,
  input: InputOf<typeof webhooks.redeliver>,
): Promise<{ data: WebhookDelivery }> {
  authorize(work, 'webhooks.update', {});
  const webhooks = work.use(WebhookRepository);
  const webhook = await webhooks.find(input.id);
  const deliveries = work.use(DeliveryRepository);
  const former = await deliveries.find(webhook.id, input.deliveryId);
  const delivery: StoredDelivery = {
    ...former,
    id: work.newId(),
    status: 'pending',
    attempts: [],
    attemptCount: 0,
    nextAttemptAt: work.now,
    createdAt: work.now,
    completedAt: null,
  };
  await deliveries.insertAll([delivery]);
  webhooks.recordUse('redeliver', webhook, { deliveryId: delivery.id, formerDeliveryId: former.id });
  return { data: presentDelivery(delivery) };
}

const nothing = '00000000-0000-0000-0000-000000000000';

const samples: Readonly<Record<string, object>> = {
  entry: {
    entryId: nothing,
    contentTypeApiName: 'article',
    siteId: nothing,
    locale: 'en',
    slug: 'sample',
    path: '/sample',
    version: 1,
    status: 'published',
    changedFields: [],
  },
  content_type: { contentTypeApiName: 'article' },
  tree: { nodeId: nothing, siteId: nothing, entryId: null, path: '/sample' },
  redirect: {
    redirectId: nothing,
    siteId: nothing,
    locale: null,
    source: '/old',
    target: '/new',
    status: 301,
  },
  site: { siteId: nothing, slug: 'sample' },
  api_key: { apiKeyId: nothing, name: 'Sample', type: 'delivery' },
};

/** A sample of an event, marked by `data.isTest`. */
function sampleEvent(
  { id, type, sequence, webhookId }: { id: string; type: string; sequence: number; webhookId: string },
  { scope, now }: { scope: WorkScope; now: Date },
): EventBody {
  const body = {
    id,
    type,
    sequence,
    timestamp: now.toISOString(),
    project: { slug: scope.projectSlug },
    environment: scope.environmentSlug,
    actor: scope.actor,
    cause: null,
    data: { ...samples[type.split('.')[0] ?? ''], webhookId, isTest: true, surrogateKeys: [] },
  };
  return { id, body, requestId: scope.origin.requestId };
}

type Input = InputOf<typeof webhooks.test>;

interface PreparedTest {
  readonly webhook: WebhookRow;
  readonly delivery: StoredDelivery;
  readonly event: EventBody;
  readonly claim: string;
}

/** Recorded before the attempt, so that it appears in the log whatever happens. */
async function prepare(work: UnitOfWork, { id, event: type }: Input): Promise<PreparedTest> {
  authorize(work, 'webhooks.update', {});
  const webhooks = work.use(WebhookRepository);
  const webhook = await webhooks.find(id);
  const sequence = await work.use(OutboxRepository).nextSequence();
  const event = sampleEvent({ id: work.newId(), type, sequence, webhookId: webhook.id }, work);
  const claim = work.newId();
  const leaseEnd = new Date(work.now.getTime() + LEASE_SECONDS * 1000);
  const delivery: StoredDelivery = {
    id: work.newId(),
    webhookId: webhook.id,
    eventType: type,
    eventIds: [event.id],
    isTest: true,
    status: 'pending',
    attempts: [],
    attemptCount: 0,
    nextAttemptAt: leaseEnd,
    createdAt: work.now,
    completedAt: null,
  };
  const deliveries = work.use(DeliveryRepository);
  await deliveries.insertBodies([event]);
  await deliveries.insertAll([{ ...delivery, claim }]);
  webhooks.recordUse('test', webhook, { deliveryId: delivery.id, event: type });
  return { webhook, delivery, event, claim };
}

/** A failure of the target is an outcome too. */
export async function testWebhook(
  inPart: RunPart,
  input: Input,
  services: WebhookServices,
): Promise<{ data: WebhookTestResult }> {
  const { webhook, delivery, event, claim } = await inPart((work) => prepare(work, input));
  const bodies = new Map([[event.id, event]]);
  const made = await services.tests
    .call(() => attempt(delivery, { webhook, bodies }, services))
    .catch((error: unknown) => {
      throw error instanceof NeighbourFailure
        ? new AppError('service_unavailable', { reason: 'too_many_tests' })
        : error;
    });
  const settled = { webhookId: webhook.id, claim, attempts: [made] };
  await inPart((work) => settleAttempts(work, settled, { seconds: [0], random: () => 0 }));
  const { at: _at, ...outcome } = loggedAttempt(made);
  return { data: { deliveryId: delivery.id, ok: made.outcome.ok, ...outcome } };
}
