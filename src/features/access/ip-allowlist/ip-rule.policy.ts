import { AppError, invalidInput } from '../../../../contracts/errors.js';
import { isAddressAllowed, networkIssues } from '../../../access/address-rules.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { AllowlistRow, IpRuleRow } from './ip-rule.repository.js';
import type { IpAllowlistSettings, IpRule } from '../../../../contracts/access/ip-allowlist/ip-allowlist.js';

/** @throws AppError 422 for an invalid network */
export function assertNetwork(cidr: string): void {
  const issues = networkIssues(['cidr'], cidr);
  if (issues.length > 0) throw invalidInput(...issues);
}

/** @throws AppError 422 for a time in the past */
export function parseExpiry(expiresAt: string | null, now: Date): Date | null {
  if (expiresAt === null) return null;
  const time = new Date(expiresAt);
  if (time > now) return time;
  throw invalidInput({ path: ['expiresAt'], code: 'in_the_past', message: 'Must be in the future.' });
}

/**
 * The caller must still be admitted after a change.
 * @throws AppError 409 `ip_lockout`
 */
export function assertNoLockout(
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

export function presentIpRule(row: IpRuleRow): IpRule {
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

export function presentSettings({ isEnabled, appliesTo }: AllowlistRow): IpAllowlistSettings {
  return { enabled: isEnabled, appliesTo: [...appliesTo] };
}
