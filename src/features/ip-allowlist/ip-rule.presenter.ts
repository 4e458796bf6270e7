import type { IpAllowlistSettings, IpRule } from '../../../contracts/resources/ip-allowlist.js';
import type { AllowlistRow, IpRuleRow } from './ip-rule.repository.js';

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
