import type { Address, ProjectAddress } from './address.js';

/** The actor, as audit records and versions store it. */
export interface WorkActor {
  readonly type: 'user' | 'api_key' | 'system';
  readonly id: string | null;
  readonly name: string;
}

export interface WorkOrigin {
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string;
  readonly interface: 'management' | 'mcp' | 'system' | 'cli';
}

/** A grant of `src/access`. */
interface WorkGrant {
  readonly resource: string;
  readonly action: string;
  readonly scope: {
    readonly contentTypes?: readonly string[];
    readonly siteIds?: readonly string[];
    readonly locales?: readonly string[];
    readonly fields?: readonly string[];
    readonly environments?: readonly string[];
    readonly treeNodeIds?: readonly string[];
    readonly ownOnly?: true;
    readonly draftsOnly?: true;
    readonly siteTreesOnly?: true;
    readonly duringWrites?: true;
  };
}

/** Limits of the calling key; a key or role that it gives is limited at least as much. */
export interface KeyBounds {
  /** Null means all. */
  readonly permissions: readonly string[] | null;
  /** Sites that it may write to; empty means all. */
  readonly siteIds: readonly string[];
  readonly environmentId: string | null;
  readonly expiresAt: Date | null;
  /** Networks that it may be used from; empty means all. */
  readonly ipAllowlist: readonly string[];
  readonly isDraftOnly: boolean;
  /** Agents confirm what the public sees or what cannot be undone. */
  readonly requiresConfirmation: boolean;
}

/** The scope of a unit of work: address, actor and origin. It touches no row outside. */
export interface WorkScope {
  readonly tenantId: string | null;
  readonly projectId: string | null;
  readonly projectSlug: string | null;
  readonly environmentId: string | null;
  readonly environmentSlug: string | null;
  /** Sees every tenant: super-admins on platform operations, logins and background work. */
  readonly isPlatform: boolean;
  readonly actor: WorkActor;
  /** What the actor may do in the environment; null permits everything. */
  readonly grants: readonly WorkGrant[] | null;
  /** Super-admins are exempt from allowlists. */
  readonly isSuperAdmin?: boolean;
  /** Absent where the caller is no key. */
  readonly keyBounds?: KeyBounds | undefined;
  readonly origin: WorkOrigin;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A scope on the whole platform, limited by row-level security only. */
export function platformWork(actor: WorkActor, origin: WorkOrigin): WorkScope {
  return {
    tenantId: null,
    projectId: null,
    projectSlug: null,
    environmentId: null,
    environmentSlug: null,
    isPlatform: true,
    actor,
    grants: null,
    origin,
    metadata: {},
  };
}

/** The scope within one environment, or within a project for what its environments share. */
export function atAddress(scope: WorkScope, address: Address | ProjectAddress): WorkScope {
  const { tenant, project } = address;
  const environment = 'environment' in address ? address.environment : null;
  return {
    ...scope,
    tenantId: tenant.id,
    projectId: project.id,
    projectSlug: project.slug,
    environmentId: environment?.id ?? null,
    environmentSlug: environment?.slug ?? null,
    isPlatform: false,
  };
}
