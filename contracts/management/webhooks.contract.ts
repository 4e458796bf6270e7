import { z } from 'zod';
import { cursorListOf, dataOf, Deleted, listOf } from '../envelopes.js';
import { limits } from '../limits.js';
import { inPath, nameContains, orderBy, paging } from '../primitives.js';
import { management } from '../procedure.js';
import { deliveryStatuses, WebhookDelivery, WebhookTestResult } from '../resources/webhook-delivery.js';
import { TEST_EVENT, WebhookEventName } from '../resources/webhook-event.js';
import { Webhook, webhookChange, webhookInput, WebhookWithSecret } from '../resources/webhook.js';
import { inProject, managementRoute } from '../routes.js';

const tags = ['Webhooks'];
const id = inPath('Id of the webhook.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');

const headers = { 'headers[].value': 'secret header of a webhook' } as const;

export const webhooks = {
  list: management({
    openapi: managementRoute('GET', '/webhooks', {
      summary: 'List webhooks',
      description: 'Webhooks without their secrets, by default the last changed first.',
      tags,
    }),
    resource: 'webhooks',
    action: 'read',
  })
    .input(
      inProject({
        ...paging,
        orderBy: orderBy(['createdAt', 'updatedAt', 'name'], 'updatedAt:desc'),
        enabled: z
          .boolean()
          .optional()
          .meta({ description: 'Keeps webhooks that are switched on, or off.', example: true }),
        q: nameContains,
      }),
    )
    .output(listOf(Webhook)),

  create: management({
    openapi: managementRoute('POST', '/webhooks', {
      summary: 'Create a webhook',
      description: `Tells an address of events, at least once each, signed after Standard Webhooks. The secret is answered once. At most ${limits.webhooksPerProject} in a project.`,
      tags,
      success: { status: 201, location: '/webhooks/{id}' },
    }),
    resource: 'webhooks',
    action: 'create',
    secrets: { input: headers, output: { 'data.secret': 'webhook secret' } },
    errors: ['webhook_url_refused', 'limit_reached'],
  })
    .input(inProject(webhookInput))
    .output(dataOf(WebhookWithSecret)),

  get: management({
    openapi: managementRoute('GET', '/webhooks/{id}', {
      summary: 'Get a webhook',
      description: 'Returns one webhook without its secret.',
      tags,
    }),
    resource: 'webhooks',
    action: 'read',
    errors: ['webhook_not_found'],
  })
    .input(inProject({ id }))
    .output(dataOf(Webhook)),

  update: management({
    openapi: managementRoute('PUT', '/webhooks/{id}', {
      summary: 'Update a webhook',
      description:
        'Changes the keys that are given. Switching it on again after the service has disabled it forgets the failures, and what waits is sent.',
      tags,
    }),
    resource: 'webhooks',
    action: 'update',
    secrets: { input: headers },
    errors: ['webhook_not_found', 'webhook_url_refused', 'no_update_fields'],
  })
    .input(inProject({ id, ...webhookChange }))
    .output(dataOf(Webhook)),

  delete: management({
    openapi: managementRoute('DELETE', '/webhooks/{id}', {
      summary: 'Delete a webhook',
      description: 'Deletes a webhook; what waits for it is not sent any more.',
      tags,
    }),
    resource: 'webhooks',
    action: 'delete',
    errors: ['webhook_not_found'],
  })
    .input(inProject({ id }))
    .output(dataOf(Deleted)),

  rotateSecret: management({
    openapi: managementRoute('POST', '/webhooks/{id}/rotate-secret', {
      summary: 'Rotate the secret of a webhook',
      description:
        'Answers a new secret once. Until the overlap ends every call carries a signature by each of both, so that the target can change over meanwhile.',
      tags,
    }),
    resource: 'webhooks',
    action: 'update',
    secrets: { output: { 'data.secret': 'webhook secret' } },
    errors: ['webhook_not_found'],
  })
    .input(
      inProject({
        id,
        overlapSeconds: z.int().min(0).max(limits.secretOverlapSeconds).default(86_400).meta({
          description: 'How long the former secret goes on signing.',
          example: 86_400,
        }),
      }),
    )
    .output(dataOf(WebhookWithSecret)),

  test: management({
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
    .output(dataOf(WebhookTestResult)),

  listDeliveries: management({
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
    .output(cursorListOf(WebhookDelivery)),

  redeliver: management({
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
    .input(
      inProject({ id, deliveryId: inPath('Id of the delivery.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a70') }),
    )
    .output(dataOf(WebhookDelivery)),
};
