export { createIpRule } from './create-ip-rule.js';
export { deleteIpRule } from './delete-ip-rule.js';
export { getIpRule } from './get-ip-rule.js';
export { listIpRules } from './list-ip-rules.js';
export { updateIpAllowlist } from './update-ip-allowlist.js';
export { updateIpRule } from './update-ip-rule.js';
