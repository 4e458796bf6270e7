import { webhooks as webhooksContracts } from '../../contracts/operations/webhooks/webhooks.contract.js';
import {
  adoptWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  updateWebhook,
  rotateWebhookSecret,
} from '../features/operations/webhooks/manage/webhooks.js';
import {
  listWebhookDeliveries,
  redeliverWebhook,
  testWebhook,
} from '../features/operations/webhooks/manage/deliveries.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';
import type { Services } from './services.js';

const webhookServices = (services: Services) => services.webhooks;

export const webhooks = bind(webhooksContracts, {
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
