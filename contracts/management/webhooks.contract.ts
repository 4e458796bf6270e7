import { z } from 'zod';
import { dataOf, Deleted, listOf } from '../envelopes.js';
import { limits } from '../limits.js';
import { inProject, management, managementRoute } from '../operation.js';
import { inPath, nameContains, orderBy, paging } from '../primitives.js';
import { Webhook, webhookChange, webhookInput, WebhookWithSecret } from '../resources/webhook.js';

const tags = ['Webhooks'];
const id = inPath('Id of the webhook.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');

/** Lists the webhooks of the project. */
export const listWebhooks = management({
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
  .output(listOf(Webhook));

/** Creates a webhook; its secret is in this answer and nowhere else. */
export const createWebhook = management({
  openapi: managementRoute('POST', '/webhooks', {
    summary: 'Create a webhook',
    description: `Tells an address of events, at least once each, signed after Standard Webhooks. The secret is answered once. At most ${limits.webhooksPerProject} in a project.`,
    tags,
    success: { status: 201, location: '/webhooks/{id}' },
  }),
  resource: 'webhooks',
  action: 'create',
  errors: ['webhook_url_refused', 'limit_reached'],
})
  .input(inProject(webhookInput))
  .output(dataOf(WebhookWithSecret));

/** Changes a webhook. */
export const updateWebhook = management({
  openapi: managementRoute('PUT', '/webhooks/{id}', {
    summary: 'Update a webhook',
    description:
      'Changes the keys that are given. Switching it on again after the service has disabled it forgets the failures, and what waits is sent.',
    tags,
  }),
  resource: 'webhooks',
  action: 'update',
  errors: ['webhook_not_found', 'webhook_url_refused', 'no_update_fields'],
})
  .input(inProject({ id, ...webhookChange }))
  .output(dataOf(Webhook));

/** Deletes a webhook. */
export const deleteWebhook = management({
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
  .output(dataOf(Deleted));

/** Gives a webhook another secret. */
export const rotateWebhookSecret = management({
  openapi: managementRoute('POST', '/webhooks/{id}/rotate-secret', {
    summary: 'Rotate the secret of a webhook',
    description:
      'Answers a new secret once. Until the overlap ends every call carries a signature by each of both, so that the target can change over meanwhile.',
    tags,
  }),
  resource: 'webhooks',
  action: 'update',
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
  .output(dataOf(WebhookWithSecret));
