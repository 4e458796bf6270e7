import { AppError, invalidInput } from '../../../contracts/errors.js';
import { isAddressAllowed } from '../../access/address-rules.js';
import { networkProblem } from '../../access/networks.js';
import type { UnitOfWork } from '../../persistence/unit-of-work.js';
import type { AllowlistRow, IpRuleRow } from './ip-rule.repository.js';

/** @throws AppError 422 for a text that names no network */
export function assertNetwork(cidr: string): void {
  const problem = networkProblem(cidr);
  if (problem === undefined) return;
  const message =
    problem.kind === 'malformed'
      ? 'Must be an IPv4 or IPv6 address, or a network such as 203.0.113.0/24.'
      : `The address has bits beyond the prefix: the network is ${problem.hint}.`;
  throw invalidInput({ path: ['cidr'], code: 'invalid_cidr', message });
}

/** @throws AppError 422 for a time that is past */
export function expiryOf(expiresAt: string | null, now: Date): Date | null {
  if (expiresAt === null) return null;
  const time = new Date(expiresAt);
  if (time > now) return time;
  throw invalidInput({ path: ['expiresAt'], code: 'in_the_past', message: 'Must be in the future.' });
}

/**
 * Nobody locks the door behind which the key lies: after a change the caller must still be let in.
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
