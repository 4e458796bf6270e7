import type { Action, ProjectResource } from '../../contracts/rights.js';
import { keyActions, type KeyAction, type KeyType } from '../../contracts/access/api-keys/api-key.js';
import { type Grant, type Scope, coversVerb, verbsOf } from './grants.js';
import type { KeyPrincipal } from './principal.js';
import { grantResources } from '../../contracts/registry/operation-names.js';

/** Grant actions for each action of a key (rule access/keys). */
const actionsOfKey = {
  read: ['read'],
  create: ['create'],
  update: ['update', 'transition', 'promote'],
  publish: ['publish'],
  unpublish: ['unpublish'],
  delete: ['delete'],
} as const satisfies Record<KeyAction, readonly Action[]>;

/** Key actions that together permit `manage`. */
const managing: readonly KeyAction[] = ['read', 'create', 'update', 'delete'];

/** Actions of a drafts-only key on entries. */
const draftActions: readonly KeyAction[] = ['create', 'update', 'delete'];

/** Resources that belong to a site; a key limited to sites writes no others (rule access/key-limits). */
const siteResources = [
  'entries',
  'tree',
  'sites',
  'redirects',
  'media',
  'translations',
] as const satisfies readonly ProjectResource[];

type KeyLimits = Pick<KeyPrincipal, 'type' | 'permissions' | 'siteIds' | 'isDraftOnly' | 'environmentId'>;

/** Null means all. */
export function permissionsOf({
  permissions,
  isDraftOnly,
}: Pick<KeyLimits, 'permissions' | 'isDraftOnly'>): readonly KeyAction[] | null {
  if (!isDraftOnly) return permissions.length > 0 ? permissions : null;
  const drafts: readonly KeyAction[] = ['read', ...draftActions];
  return permissions.length > 0 ? drafts.filter((action) => permissions.includes(action)) : drafts;
}

/** Actions of a key as they apply. */
export function effectivePermissions(
  key: Pick<KeyLimits, 'permissions' | 'isDraftOnly' | 'type'>,
): readonly KeyAction[] {
  if (key.type === 'delivery') return ['read'];
  const permitted = permissionsOf(key) ?? keyActions;
  return keyActions.filter((action) => permitted.includes(action));
}

function writeGrants(action: Action, bound: Scope, siteIds: readonly string[]): Grant[] {
  if (siteIds.length === 0) return [{ resource: '*', action, scope: bound }];
  const scope: Scope = { ...bound, siteIds, siteTreesOnly: true };
  return siteResources.map((resource) => ({ resource, action, scope }));
}

function managementGrants(key: KeyLimits, bound: Scope): Grant[] {
  const { siteIds, isDraftOnly } = key;
  const permitted = permissionsOf(key) ?? keyActions;
  // Without `read` a key still finds what it writes.
  const reading: Scope = permitted.includes('read') ? bound : { ...bound, duringWrites: true };
  const read: Grant = { resource: '*', action: 'read', scope: reading };
  const writing = permitted.filter((action) => action !== 'read');
  if (isDraftOnly) {
    const sites: Scope = siteIds.length > 0 ? { siteIds, siteTreesOnly: true } : {};
    const scope: Scope = { ...bound, ...sites, draftsOnly: true };
    return [read, ...writing.map((action): Grant => ({ resource: 'entries', action, scope }))];
  }
  const granted: Action[] = writing.flatMap((action) => [...actionsOfKey[action]]);
  if (managing.every((action) => permitted.includes(action))) granted.push('manage');
  return [read, ...granted.flatMap((action) => writeGrants(action, bound, siteIds))];
}

/** In the environment of the call; null permits everything. */
export function keyGrants(key: KeyLimits, environmentSlug: string | null): readonly Grant[] | null {
  const bound: Scope =
    key.environmentId === null || environmentSlug === null ? {} : { environments: [environmentSlug] };
  if (key.type === 'delivery') return [{ resource: '*', action: 'read', scope: bound }];
  const isLimited = key.permissions.length > 0 || key.siteIds.length > 0 || key.isDraftOnly;
  if (isLimited) return managementGrants(key, bound);
  return Object.keys(bound).length === 0 ? null : [{ resource: '*', action: '*', scope: bound }];
}

