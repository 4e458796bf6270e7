import type { ipAllowlist } from '../../../contracts/management/ip-allowlist.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { IpRule } from '../../../contracts/resources/ip-allowlist.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { definedKeys, hasChanges } from '../shared/index.js';
import { assertNetwork, assertNoLockout, parseExpiry } from './ip-rule.policy.js';
import { presentIpRule } from './ip-rule.presenter.js';
import { IpRuleRepository } from './ip-rule.repository.js';

export async function updateIpRule(
  work: UnitOfWork,
  input: InputOf<typeof ipAllowlist.update>,
): Promise<{ data: IpRule }> {
  const { projectSlug: _project, id, ...change } = input;
  const { expiresAt, ...given } = definedKeys(change);
  if (given.cidr !== undefined) assertNetwork(given.cidr);
  const rules = work.use(IpRuleRepository);
  const before = await rules.find(id);
  const changes = {
    ...given,
    ...(expiresAt !== undefined && { expiresAt: parseExpiry(expiresAt, work.now) }),
  };
  if (!hasChanges(before, changes)) return { data: presentIpRule(before) };
  const after = { ...before, ...changes, updatedAt: work.now };
  await rules.save(before, after);
  assertNoLockout(work, await rules.settings(), await rules.all());
  return { data: presentIpRule(after) };
}
