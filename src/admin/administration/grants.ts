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

/** `resource.action` of operations. An operation whose use case checks each item can need every action. */
const used = new Set(
  Object.values(registry).flatMap((contracts) =>
    Object.values(contracts as Readonly<Record<string, Described>>).flatMap(({ _def: { meta } }) => {
      if (meta === undefined) return [];
      const needed = meta.action === 'any' ? actions : [meta.action];
      return needed.map((action) => `${meta.resource}.${action}`);
    }),
  ),
);

/** Whether a permission would permit any operation. */
export const isMeaningful = (resource: string, action: string): boolean =>
  resource === ALL || action === ALL || action === 'manage' || used.has(`${resource}.${action}`);

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
