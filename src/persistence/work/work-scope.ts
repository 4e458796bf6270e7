/** Who works, as audit records and versions keep it. */
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

/** One thing that the actor may do, and where; `src/access` knows what it means. */
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
  };
}

/** What bounds a key beyond its actions and sites; a key that it makes is bound as narrowly. */
export interface KeyBounds {
  readonly environmentId: string | null;
  readonly expiresAt: Date | null;
  /** Networks that it may be used from; empty means all. */
  readonly ipAllowlist: readonly string[];
  /** Changes drafts only, nothing that is live. */
  readonly isDraftOnly: boolean;
  /** Whether its agents confirm what the public sees or what cannot be undone. */
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
  /** Actions the actor may use; null means all. */
  readonly permittedActions: readonly string[] | null;
  /** Sites the actor may write to; empty means all. */
  readonly writableSiteIds: readonly string[];
  /** What a user may do in the project; null where no grants limit the actor. */
  readonly grants: readonly WorkGrant[] | null;
  /** Whether a super-admin works, whom no allowlist shuts out. */
  readonly isSuperAdmin?: boolean;
  /** Bounds of the key that works; absent where no key does. */
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
    permittedActions: null,
    writableSiteIds: [],
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
