import type { Audience } from '../../contracts/metadata.js';
import type { AddressRules, GuardedInterface } from '../../contracts/resources/ip-allowlist.js';
import type { Surface } from './principal.js';
import { isWithin } from './networks.js';

/** The interface that allowlists name; undefined outside projects. */
export function guardedInterface(audience: Audience, surface: Surface): GuardedInterface | undefined {
  if (surface === 'mcp' || surface === 'graphql') return surface;
  return audience === 'management' || audience === 'delivery' ? audience : undefined;
}

export interface AddressedCall {
  /** Null if unknown; no rule matches then. */
  readonly address: string | null;
  readonly guarded: GuardedInterface;
  readonly now: Date;
}

/** Applies a project's allowlist (decisions 2.26). The caller exempts super-admins. */
export function isAddressAllowed(rules: AddressRules, { address, guarded, now }: AddressedCall): boolean {
  if (!rules.isEnabled || !rules.appliesTo.includes(guarded)) return true;
  return rules.networks.some(
    ({ cidr, expiresAt }) => (expiresAt === null || expiresAt > now) && isWithin([cidr], address),
  );
}