/** Cached by key object, as keys are. */
const remembered = new WeakMap<
  KeyPrincipal,
  { readonly environmentSlug: string | null; readonly grants: readonly Grant[] | null }
>();

export function rememberedKeyGrants(
  key: KeyPrincipal,
  environmentSlug: string | null,
): readonly Grant[] | null {
  const known = remembered.get(key);
  if (known?.environmentSlug === environmentSlug) return known.grants;
  const grants = keyGrants(key, environmentSlug);
  remembered.set(key, { environmentSlug, grants });
  return grants;
}

/** Ids of each tree node and its ancestors, by node id. */
export type NodePaths = ReadonlyMap<string, readonly string[]>;

const listKeys = ['contentTypes', 'siteIds', 'locales', 'fields', 'environments'] as const;

/** Whether everything in `inner` is in `outer`. */
function isWithin(inner: Scope, outer: Scope, paths: NodePaths): boolean {
  const areListsWithin = listKeys.every((key) => {
    const [wanted, held] = [inner[key], outer[key]];
    return held === undefined || wanted?.every((value) => held.includes(value)) === true;
  });
  const areNodesWithin =
    outer.treeNodeIds === undefined ||
    inner.treeNodeIds?.every((id) =>
      (paths.get(id) ?? [id]).some((above) => outer.treeNodeIds?.includes(above)),
    ) === true;
  return areListsWithin && areNodesWithin && (outer.ownOnly === undefined || inner.ownOnly === true);
}

/** Whether a holder may give a grant: each of its verbs needs a held grant of at least its scope. */
export function mayGive(held: readonly Grant[] | null, wanted: Grant, paths: NodePaths): boolean {
  if (held === null) return true;
  return verbsOf(wanted).every((verb) =>
    held.some((grant) => coversVerb(grant, verb) && isWithin(wanted.scope, grant.scope, paths)),
  );
}

export interface KeyReach {
  readonly type: KeyType;
  /** Empty means all. */
  readonly permissions: readonly string[];
  /** Writable sites; empty means all. */
  readonly siteIds: readonly string[];
  /** Slug of its environment. */
  readonly environment: string | null;
}

const previewed: ReadonlySet<ProjectResource> = new Set([
  'entries',
  'contentTypes',
  'sites',
  'tree',
  'media',
]);

/** Agents use preview keys for content only; a delivery key reads what is public. Resources must be grantable. */
const resourcesOfType = {
  delivery: [],
  preview: grantResources.filter((one) => previewed.has(one)),
  management: ['*'],
} as const satisfies Record<KeyType, readonly Grant['resource'][]>;

/** The grants that creating a key requires; site limits apply to every resource. */
export function grantsOfKey({ type, permissions, siteIds, environment }: KeyReach): Grant[] {
  const permitted =
    permissions.length === 0 ? keyActions : keyActions.filter((one) => permissions.includes(one));
  const bound = environment === null ? {} : { environments: [environment] };
  const limited: Scope = { ...bound, ...(siteIds.length > 0 && { siteIds }) };
  const grants = permitted.flatMap((permission) => {
    const scope = permission === 'read' ? bound : limited;
    const resources =
      type === 'preview' && permission !== 'read' ? (['entries'] as const) : resourcesOfType[type];
    return resources.flatMap((resource) =>
      actionsOfKey[permission].map((action): Grant => ({ resource, action, scope })),
    );
  });
  const managed = managing.every((one) => permitted.includes(one)) && type === 'management';
  return managed ? [...grants, { resource: '*', action: 'manage', scope: limited }] : grants;
}

/** Null and an empty list mean all. */
export function mayGiveActions(held: readonly string[] | null, wanted: readonly string[]): boolean {
  if (held === null || held.length === 0) return true;
  const asked = wanted.length === 0 ? keyActions : wanted;
  return asked.every((action) => held.includes(action));
}
