import type { Audience } from '../../contracts/metadata.js';
import type { AddressRules, GuardedInterface } from '../../contracts/resources/ip-allowlist.js';
import type { Surface } from './principal.js';
import { isWithin } from './networks.js';

/** The interface that a call belongs to, as allowlists name it; platform and sessions belong to no project. */
export function guardedInterface(audience: Audience, surface: Surface): GuardedInterface | undefined {
  if (surface === 'mcp' || surface === 'graphql') return surface;
  return audience === 'management' || audience === 'delivery' ? audience : undefined;
}

/** Where a call comes from, and what it wants. */
export interface AddressedCall {
  /** Null where it is not known; no rule holds it. */
  readonly address: string | null;
  readonly guarded: GuardedInterface;
  readonly now: Date;
}

/**
 * Whether a project's allowlist lets a call in (decisions 2.26). Needs nothing but memory, so every
 * request can ask; super-admins need not.
 */
export function isAddressAllowed(rules: AddressRules, { address, guarded, now }: AddressedCall): boolean {
  if (!rules.isEnabled || !rules.appliesTo.includes(guarded)) return true;
  return rules.networks.some(
    ({ cidr, expiresAt }) => (expiresAt === null || expiresAt > now) && isWithin([cidr], address),
  );
}
