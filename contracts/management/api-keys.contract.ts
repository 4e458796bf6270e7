import { z } from 'zod';
import { dataOf, listOf } from '../envelopes.js';
import { inProject, management, managementRoute } from '../operation.js';
import { inPath, nameContains, orderBy, paging, Timestamp } from '../primitives.js';
import { ApiKey, apiKeyInput, CreatedApiKey } from '../resources/api-key.js';

const tags = ['API keys'];

/** Lists the keys of the project, revoked ones included. */
export const listApiKeys = management({
  openapi: managementRoute('GET', '/api-keys', {
    summary: 'List API keys',
    description: 'Keys without their secrets, by default the last changed first.',
    tags,
  }),
  resource: 'apiKeys',
  action: 'read',
})
  .input(
    inProject({
      ...paging,
      orderBy: orderBy(['createdAt', 'updatedAt', 'name'], 'updatedAt:desc'),
      q: nameContains,
    }),
  )
  .output(listOf(ApiKey));

/** Creates a key; the secret is in this answer and nowhere else. */
export const createApiKey = management({
  openapi: managementRoute('POST', '/api-keys', {
    summary: 'Create an API key',
    description:
      'Creates a key and answers its secret once. A key cannot be given actions that its creator lacks.',
    tags,
    success: { status: 201, location: '/api-keys/{id}' },
  }),
  resource: 'apiKeys',
  action: 'create',
  errors: ['site_not_found', 'environment_not_found', 'limit_reached'],
})
  .input(inProject(apiKeyInput))
  .output(dataOf(CreatedApiKey));

/** Revokes a key at once; its row stays for the record. */
export const revokeApiKey = management({
  openapi: managementRoute('DELETE', '/api-keys/{id}', {
    summary: 'Revoke an API key',
    description: 'Revokes the key at once. Revoking it again changes nothing.',
    tags,
  }),
  resource: 'apiKeys',
  action: 'delete',
  errors: ['api_key_not_found'],
})
  .input(inProject({ id: inPath('Id of the key.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69') }))
  .output(
    dataOf(
      z
        .object({ id: z.string(), revokedAt: Timestamp })
        .meta({ id: 'RevokedApiKey', description: 'What was revoked, and when.' }),
    ),
  );
