import { AppError } from '../../../contracts/errors.js';
import { grantsOfKey, mayGive } from '../../access/escalation.js';
import { coversVerb, verbOf, type Grant } from '../../access/grants.js';
import { systemGrants } from '../../access/system-roles.js';
import type { KeyBounds, UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { NodePathRepository } from '../tree/index.js';
import { GrantRepository } from './grant.repository.js';
import type { RoleRow } from './role.repository.js';

/** Limits that no role can have: a key with one of them gives no permissions (decisions 3.12). */
const hasKeyOnlyLimit = (key: KeyBounds): boolean =>
  key.expiresAt !== null || key.ipAllowlist.length > 0 || key.isDraftOnly || key.requiresConfirmation;

/** Grants the caller can pass on; null for all. */
function heldGrants({ scope }: UnitOfWork): readonly Grant[] | null {
  const { grants, keyBounds: key, environmentSlug } = scope;
  if (key === undefined) return grants;
  if (hasKeyOnlyLimit(key)) return [];
  const { permissions, siteIds } = key;
  // A key bound to an environment works in no other.
  const environment = key.environmentId === null ? null : environmentSlug;
  if (permissions === null && siteIds.length === 0 && environment === null) return null;
  return grantsOfKey({ type: 'management', permissions: permissions ?? [], siteIds, environment });
}

export const mayGiveEverything = (work: UnitOfWork): boolean => heldGrants(work) === null;

/** Keys do not hold the right to override workflows, even without limits (decisions 4.10). */
function assertNoOverrideByKey({ scope }: UnitOfWork, wanted: readonly Grant[]): void {
  if (scope.keyBounds === undefined) return;
  const { resource, action } = verbOf('workflows.override');
  if (wanted.some((grant) => coversVerb(grant, { resource, action })))
    throw new AppError('privilege_escalation', { resource, action });
}

/**
 * Callers cannot grant permissions they do not have, in a grant, with a role or with a key.
 * @throws AppError 403 `privilege_escalation` with the first excessive grant
 */
export async function assertMayGiveGrants(work: UnitOfWork, wanted: readonly Grant[]): Promise<void> {
  assertNoOverrideByKey(work, wanted);
  const held = heldGrants(work);
  if (held === null) return;
  const nodeIds = held.some(({ scope }) => scope.treeNodeIds !== undefined)
    ? wanted.flatMap(({ scope }) => scope.treeNodeIds ?? [])
    : [];
  const paths = await work.use(NodePathRepository).ofNodes([...new Set(nodeIds)]);
  const denied = wanted.find((grant) => !mayGive(held, grant, paths));
  if (denied === undefined) return;
  const { resource, action } = denied;
  throw new AppError('privilege_escalation', { resource, action });
}

export async function grantsOfRoles(work: UnitOfWork, roles: readonly RoleRow[]): Promise<Grant[]> {
  const custom = roles.filter(({ isSystem }) => !isSystem).map(({ id }) => id);
  const own = custom.length === 0 ? [] : await work.use(GrantRepository).ofRoles(custom);
  return [...roles.flatMap(({ isSystem, slug }) => (isSystem ? systemGrants(slug) : [])), ...own];
}
