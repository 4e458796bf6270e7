import type { Grant } from './grants.js';
import type { KeyAction, KeyType } from '../../contracts/resources/api-key.js';

/** Delivery without a credential. */
interface AnonymousPrincipal {
  readonly kind: 'anonymous';
}

/** An active API key. */
export interface KeyPrincipal {
  readonly kind: 'api_key';
  readonly id: string;
  readonly name: string;
  readonly type: KeyType;
  readonly tenantId: string;
  readonly projectId: string;
  /** Empty means all (specification 5 rule 4). */
  readonly permissions: readonly KeyAction[];
  /** Writable sites; empty means all. */
  readonly siteIds: readonly string[];
  readonly environmentId: string | null;
  readonly expiresAt: Date | null;
  /** Requests per minute; null: the default of the type. */
  readonly rateLimit: number | null;
  /** Permitted networks; empty means all. */
  readonly ipAllowlist: readonly string[];
  readonly isDraftOnly: boolean;
  /** Calls that are public or irreversible must be confirmed. */
  readonly requireConfirmation: boolean;
}

export interface UserPrincipal {
  readonly kind: 'user';
  readonly id: string;
  readonly name: string;
  readonly tenantId: string | null;
  readonly isSuperAdmin: boolean;
  /** Null unless the user is a member of the project of the call. */
  readonly projectId: string | null;
  /** In that project; null permits everything. */
  readonly grants: readonly Grant[] | null;
  /** In that project. */
  readonly roleIds: readonly string[];
}

export type Principal = AnonymousPrincipal | KeyPrincipal | UserPrincipal;

export type Surface = 'rest' | 'trpc' | 'graphql' | 'mcp';

/** Whether delivery shows drafts (decisions 2.2). */
export function seesDrafts(principal: Principal): boolean {
  return principal.kind === 'api_key' && principal.type !== 'delivery';
}

/** The only choice of an environment, by id; null: the project's default. */
export const environmentOfCall = (principal: Principal): string | null =>
  principal.kind === 'api_key' ? principal.environmentId : null;
