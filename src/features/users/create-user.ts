import { AppError, invalidInput } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { users } from '../../../contracts/management/users.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { User } from '../../../contracts/resources/user.js';
import { hashPassword } from '../../infrastructure/passwords.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { MemberRepository } from './member.repository.js';
import { newAccount } from './new-account.js';
import { presentUser } from './user.presenter.js';
import { assertMayGive, rolesNamed } from './user.policy.js';

type Input = InputOf<typeof users.create>;

/** @throws AppError 422 `limit_reached` where the project has no room for another member */
async function assertRoom(work: UnitOfWork): Promise<void> {
  const limit = limits.membersPerProject;
  if ((await work.use(MemberRepository).count()) >= limit) throw new AppError('limit_reached', { limit });
}

/** The account of the address: the tenant's own, or a new one. */
async function accountFor(work: UnitOfWork, input: Input): Promise<string> {
  const members = work.use(MemberRepository);
  const known = await members.accountOf(input.email);
  if (known?.isMember === true) throw new AppError('email_conflict', { path: ['email'] });
  if (known !== undefined) {
    if (input.password === undefined) return known.id;
    const message = 'The address has an account in this tenant already, with a password of its own.';
    throw invalidInput({ path: ['password'], code: 'not_allowed', message });
  }
  const { accounts, limit } = await members.accountRoom();
  if (limit !== null && accounts >= limit) throw new AppError('limit_reached', { limit });
  const passwordHash = input.password === undefined ? null : await hashPassword(input.password);
  const { tenantId } = work.scope;
  const account = newAccount(work, {
    tenantId: tenantId ?? '',
    email: input.email,
    name: input.name,
    passwordHash,
  });
  await members.insertAccount({ ...account, avatarUrl: input.avatarUrl ?? null });
  return account.id;
}

/** Makes somebody a member of the project, with an account where there is none. */
export async function createUser(work: UnitOfWork, input: Input): Promise<{ data: User }> {
  const roles = await rolesNamed(work, input.roleIds);
  await assertMayGive(work, roles);
  await assertRoom(work);
  const id = await accountFor(work, input);
  const members = work.use(MemberRepository);
  await members.add(
    id,
    roles.map((role) => role.id),
  );
  const member = await members.find(id);
  members.note('user.create', null, member);
  return { data: presentUser(member) };
}
