import { listEnvelope } from '../../../contracts/envelopes.js';
import type { ipAllowlist } from '../../../contracts/management/ip-allowlist.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { IpRuleList } from '../../../contracts/resources/ip-allowlist.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { presentIpRule, presentSettings } from './ip-rule.presenter.js';
import { IpRuleRepository } from './ip-rule.repository.js';

export async function listIpRules(
  work: UnitOfWork,
  input: InputOf<typeof ipAllowlist.list>,
): Promise<IpRuleList> {
  const rules = work.use(IpRuleRepository);
  const { items, total } = await rules.list(input);
  const settings = presentSettings(await rules.settings());
  const { data, meta } = listEnvelope({ items: items.map(presentIpRule), total }, input);
  return { data, meta: { ...meta, settings } };
}
