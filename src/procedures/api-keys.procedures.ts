import { apiKeys as contracts } from '../../contracts/management/api-keys.contract.js';
import {
  createApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  updateApiKey,
} from '../features/api-keys/index.js';
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
