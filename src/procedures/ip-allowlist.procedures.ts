import { ipAllowlist as contracts } from '../../contracts/management/ip-allowlist.contract.js';
import {
  createIpRule,
  deleteIpRule,
  getIpRule,
  listIpRules,
  updateIpAllowlist,
  updateIpRule,
} from '../features/ip-allowlist/index.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const ipAllowlist = bind(contracts, {
  list: query(listIpRules),
  create: mutation(createIpRule, { lock: 'schema' }),
  set: mutation(updateIpAllowlist, { lock: 'schema' }),
  get: query(getIpRule),
  update: mutation(updateIpRule, { lock: 'schema' }),
  delete: mutation(deleteIpRule, { lock: 'schema' }),
});
