import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { ipAllowlist } from '../../../contracts/management/ip-allowlist.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { IpRule } from '../../../contracts/resources/ip-allowlist.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { assertNetwork, parseExpiry } from './ip-rule.policy.js';
import { presentIpRule } from './ip-rule.presenter.js';
import { IpRuleRepository, type IpRuleRow } from './ip-rule.repository.js';

/** A new rule only admits more callers, so it cannot lock anyone out. */
export async function createIpRule(
  work: UnitOfWork,
  input: InputOf<typeof ipAllowlist.create>,
): Promise<{ data: IpRule }> {
  assertNetwork(input.cidr);
  const rules = work.use(IpRuleRepository);
  if ((await rules.count()) >= limits.ipRulesPerProject)
    throw new AppError('limit_reached', { limit: limits.ipRulesPerProject });
  const rule: IpRuleRow = {
    id: work.newId(),
    cidr: input.cidr,
    label: input.label ?? null,
    isActive: input.isActive ?? true,
    expiresAt: parseExpiry(input.expiresAt ?? null, work.now),
    createdAt: work.now,
    createdBy: work.scope.actor,
    updatedAt: work.now,
  };
  await rules.insert(rule);
  return { data: presentIpRule(rule) };
}
