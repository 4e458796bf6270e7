import type { ipAllowlist } from '../../../contracts/management/ip-allowlist.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { IpRule } from '../../../contracts/resources/ip-allowlist.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { presentIpRule } from './ip-rule.presenter.js';
import { IpRuleRepository } from './ip-rule.repository.js';

export async function getIpRule(
  work: UnitOfWork,
  { id }: InputOf<typeof ipAllowlist.get>,
): Promise<{ data: IpRule }> {
  return { data: presentIpRule(await work.use(IpRuleRepository).find(id)) };
}
