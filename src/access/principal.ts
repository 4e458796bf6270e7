import type { Grant } from './grants.js';
import type { KeyAction, KeyType } from '../../contracts/access/api-keys/api-key.js';
import type { Toolset } from '../../contracts/rights.js';

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
  /** Empty means all (rule access/keys). */
  readonly permissions: readonly KeyAction[];
  /** Writable sites; empty means all. */
  readonly siteIds: readonly string[];
  /** The only one it may use. */
  readonly environmentId: string | null;
  /** The one it uses unless a call names another. */
  readonly selectedEnvironmentId: string | null;
  readonly expiresAt: Date | null;
  /** Requests per minute; null: the default of the type. */
  readonly rateLimit: number | null;
  /** Permitted networks; empty means all. */
  readonly ipAllowlist: readonly string[];
  readonly isDraftOnly: boolean;
  /** Groups of MCP tools; empty means all. */
  readonly toolsets: readonly Toolset[];
  /** Calls that are public or irreversible must be confirmed. */
  readonly requireConfirmation: boolean;
  /** The user whom the key of an OAuth client acts for. */
  readonly holderId: string | null;
  /** Present rights of that user, which bound those of the key; without them it has none. */
  readonly holder?: Pick<UserPrincipal, 'grants' | 'roleIds'> | undefined;
}

export interface UserPrincipal {
  readonly kind: 'user';
  readonly id: string;
  readonly name: string;
  readonly tenantId: string | null;
  readonly isSuperAdmin: boolean;
  /** Absent for sessions of identity providers, and for users who are identified otherwise. */
  readonly sessionId?: string | undefined;
  /** The personal key that acts as the user. */
  readonly personalKeyId?: string | undefined;
  /** Null unless the user is a member of the project of the call. */
  readonly projectId: string | null;
  /** Of that project, or a super-admin. */
  readonly isOwner: boolean;
  /** In that project; null permits everything. */
  readonly grants: readonly Grant[] | null;
  /** In that project: the environment of calls that name none. */
  readonly selectedEnvironmentId: string | null;
  /** In that project. */
  readonly roleIds: readonly string[];
}

/** The holder of the token of a preview session (rule publication/preview-sessions). */
export interface PreviewPrincipal {
  readonly kind: 'preview';
  /** Of the session. */
  readonly id: string;
  readonly maker: { readonly kind: 'user' | 'api_key'; readonly id: string; readonly name: string };
  readonly projectId: string;
  readonly environmentId: string;
  readonly siteId: string;
  /** Null: all that the site has. */
  readonly locales: readonly string[] | null;
  /** What it shows instead of drafts, if anything. */
  readonly future?: { readonly releaseId?: string | undefined; readonly at?: Date | undefined } | undefined;
}

export type Principal = AnonymousPrincipal | KeyPrincipal | UserPrincipal | PreviewPrincipal;

/** Whether it is a program with a secret, and no user who is logged in. */
export const isKey = (principal: Principal): boolean =>
  principal.kind === 'api_key' || (principal.kind === 'user' && principal.personalKeyId !== undefined);

export type Surface = 'rest' | 'trpc' | 'graphql' | 'mcp';

/** Whether delivery shows drafts (rule access/credentials). */
export function seesDrafts(principal: Principal): boolean {
  return principal.kind === 'preview' || isPrivilegedKey(principal);
}

/** Preview and management keys. */
export const isPrivilegedKey = (principal: Principal): boolean =>
  principal.kind === 'api_key' && principal.type !== 'delivery';

/** The environment that a key or preview session is bound to, by id. */
export const boundEnvironment = (principal: Principal): string | null =>
  principal.kind === 'api_key' || principal.kind === 'preview' ? principal.environmentId : null;

/** The environment of management calls that name none, by id; null: the project's default. */
export const selectedEnvironment = (principal: Principal): string | null =>
  principal.kind === 'api_key' || principal.kind === 'user' ? principal.selectedEnvironmentId : null;

/** Whether a call to delivery may name an environment: what others read is public and cached. */
export const choosesEnvironment = (principal: Principal): boolean =>
  principal.kind === 'user' || seesDrafts(principal);
