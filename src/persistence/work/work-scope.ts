import { newId } from '../../infrastructure/ids.js';

/** One environment: the unit that content, caches, locks and jobs belong to. */
export interface Address {
  readonly tenant: { readonly id: string };
  readonly project: { readonly id: string; readonly slug: string };
  readonly environment: { readonly id: string; readonly slug: string };
}

/** For what all environments of a project share. */
export type ProjectAddress = Pick<Address, 'tenant' | 'project'>;

export interface AddressRow {
  readonly tenantId: string;
  readonly projectId: string;
  readonly projectSlug: string;
  readonly environmentId: string;
  readonly environmentSlug: string;
}

export const projectAddressOf = ({
  tenantId,
  projectId,
  projectSlug,
}: Omit<AddressRow, 'environmentId' | 'environmentSlug'>): ProjectAddress => ({
  tenant: { id: tenantId },
  project: { id: projectId, slug: projectSlug },
});

export const addressOf = (row: AddressRow): Address => ({
  ...projectAddressOf(row),
  environment: { id: row.environmentId, slug: row.environmentSlug },
});

/** As stored in audit records and versions. */
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

/** Limits of the calling key; a key or role that it creates has at least the same. */
export interface KeyBounds {
  /** Null means all. */
  readonly permissions: readonly string[] | null;
  /** Sites it may write to; empty means all. */
  readonly siteIds: readonly string[];
  readonly environmentId: string | null;
  readonly expiresAt: Date | null;
  /** Permitted networks; empty means all. */
  readonly ipAllowlist: readonly string[];
  readonly isDraftOnly: boolean;
  /** Groups of MCP tools; empty means all. */
  readonly toolsets: readonly string[];
  /** Calls that are public or irreversible must be confirmed. */
  readonly requiresConfirmation: boolean;
}

/** Address, actor and origin of a unit of work, which accesses no row outside. */
export interface WorkScope {
  readonly tenantId: string | null;
  readonly projectId: string | null;
  readonly projectSlug: string | null;
  readonly environmentId: string | null;
  readonly environmentSlug: string | null;
  /** Sees every tenant: super-admins on platform operations, logins and background work. */
  readonly isPlatform: boolean;
  readonly actor: WorkActor;
  /** Grants in the environment; null permits everything. */
  readonly grants: readonly WorkGrant[] | null;
  /** Super-admins are exempt from allowlists and from the roles of workflows. */
  readonly isSuperAdmin?: boolean;
  /** Of a user in the project; absent for others. */
  readonly roleIds?: readonly string[] | undefined;
  /** Absent for callers without a key. */
  readonly keyBounds?: KeyBounds | undefined;
  /** Of a caller whose session the service opened. */
  readonly sessionId?: string | undefined;
  readonly origin: WorkOrigin;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** On the whole platform, limited by row-level security only. */
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

interface SystemWork {
  /** Absent for background work. */
  readonly command?: string;
  readonly requestId?: string;
  /** Absent: the whole platform. */
  readonly address?: Address | ProjectAddress;
}

/** The only scope without a caller: every grant, at the address or on the platform. */
export function systemScope({ command, requestId, address }: SystemWork = {}): WorkScope {
  const scope = platformWork(
    { type: 'system', id: null, name: command ?? 'Headwater' },
    {
      ip: null,
      userAgent: null,
      requestId: requestId ?? (command === undefined ? '' : newId()),
      interface: command === undefined ? 'system' : 'cli',
    },
  );
  return address === undefined ? scope : atAddress(scope, address);
}
