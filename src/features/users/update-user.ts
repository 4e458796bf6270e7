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
import {
  assertKeyMayChange,
  assertMayAssign,
  assertMayRemoveOwner,
  assertMaySetPassword,
  findRoles,
  isOwner,
} from './user.policy.js';

type Input = InputOf<typeof users.update>;

/**
 * A project can set the first password only while the invitation to it alone is open.
 * @throws AppError 422
 */
async function firstPassword(member: Member, password: string): Promise<string> {
  if (member.status === 'invited' && !member.hasPassword && member.projectCount === 1)
    return hashPassword(password);
  const message = 'A password can only be set while the invitation to this project alone is open.';
  throw invalidInput({ path: ['password'], code: 'not_allowed', message });
}

/** @throws AppError 422 for the name or picture of a member of other projects */
function assertOwnProject({ projectCount }: Member, changes: object): void {
  const key = ['name', 'avatarUrl'].find((name) => name in changes);
  if (key === undefined || projectCount === 1) return;
  const message = 'The user is a member of other projects, which share the account.';
  throw invalidInput({ path: [key], code: 'not_allowed', message });
}

async function changeRoles(work: UnitOfWork, member: Member, ids: readonly string[]): Promise<void> {
  const roles: readonly RoleRow[] = await findRoles(work, ids);
  const had = new Set(member.roles.map(({ id }) => id));
  await assertMayAssign(
    work,
    roles.filter(({ id }) => !had.has(id)),
  );
  const staysOwner = roles.some(({ isSystem, slug }) => isSystem && slug === 'owner');
  if (isOwner(member) && !staysOwner) await assertMayRemoveOwner(work, member);
  await work.use(MemberRepository).setRoles(
    member.id,
    roles.map(({ id }) => id),
  );
}

export async function updateUser(work: UnitOfWork, input: Input): Promise<{ data: User }> {
  const { projectSlug: _project, id, ...change } = input;
  const { roleIds, status, password, ...account } = definedKeys(change);
  if (password !== undefined) assertMaySetPassword(work);
  const members = work.use(MemberRepository);
  const before = await members.find(id);
  await assertKeyMayChange(work, before);
  if (hasChanges(before, account)) assertOwnProject(before, account);
  const passwordHash = password === undefined ? undefined : await firstPassword(before, password);
  const isSuspended = status === undefined ? before.isSuspended : status === 'suspended';
  if (isSuspended !== before.isSuspended) {
    if (isSuspended) await assertMayRemoveOwner(work, before);
    else if (isOwner(before))
      await assertMayAssign(
        work,
        await findRoles(
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
