import { crudOf } from '../../crud.js';
import { z } from 'zod';
import { cursorListOf, dataOf, dataWithWarnings, Deleted, listOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { inPath, nameContains, orderBy, paging, timeFilters } from '../../primitives.js';
import { management } from '../../procedure.js';
import {
  deliveryStatuses,
  WebhookDelivery,
  WebhookTestResult,
  Webhook,
  webhookChange,
  webhookInput,
  WebhookWithSecret,
} from './webhook.js';
import { inProject, managementRoute } from '../../routes.js';
import { TEST_EVENT, WebhookEventName, WebhookEventPattern } from '../../registry/operation-names.js';

const tags = ['Webhooks'];
const id = inPath('Id of the webhook.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');

const headers = { 'headers[].value': 'secret header of a webhook' } as const;

const crud = crudOf({
  path: '/webhooks',
  key: 'id',
  resource: 'webhooks',
  tags,
  notFound: 'webhook_not_found',
});

export const webhooks = {
  list: crud
    .list({
      summary: 'List webhooks',
      description: 'Returns webhooks without their secrets, most recently updated first by default.',
    })
    .input(
      inProject({
        ...paging,
        orderBy: orderBy(['createdAt', 'updatedAt', 'name'], 'updatedAt:desc'),
        enabled: z
          .boolean()
          .optional()
          .meta({ description: 'Filter by whether the webhook is enabled.', example: true }),
        q: nameContains,
      }),
    )
    .output(listOf(Webhook)),

  create: crud
    .create({
      summary: 'Create a webhook',
      description: `Sends events to a URL, at least once each, signed according to Standard Webhooks. The secret is returned only on creation. At most ${limits.webhooksPerProject} per project.`,
      secrets: { input: headers, output: { 'data.secret': 'webhook secret' } },
      errors: ['webhook_url_refused', 'limit_reached'],
    })
    .input(inProject(webhookInput(WebhookEventPattern)))
    .output(dataOf(WebhookWithSecret)),

  get: crud
    .get({
      summary: 'Get a webhook',
      description: 'Returns one webhook without its secret.',
    })
    .input(inProject({ id }))
    .output(dataOf(Webhook)),

  update: crud
    .update({
      summary: 'Update a webhook',
      description:
        'Updates the given properties. Enabling a webhook that the service disabled resets its failures and sends pending deliveries. A URL of another origin removes the secret headers whose values are not sent again; `meta.warnings` names them.',
      secrets: { input: headers },
      confirmation: { given: ['url'] },
      errors: ['webhook_url_refused'],
    })
    .input(inProject({ id, ...webhookChange(WebhookEventPattern) }))
    .output(dataWithWarnings(Webhook)),

  delete: crud
    .delete({
      summary: 'Delete a webhook',
      description: 'Deletes a webhook and discards its pending deliveries.',
    })
    .input(inProject({ id }))
    .output(dataOf(Deleted)),

  adopt: management({
    openapi: managementRoute('POST', '/webhooks/{id}/adopt', {
      summary: 'Adopt a webhook',
      description:
        'Makes the webhook of an API key yours, so that it works although the key has expired or was revoked, and sends its pending deliveries.',
      tags,
    }),
    resource: 'webhooks',
    action: 'update',
    sessionOnly: true,
    errors: ['webhook_not_found'],
  })
    .input(inProject({ id }))
    .output(dataOf(Webhook)),

  rotateSecret: management({
    openapi: managementRoute('POST', '/webhooks/{id}/rotate-secret', {
      summary: 'Rotate the secret of a webhook',
      description:
        'Returns a new secret once. During the overlap every request has signatures by both secrets, so that the receiver can switch over.',
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
          description: 'Seconds during which the previous secret still signs requests.',
          example: 86_400,
        }),
      }),
    )
    .output(dataOf(WebhookWithSecret)),

  test: management({
    openapi: managementRoute('POST', '/webhooks/{id}/test', {
      summary: 'Test a webhook',
      description:
        'Sends a sample event once and returns the result, even if the webhook is disabled. The status is 200 even if the target fails.',
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
      description: 'Returns the deliveries of the last 30 days, latest first.',
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
          .meta({ description: '`meta.nextCursor` of the previous page.', example: 'MDE5YTNiNWU' }),
        limit: paging.limit,
        status: z
          .enum(deliveryStatuses)
          .optional()
          .meta({ description: 'Filter by status.', example: 'failed' }),
        event: WebhookEventName.optional().meta({
          description: 'Filter by deliveries with an event of this name, alone or in a batch.',
          example: 'entry.published',
        }),
        ...timeFilters('deliveries made'),
      }),
    )
    .output(cursorListOf(WebhookDelivery)),

  redeliver: management({
    openapi: managementRoute('POST', '/webhooks/{id}/deliveries/{deliveryId}/redeliver', {
      summary: 'Redeliver events',
      description:
        'Sends the same events with the same ids again as a new delivery with a full set of attempts. Returns the new delivery.',
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
