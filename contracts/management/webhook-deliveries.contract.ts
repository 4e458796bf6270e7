import { z } from 'zod';
import { cursorListOf, dataOf } from '../envelopes.js';
import { inProject, management, managementRoute } from '../operation.js';
import { inPath, paging } from '../primitives.js';
import { deliveryStatuses, WebhookDelivery, WebhookTestResult } from '../resources/webhook-delivery.js';
import { TEST_EVENT, WebhookEventName } from '../resources/webhook-event.js';

const tags = ['Webhooks'];
const id = inPath('Id of the webhook.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');

/** Sends a webhook a sample of an event, now. */
export const testWebhook = management({
  openapi: managementRoute('POST', '/webhooks/{id}/test', {
    summary: 'Test a webhook',
    description:
      'Sends a sample of an event and answers what came of it: 200 also where the target fails. It is tried once, also where the webhook is switched off.',
    tags,
  }),
  resource: 'webhooks',
  action: 'update',
  errors: ['webhook_not_found'],
})
  .input(inProject({ id, event: WebhookEventName.default(TEST_EVENT) }))
  .output(dataOf(WebhookTestResult));

/** Lists what a webhook was told. */
export const listWebhookDeliveries = management({
  openapi: managementRoute('GET', '/webhooks/{id}/deliveries', {
    summary: 'List deliveries of a webhook',
    description: 'What the webhook was told in the last 30 days, the latest first.',
    tags,
  }),
  resource: 'webhooks',
  action: 'read',
  errors: ['webhook_not_found'],
})
  .input(
    inProject({
      id,
      cursor: z
        .string()
        .max(200)
        .optional()
        .meta({ description: '`meta.nextCursor` of the page before.', example: 'MDE5YTNiNWU' }),
      limit: paging.limit,
      status: z
        .enum(deliveryStatuses)
        .optional()
        .meta({ description: 'Keeps deliveries that have come this far.', example: 'failed' }),
    }),
  )
  .output(cursorListOf(WebhookDelivery));

/** Tells a webhook once more. */
export const redeliverWebhook = management({
  openapi: managementRoute('POST', '/webhooks/{id}/deliveries/{deliveryId}/redeliver', {
    summary: 'Deliver once more',
    description:
      'Tells the webhook the same events once more, under the same ids, with all attempts before it. Answers the new delivery.',
    tags,
  }),
  resource: 'webhooks',
  action: 'update',
  errors: ['webhook_not_found', 'delivery_not_found'],
})
  .input(inProject({ id, deliveryId: inPath('Id of the delivery.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a70') }))
  .output(dataOf(WebhookDelivery));
