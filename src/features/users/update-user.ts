import { invalidInput } from '../../../contracts/errors.js';
import type { users } from '../../../contracts/management/users.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { User } from '../../../contracts/resources/user.js';
import { hashPassword } from '../../infrastructure/passwords.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import type { RoleRow } from '../roles/index.js';
import { definedKeys, hasChanges } from '../shared/index.js';
import { MemberRepository, type Member } from './member.repository.js';
import { presentUser } from './user.presenter.js';
import { assertMayGive, assertMayUnmakeOwner, isOwner, rolesNamed } from './user.policy.js';

type Input = InputOf<typeof users.update>;

/**
 * The account is the user's, wherever else they are a member: only an open invitation to this project
 * alone can be given its first password here.
 * @throws AppError 422
 */
async function firstPassword(member: Member, password: string): Promise<string> {
  if (member.status === 'invited' && !member.hasPassword && member.projectCount === 1)
    return hashPassword(password);
  const message = 'A password is set here only while the invitation to this one project is open.';
  throw invalidInput({ path: ['password'], code: 'not_allowed', message });
}

/** @throws AppError 422 for a name or picture of somebody who is a member elsewhere, too */
function assertOwnProject({ projectCount }: Member, changes: object): void {
  const key = ['name', 'avatarUrl'].find((name) => name in changes);
  if (key === undefined || projectCount === 1) return;
  const message = 'The user is a member of other projects, which show the same account.';
  throw invalidInput({ path: [key], code: 'not_allowed', message });
}

/** Roles that are given are within what the caller may do; an owner stays. */
async function changeRoles(work: UnitOfWork, member: Member, ids: readonly string[]): Promise<void> {
  const roles: readonly RoleRow[] = await rolesNamed(work, ids);
  const had = new Set(member.roles.map(({ id }) => id));
  await assertMayGive(
    work,
    roles.filter(({ id }) => !had.has(id)),
  );
  const staysOwner = roles.some(({ isSystem, slug }) => isSystem && slug === 'owner');
  if (isOwner(member) && !staysOwner) await assertMayUnmakeOwner(work, member);
  await work.use(MemberRepository).setRoles(
    member.id,
    roles.map(({ id }) => id),
  );
}

/** Changes a member; equal values change nothing. */
export async function updateUser(work: UnitOfWork, input: Input): Promise<{ data: User }> {
  const { projectSlug: _project, id, ...change } = input;
  const { roleIds, status, password, ...account } = definedKeys(change);
  const members = work.use(MemberRepository);
  const before = await members.find(id);
  if (hasChanges(before, account)) assertOwnProject(before, account);
  const passwordHash = password === undefined ? undefined : await firstPassword(before, password);
  const isSuspended = status === undefined ? before.isSuspended : status === 'suspended';
  if (isSuspended !== before.isSuspended) {
    if (isSuspended) await assertMayUnmakeOwner(work, before);
    else if (isOwner(before))
      await assertMayGive(
        work,
        await rolesNamed(
          work,
          before.roles.map((role) => role.id),
        ),
      );
    await members.suspend(before.id, isSuspended);
  }
  if (roleIds !== undefined) await changeRoles(work, before, roleIds);
  if (Object.keys(account).length > 0 || passwordHash !== undefined)
    await members.saveAccount(before.id, {
      ...account,
      ...(passwordHash !== undefined && { passwordHash, status: 'active' as const }),
    });
  const after = await members.find(before.id);
  if (hasChanges(before, after)) members.note('user.update', before, after);
  return { data: presentUser(after) };
}
