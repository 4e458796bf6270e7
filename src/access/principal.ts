import type { Grant } from './grants.js';
import type { KeyAction, KeyType } from '../../contracts/resources/api-key.js';

/** Delivery without a credential. */
interface AnonymousPrincipal {
  readonly kind: 'anonymous';
}

/** An API key that is active. */
export interface KeyPrincipal {
  readonly kind: 'api_key';
  readonly id: string;
  readonly name: string;
  readonly type: KeyType;
  readonly tenantId: string;
  readonly projectId: string;
  /** Permitted actions; empty means all of them (specification 5 rule 4). */
  readonly permissions: readonly KeyAction[];
  /** Sites the key may write to; empty means all. */
  readonly siteIds: readonly string[];
  /** Environment the key is bound to, if any. */
  readonly environmentId: string | null;
  readonly expiresAt: Date | null;
  /** Requests per minute; null: the default of the type. */
  readonly rateLimit: number | null;
  /** Networks that the key may be used from; empty means all. */
  readonly ipAllowlist: readonly string[];
  readonly isDraftOnly: boolean;
  /** Agents with this key confirm what the public sees or what cannot be undone. */
  readonly requireConfirmation: boolean;
}

/** A person with a session. */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly id: string;
  readonly name: string;
  readonly tenantId: string | null;
  readonly isSuperAdmin: boolean;
  /** The project of the call, where the user is a member of it. */
  readonly projectId: string | null;
  /** Grants in that project; null permits everything. */
  readonly grants: readonly Grant[] | null;
}

export type Principal = AnonymousPrincipal | KeyPrincipal | UserPrincipal;

/** The surface through which a call came. */
export type Surface = 'rest' | 'trpc' | 'graphql' | 'mcp';

/** Whether delivery shows drafts to this principal (decisions 2.2). */
export function seesDrafts(principal: Principal): boolean {
  return principal.kind === 'api_key' && principal.type !== 'delivery';
}

/**
 * Resolves the environment of a call, by id: the one that the key is bound to; null for the project's
 * default. Nothing else chooses an environment.
 */
export const environmentOfCall = (principal: Principal): string | null =>
  principal.kind === 'api_key' ? principal.environmentId : null;
