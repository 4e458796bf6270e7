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
import { assertMayAssign, assertMaySetPassword, findRoles } from './user.policy.js';

type Input = InputOf<typeof users.create>;

/** @throws AppError 422 `limit_reached` */
async function assertMemberLimit(work: UnitOfWork): Promise<void> {
  const limit = limits.membersPerProject;
  if ((await work.use(MemberRepository).count()) >= limit) throw new AppError('limit_reached', { limit });
}

/** Finds or creates the tenant's account of the address. */
async function ensureAccount(work: UnitOfWork, input: Input): Promise<string> {
  const members = work.use(MemberRepository);
  const known = await members.accountOf(input.email);
  if (known?.isMember === true) throw new AppError('email_conflict', { path: ['email'] });
  if (known !== undefined) {
    if (input.password === undefined) return known.id;
    const message = 'The address already has an account with a password in this tenant. Omit the password.';
    throw invalidInput({ path: ['password'], code: 'not_allowed', message });
  }
  const { accounts, limit } = await members.accountUsage();
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

export async function createUser(work: UnitOfWork, input: Input): Promise<{ data: User }> {
  if (input.password !== undefined) assertMaySetPassword(work);
  const roles = await findRoles(work, input.roleIds);
  await assertMayAssign(work, roles);
  await assertMemberLimit(work);
  const id = await ensureAccount(work, input);
  const members = work.use(MemberRepository);
  await members.add(
    id,
    roles.map((role) => role.id),
  );
  const member = await members.find(id);
  members.note('user.create', null, member);
  return { data: presentUser(member) };
}
