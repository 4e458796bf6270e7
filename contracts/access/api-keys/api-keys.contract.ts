import { crudOf } from '../../crud.js';
import { z } from 'zod';
import { dataOf, listOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { inPath, namedPaging, Timestamp } from '../../primitives.js';
import { management } from '../../procedure.js';
import { ApiKey, apiKeyChange, apiKeyInput, CreatedApiKey } from './api-key.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['API keys'];
const id = inPath('Id of the key.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');

const crud = crudOf({
  path: '/api-keys',
  key: 'id',
  resource: 'apiKeys',
  tags,
  notFound: 'api_key_not_found',
});

export const apiKeys = {
  list: crud
    .list({
      summary: 'List API keys',
      description: 'Returns API keys without their secrets, most recently updated first by default.',
    })
    .input(
      inProject({
        ...namedPaging,
      }),
    )
    .output(listOf(ApiKey)),

  create: crud
    .create({
      summary: 'Create an API key',
      description:
        'Creates a key. The secret is returned only on creation. A key cannot have permissions that its creator does not have.',
      events: ['api_key.created'],
      secrets: { output: { 'data.secret': 'API key' } },
      errors: ['site_not_found', 'environment_not_found', 'limit_reached', 'privilege_escalation'],
    })
    .input(inProject(apiKeyInput))
    .output(dataOf(CreatedApiKey)),

  get: crud
    .get({
      summary: 'Get an API key',
      description: 'Returns one API key without its secret. Includes revoked keys.',
    })
    .input(inProject({ id }))
    .output(dataOf(ApiKey)),

  update: crud
    .update({
      summary: 'Update an API key',
      description:
        'Updates the given properties; null clears one. Type, actions, sites and environment cannot be changed. You cannot update a key that has permissions you do not have.',
      errors: ['api_key_inactive', 'privilege_escalation'],
    })
    .input(inProject({ id, ...apiKeyChange }))
    .output(dataOf(ApiKey)),

  rotate: management({
    openapi: managementRoute('POST', '/api-keys/{id}/rotate', {
      summary: 'Rotate an API key',
      description:
        'Replaces the secret of a key and returns the new one once. The previous secret remains valid for `overlapSeconds`; older secrets expire immediately. You cannot rotate a key that has permissions you do not have.',
      tags,
    }),
    resource: 'apiKeys',
    action: 'update',
    secrets: { output: { 'data.secret': 'API key' } },
    errors: ['api_key_not_found', 'api_key_inactive', 'privilege_escalation'],
  })
    .input(
      inProject({
        id,
        overlapSeconds: z
          .int()
          .min(0)
          .max(limits.secretOverlapSeconds)
          .default(0)
          .meta({ description: 'Seconds that the previous secret remains valid.', example: 3600 }),
      }),
    )
    .output(dataOf(CreatedApiKey)),

  revoke: management({
    openapi: managementRoute('DELETE', '/api-keys/{id}', {
      summary: 'Revoke an API key',
      description:
        'Revokes the key immediately. Revoking it again has no effect. You cannot revoke a key that has permissions you do not have.',
      tags,
    }),
    resource: 'apiKeys',
    action: 'delete',
    events: ['api_key.revoked'],
    confirmation: 'always',
    errors: ['api_key_not_found', 'privilege_escalation'],
  })
    .input(inProject({ id }))
    .output(
      dataOf(
        z
          .object({ id: z.string(), revokedAt: Timestamp })
          .meta({ id: 'RevokedApiKey', description: 'The revoked key.' }),
      ),
    ),
};
