import type { ipAllowlist } from '../../../contracts/management/ip-allowlist.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import { guardedInterfaces, type IpAllowlistSettings } from '../../../contracts/resources/ip-allowlist.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { definedKeys, hasChanges } from '../shared/index.js';
import { assertNoLockout } from './ip-rule.policy.js';
import { presentSettings } from './ip-rule.presenter.js';
import { IpRuleRepository, type AllowlistRow } from './ip-rule.repository.js';

export async function updateIpAllowlist(
  work: UnitOfWork,
  input: InputOf<typeof ipAllowlist.set>,
): Promise<{ data: IpAllowlistSettings }> {
  const { projectSlug: _project, ...change } = input;
  const { enabled, appliesTo } = definedKeys(change);
  const rules = work.use(IpRuleRepository);
  const before = await rules.settings();
  const after: AllowlistRow = {
    isEnabled: enabled ?? before.isEnabled,
    appliesTo: guardedInterfaces.filter((one) => (appliesTo ?? before.appliesTo).includes(one)),
  };
  if (!hasChanges(before, after)) return { data: presentSettings(before) };
  assertNoLockout(work, after, await rules.all());
  await rules.saveSettings(before, after);
  return { data: presentSettings(after) };
}
