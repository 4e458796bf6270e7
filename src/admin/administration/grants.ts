import { registry, type OperationMeta } from '../../../contracts/index.js';
import { actions } from '../../../contracts/rights.js';
import type { Outputs } from '../api/client.js';
import { grantResources } from '../../../contracts/registry/operation-names.js';

export type Grant = Outputs['roles']['listGrants']['data'][number];

export const ALL = '*';
const managed = new Set(['read', 'create', 'update', 'delete']);

/** Rows and columns of the matrix, the one that includes the others first. */
export const matrixResources: readonly string[] = [ALL, ...grantResources];
export const matrixActions: readonly string[] = [ALL, 'manage', ...actions.filter((one) => one !== 'manage')];

interface Described {
  readonly _def: { readonly meta?: OperationMeta };
}

/** `resource.action` of operations. Those that need a different action for each item need none of their own. */
const used = new Set(
  Object.values(registry).flatMap((contracts) =>
    Object.values(contracts as Readonly<Record<string, Described>>).flatMap(({ _def: { meta } }) =>
      meta === undefined || meta.action === 'any' ? [] : [`${meta.resource}.${meta.action}`],
    ),
  ),
)
  .add('entries.override')
  .add('entries.import');

const isUsed = (resource: string, action: string): boolean => used.has(`${resource}.${action}`);

/** Whether a permission would permit something that the actions beside it do not. */
export function isMeaningful(resource: string, action: string): boolean {
  if (resource === ALL || action === ALL) return true;
  if (action !== 'manage') return isUsed(resource, action);
  return ['create', 'update', 'delete'].some((one) => isUsed(resource, one));
}

/** Whether the grant is limited to a part of the content. */
export const isLimited = ({ scope }: Grant): boolean =>
  Object.values(scope).some((value) => (Array.isArray(value) ? value.length > 0 : value === true));

const includesAction = (granted: string, action: string): boolean =>
  granted === action || granted === ALL || (granted === 'manage' && managed.has(action));

/** The grant of exactly this permission, everywhere. */
export const ownGrant = (grants: readonly Grant[], resource: string, action: string): Grant | undefined =>
  grants.find((grant) => grant.resource === resource && grant.action === action && !isLimited(grant));

/** Whether another grant includes the permission, everywhere. */
export const isIncluded = (grants: readonly Grant[], resource: string, action: string): boolean =>
  grants.some(
    (grant) =>
      !isLimited(grant) &&
      (grant.resource === resource || grant.resource === ALL) &&
      (grant.resource !== resource || grant.action !== action) &&
      includesAction(grant.action, action),
  );

/** What a role permits everywhere: resources with the same actions together. Wider grants come first. */
export function permissionGroups(
  grants: readonly Grant[],
): { readonly actions: readonly string[]; readonly resources: readonly string[] }[] {
  const actionsOf = (resource: string): string[] =>
    matrixActions.filter(
      (action) => ownGrant(grants, resource, action) !== undefined && !isIncluded(grants, resource, action),
    );
  const groups = new Map<string, { actions: readonly string[]; resources: string[] }>();
  for (const resource of matrixResources) {
    const own = actionsOf(resource);
    if (own.length === 0) continue;
    const group = groups.get(own.join()) ?? { actions: own, resources: [] };
    group.resources.push(resource);
    groups.set(own.join(), group);
  }
  return [...groups.values()];
}
