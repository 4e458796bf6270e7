import { invalidInput } from '../../../../contracts/errors.js';
import type { webhooks } from '../../../../contracts/vocabulary/webhooks.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { WebhookDelivery } from '../../../../contracts/resources/webhook-delivery.js';
import { isUuid } from '../../../infrastructure/ids.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { presentDelivery } from './delivery.presenter.js';
import { DeliveryRepository } from '../delivery.repository.js';
import { WebhookRepository } from '../webhook.repository.js';

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
  { id, cursor, limit, status }: InputOf<typeof webhooks.listDeliveries>,
): Promise<{ data: WebhookDelivery[]; meta: { limit: number; nextCursor: string | null } }> {
  const beforeId = cursor === undefined ? null : idOf(cursor);
  const webhook = await work.use(WebhookRepository).find(id);
  const query = { beforeId, status: status ?? null, limit: limit + 1 };
  const rows = await work.use(DeliveryRepository).list(webhook.id, query);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    data: page.map(presentDelivery),
    meta: { limit, nextCursor: last === undefined ? null : cursorOf(last.id) },
  };
}
