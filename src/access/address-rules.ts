import type { Audience } from '../../contracts/metadata.js';
import type { AddressRules, GuardedInterface } from '../../contracts/resources/ip-allowlist.js';
import type { Surface } from './principal.js';
import { isWithin } from './networks.js';

/** The interface that a call belongs to, as allowlists name it; platform and sessions belong to no project. */
export function guardedInterface(audience: Audience, surface: Surface): GuardedInterface | undefined {
  if (surface === 'mcp' || surface === 'graphql') return surface;
  return audience === 'management' || audience === 'delivery' ? audience : undefined;
}

export interface AddressedCall {
  /** Null where it is unknown; no rule matches then. */
  readonly address: string | null;
  readonly guarded: GuardedInterface;
  readonly now: Date;
}

/**
 * Whether a project's allowlist admits a call (decisions 2.26). Super-admins are exempt; the caller checks that.
 */
export function isAddressAllowed(rules: AddressRules, { address, guarded, now }: AddressedCall): boolean {
  if (!rules.isEnabled || !rules.appliesTo.includes(guarded)) return true;
  return rules.networks.some(
    ({ cidr, expiresAt }) => (expiresAt === null || expiresAt > now) && isWithin([cidr], address),
  );
}
