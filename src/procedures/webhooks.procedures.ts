import { webhooks as contracts } from '../../contracts/vocabulary/webhooks.contract.js';
import { adoptWebhook } from '../features/webhooks/manage/adopt-webhook.js';
import { createWebhook } from '../features/webhooks/manage/create-webhook.js';
import { deleteWebhook } from '../features/webhooks/manage/delete-webhook.js';
import { getWebhook } from '../features/webhooks/manage/get-webhook.js';
import { listWebhookDeliveries } from '../features/webhooks/manage/list-webhook-deliveries.js';
import { listWebhooks } from '../features/webhooks/manage/list-webhooks.js';
import { redeliverWebhook } from '../features/webhooks/manage/redeliver-webhook.js';
import { rotateWebhookSecret } from '../features/webhooks/manage/rotate-webhook-secret.js';
import { testWebhook } from '../features/webhooks/manage/test-webhook.js';
import { updateWebhook } from '../features/webhooks/manage/update-webhook.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';
import type { Services } from './services.js';

const webhookServices = (services: Services) => services.webhooks;

export const webhooks = bind(contracts, {
  list: query(listWebhooks),
  create: mutation(createWebhook, { lock: 'schema', with: webhookServices }),
  get: query(getWebhook),
  update: mutation(updateWebhook, { lock: 'schema', with: webhookServices }),
  delete: mutation(deleteWebhook),
  adopt: mutation(adoptWebhook, { lock: 'schema' }),
  rotateSecret: mutation(rotateWebhookSecret, { lock: 'schema', with: webhookServices }),
  test: mutation(testWebhook, { inParts: true, with: webhookServices }),
  listDeliveries: query(listWebhookDeliveries),
  redeliver: mutation(redeliverWebhook),
});
