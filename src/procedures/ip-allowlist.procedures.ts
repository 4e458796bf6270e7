import { ipAllowlist as contracts } from '../../contracts/management/ip-allowlist.contract.js';
import { createIpRule } from '../features/ip-allowlist/create-ip-rule.js';
import { deleteIpRule } from '../features/ip-allowlist/delete-ip-rule.js';
import { getIpRule } from '../features/ip-allowlist/get-ip-rule.js';
import { listIpRules } from '../features/ip-allowlist/list-ip-rules.js';
import { updateIpAllowlist } from '../features/ip-allowlist/update-ip-allowlist.js';
import { updateIpRule } from '../features/ip-allowlist/update-ip-rule.js';
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
