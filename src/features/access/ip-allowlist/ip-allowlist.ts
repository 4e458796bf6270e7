import { AppError, invalidInput } from '../../../../contracts/errors.js';
import {
  guardedInterfaces,
  type IpAllowlistSettings,
  type IpRule,
  type IpRuleList,
  type ipAllowlist,
} from '../../../../contracts/access/ip-allowlist/ip-allowlist.contract.js';
import { limits } from '../../../../contracts/limits.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { listEnvelope, type Deleted } from '../../../../contracts/envelopes.js';
import { isAddressAllowed, networkIssues } from '../../../access/address-rules.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { definedKeys, hasChanges } from '../../shared/lists.js';
import { IpRuleRepository, type AllowlistRow, type IpRuleRow } from './ip-rule.repository.js';

/** @throws AppError 422 for an invalid network */
function assertNetwork(cidr: string): void {
  const issues = networkIssues(['cidr'], cidr);
  if (issues.length > 0) throw invalidInput(...issues);
}

/** @throws AppError 422 for a time in the past */
function parseExpiry(expiresAt: string | null, now: Date): Date | null {
  if (expiresAt === null) return null;
  const time = new Date(expiresAt);
  if (time > now) return time;
  throw invalidInput({ path: ['expiresAt'], code: 'in_the_past', message: 'Must be in the future.' });
}

/**
 * The caller must still be admitted after a change.
 * @throws AppError 409 `ip_lockout`
 */
function assertNoLockout(
  { scope, now }: UnitOfWork,
  { isEnabled, appliesTo }: AllowlistRow,
  rules: readonly IpRuleRow[],
): void {
  if (scope.isSuperAdmin === true) return;
  const networks = rules.filter(({ isActive }) => isActive);
  const call = { address: scope.origin.ip, guarded: 'management', now } as const;
  if (!isAddressAllowed({ isEnabled, appliesTo, networks }, call))
    throw new AppError('ip_lockout', { address: scope.origin.ip });
}

function presentIpRule(row: IpRuleRow): IpRule {
  return {
    id: row.id,
    cidr: row.cidr,
    label: row.label,
    isActive: row.isActive,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function presentSettings({ isEnabled, appliesTo }: AllowlistRow): IpAllowlistSettings {
  return { enabled: isEnabled, appliesTo: [...appliesTo] };
}

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

export async function getIpRule(
  work: UnitOfWork,
  { id }: InputOf<typeof ipAllowlist.get>,
): Promise<{ data: IpRule }> {
  return { data: presentIpRule(await work.use(IpRuleRepository).find(id)) };
}

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
