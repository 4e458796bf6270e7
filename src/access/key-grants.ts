import type { Action, ProjectResource } from '../../contracts/rights.js';
import { keyActions, type KeyAction } from '../../contracts/access/api-keys/api-key.js';
import type { Grant, Scope } from './grants.js';
import type { KeyPrincipal } from './principal.js';

/** Grant actions for each action of a key (rule access/keys). */
export const actionsOfKey = {
  read: ['read'],
  create: ['create'],
  update: ['update', 'transition', 'promote'],
  publish: ['publish'],
  unpublish: ['unpublish'],
  delete: ['delete'],
} as const satisfies Record<KeyAction, readonly Action[]>;

/** Key actions that together permit `manage`. */
export const managing: readonly KeyAction[] = ['read', 'create', 'update', 'delete'];

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
