import { webhooks as contracts } from '../../contracts/management/webhooks.contract.js';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhookDeliveries,
  listWebhooks,
  redeliverWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '../features/webhooks/index.js';
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
  rotateSecret: mutation(rotateWebhookSecret, { lock: 'schema', with: webhookServices }),
  test: mutation(testWebhook, { inParts: true, with: webhookServices }),
  listDeliveries: query(listWebhookDeliveries),
  redeliver: mutation(redeliverWebhook),
});
