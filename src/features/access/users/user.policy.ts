import { AppError, invalidInput } from '../../../../contracts/errors.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import {
  assertMayGiveGrants,
  grantsOfRoles,
  mayGiveEverything,
  RoleRepository,
  type RoleRow,
} from '../roles/index.js';
import { MemberRepository, type Member } from './member.repository.js';
import type { User } from '../../../../contracts/access/users/user.js';

const isOwnerRole = ({ isSystem, slug }: Pick<RoleRow, 'isSystem' | 'slug'>): boolean =>
  isSystem && slug === 'owner';

export const isOwner = ({ roles }: Member): boolean => roles.some(isOwnerRole);

/**
 * @throws AppError 404 `role_not_found` for the first that the project does not have
 */
export async function findRoles(work: UnitOfWork, ids: readonly string[]): Promise<RoleRow[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  const found = new Map((await work.use(RoleRepository).findAll(wanted)).map((role) => [role.id, role]));
  const missing = ids.findIndex((id) => !found.has(id.toLowerCase()));
  if (missing >= 0) throw new AppError('role_not_found', { path: ['roleIds', missing] });
  return wanted.flatMap((id) => found.get(id) ?? []);
}

/**
 * Only owners and super-admins appoint and remove owners; otherwise an admin could lock them out.
 * @throws AppError 403 `privilege_escalation`
 */
async function assertMayChangeOwners(work: UnitOfWork): Promise<void> {
  const { actor, grants } = work.scope;
  const isSuperAdmin = actor.type === 'user' && grants === null;
  if (isSuperAdmin || actor.type === 'system') return;
  const caller = actor.type === 'user' ? await work.use(MemberRepository).find(actor.id ?? '') : undefined;
  if (caller === undefined || !isOwner(caller))
    throw new AppError(
      'privilege_escalation',
      { role: 'owner' },
      'Only owners can appoint or remove owners.',
    );
}

/** The caller must have every permission of the roles. */
export async function assertMayAssign(work: UnitOfWork, roles: readonly RoleRow[]): Promise<void> {
  if (roles.some(isOwnerRole)) await assertMayChangeOwners(work);
  await assertMayGiveGrants(work, await grantsOfRoles(work, roles));
}

/**
 * Only owners remove owners, and one must remain.
 * @throws AppError 403 `privilege_escalation`, 409 `last_owner`
 */
export async function assertMayRemoveOwner(work: UnitOfWork, member: Member): Promise<void> {
  if (!isOwner(member)) return;
  await assertMayChangeOwners(work);
  if (!member.isSuspended && !(await work.use(MemberRepository).hasOtherOwner(member.id)))
    throw new AppError('last_owner');
}

/**
 * A key changes only members who have no more permissions than it may give (rule access/key-limits).
 * @throws AppError 403 `privilege_escalation`
 */
export async function assertKeyMayChange(work: UnitOfWork, member: Member): Promise<void> {
  if (work.scope.actor.type !== 'api_key' || mayGiveEverything(work)) return;
  const ids = member.roles.map(({ id }) => id);
  await assertMayGiveGrants(work, await grantsOfRoles(work, await findRoles(work, ids)));
}

/**
 * Keys invite users; a session with a password would have none of the key's limits (rule access/key-limits).
 * @throws AppError 422
 */
export function assertMaySetPassword({ scope }: UnitOfWork): void {
  if (scope.actor.type !== 'api_key') return;
  const message = 'An API key cannot set a password. Omit the password.';
  throw invalidInput({ path: ['password'], code: 'not_allowed', message });
}

export function presentUser(member: Member): User {
  const { id, email, name, avatarUrl, roles, status, isSuspended } = member;
  const { invitation, secondFactor, lastActiveAt, createdAt } = member;
  return {
    id,
    email,
    name,
    avatarUrl,
    roles: roles.map((role) => ({ id: role.id, name: role.name })),
    status: isSuspended ? 'suspended' : status,
    invitation: invitation && { ...invitation, expiresAt: new Date(invitation.expiresAt).toISOString() },
    secondFactor,
    lastActiveAt: lastActiveAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
