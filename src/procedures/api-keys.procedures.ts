import { apiKeys as contracts } from '../../contracts/management/api-keys.contract.js';
import { createApiKey } from '../features/api-keys/create-api-key.js';
import { getApiKey } from '../features/api-keys/get-api-key.js';
import { listApiKeys } from '../features/api-keys/list-api-keys.js';
import { revokeApiKey } from '../features/api-keys/revoke-api-key.js';
import { rotateApiKey } from '../features/api-keys/rotate-api-key.js';
import { updateApiKey } from '../features/api-keys/update-api-key.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const apiKeys = bind(contracts, {
  list: query(listApiKeys),
  create: mutation(createApiKey, { lock: 'schema' }),
  get: query(getApiKey),
  update: mutation(updateApiKey, { lock: 'schema' }),
  rotate: mutation(rotateApiKey, { lock: 'schema' }),
  revoke: mutation(revokeApiKey, { lock: 'schema' }),
});
