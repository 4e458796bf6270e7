import { keyActions, type KeyType } from '../../contracts/access/api-keys/api-key.js';
import type { ProjectResource } from '../../contracts/rights.js';
import { grantResources } from '../../contracts/registry/operation-names.js';
import { coversVerb, verbsOf, type Grant, type Scope } from './grants.js';
import { actionsOfKey, managing } from './key-grants.js';

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
