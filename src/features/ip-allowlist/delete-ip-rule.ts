import type { Deleted } from '../../../contracts/envelopes.js';
import type { ipAllowlist } from '../../../contracts/management/ip-allowlist.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { assertNoLockout } from './ip-rule.policy.js';
import { IpRuleRepository } from './ip-rule.repository.js';

export async function deleteIpRule(
  work: UnitOfWork,
  input: InputOf<typeof ipAllowlist.delete>,
): Promise<{ data: Deleted }> {
  const rules = work.use(IpRuleRepository);
  const rule = await rules.find(input.id);
  await rules.remove(rule);
  assertNoLockout(work, await rules.settings(), await rules.all());
  return { data: { id: rule.id, deleted: true } };
}
