import type { Action } from '../../contracts/rights.js';
import { keyActions, type KeyAction, type KeyType } from '../../contracts/resources/api-key.js';
import { speaksOf, verbsOf, type Grant, type Scope } from './grants.js';

/** Ids of a tree node and of all nodes above it, by the node's id. */
export type NodePaths = ReadonlyMap<string, readonly string[]>;

const listKeys = ['contentTypes', 'siteIds', 'locales', 'fields', 'environments'] as const;

/** Whether everything within `inner` lies within `outer`. */
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

/** Whether the holder of these rights may hand a grant on: for each of its verbs one of their own is as wide. */
export function mayHandOn(held: readonly Grant[] | null, wanted: Grant, paths: NodePaths): boolean {
  if (held === null) return true;
  return verbsOf(wanted).every((verb) =>
    held.some((grant) => speaksOf(grant, verb) && isWithin(wanted.scope, grant.scope, paths)),
  );
}

/** What a key may do, as grants. */
export interface KeyReach {
  readonly type: KeyType;
  /** Empty means all. */
  readonly permissions: readonly string[];
  /** Sites it may write to; empty means all. */
  readonly siteIds: readonly string[];
  /** Slug of the environment it is bound to. */
  readonly environment: string | null;
}

/** Actions of grants that each action of a key stands for (specification 5 rule 4). */
const actionsOfKey = {
  read: ['read'],
  create: ['create'],
  update: ['update', 'transition', 'promote'],
  publish: ['publish'],
  unpublish: ['unpublish'],
  delete: ['delete'],
} as const satisfies Record<KeyAction, readonly Action[]>;

/** What agents reach with a preview key; a management key reaches everything, a delivery key what is public. */
const resourcesOfType = {
  delivery: [],
  preview: ['entries', 'contentTypes', 'sites', 'tree', 'media'],
  management: ['*'],
} as const satisfies Record<KeyType, readonly Grant['resource'][]>;

const managing: readonly KeyAction[] = ['read', 'create', 'update', 'delete'];

/** A key's rights as grants, so that they compare with a user's. */
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
