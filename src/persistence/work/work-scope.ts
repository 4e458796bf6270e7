/** The actor, as audit records and versions store it. */
export interface WorkActor {
  readonly type: 'user' | 'api_key' | 'system';
  readonly id: string | null;
  readonly name: string;
}

/** Where a call came from. */
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

/** The frame of a unit of work: scopes, actor and origin. Every row it touches lies within. */
export interface WorkScope {
  readonly tenantId: string | null;
  readonly projectId: string | null;
  readonly projectSlug: string | null;
  readonly environmentId: string | null;
  readonly environmentSlug: string | null;
  /** Sees every tenant: super-admins on platform operations, and the start of a session. */
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

/** Work of the whole platform, in no project and under nobody's rights but the wall's; narrowed by spreading it. */
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

/** Work that the service does of itself, for nobody's request. */
export const serviceWork = (requestId: string): WorkScope =>
  platformWork(
    { type: 'system', id: null, name: 'Headwater' },
    { ip: null, userAgent: null, requestId, interface: 'system' },
  );
