import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { AccountRepository } from './account.repository.js';
import { type UserRow, MemberRepository, type Member } from './member.repository.js';
import { AppError, invalidInput } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { users } from '../../../../contracts/access/users/users.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { User, InvitedUser, PasswordReset } from '../../../../contracts/access/users/user.js';
import { hashPassword } from '../../../infrastructure/passwords.js';
import {
  presentUser,
  assertMayAssign,
  assertMaySetPassword,
  findRoles,
  assertKeyMayChange,
  assertMayRemoveOwner,
  isOwner,
} from './user.policy.js';
import { listEnvelope, type PageMeta, type Deleted } from '../../../../contracts/envelopes.js';
import { RoleRepository, type RoleRow } from '../roles/index.js';
import {
  issueReset,
  PasswordResetRepository,
  SecondFactorRepository,
  SessionRepository,
} from '../sessions/index.js';
import type { MailServices } from '../mail/index.js';
import { invite } from './invitations.js';
import { definedKeys, hasChanges } from '../../shared/lists.js';

interface AccountInput {
  readonly tenantId: string;
  readonly email: string;
  readonly name?: string | undefined;
  /** Null creates an invitation, accepted by the first token of an identity provider or a later password. */
  readonly passwordHash: string | null;
}

/** The name defaults to the local part of the address. */
export function newAccount(work: UnitOfWork, { tenantId, email, name, passwordHash }: AccountInput): UserRow {
  return {
    id: work.newId(),
    tenantId,
    email,
    name: name ?? email.split('@')[0] ?? email,
    passwordHash,
    isSuperAdmin: false,
    status: passwordHash === null ? 'invited' : 'active',
    avatarUrl: null,
    lastActiveAt: null,
    isTenantOwner: false,
    language: null,
    timeZone: null,
    theme: null,
    createdAt: work.now,
    updatedAt: work.now,
  };
}

type CreateUserInput = InputOf<typeof users.create>;

/** @throws AppError 422 `limit_reached` */
async function assertMemberLimit(work: UnitOfWork): Promise<void> {
  const limit = limits.membersPerProject;
  if ((await work.use(MemberRepository).count()) >= limit) throw new AppError('limit_reached', { limit });
}

/** Finds or creates the tenant's account of the address. */
async function ensureAccount(work: UnitOfWork, input: CreateUserInput): Promise<string> {
  const members = work.use(MemberRepository);
  const known = await members.accountOf(input.email);
  if (known?.isMember === true) throw new AppError('email_conflict', { path: ['email'] });
  if (known !== undefined) {
    if (input.password === undefined) return known.id;
    const message = 'The address already has an account with a password in this tenant. Omit the password.';
    throw invalidInput({ path: ['password'], code: 'not_allowed', message });
  }
  const { tenantId: scoped } = work.scope;
  const tenantId = scoped ?? '';
  const accounts = work.use(AccountRepository);
  await accounts.assertRoom(tenantId);
  const passwordHash = input.password === undefined ? null : await hashPassword(input.password);
  const account = newAccount(work, {
    tenantId,
    email: input.email,
    name: input.name,
    passwordHash,
  });
  const taken = new AppError('email_conflict', { path: ['email'] });
  await accounts.insert({ ...account, avatarUrl: input.avatarUrl ?? null }, taken);
  return account.id;
}

export async function createUser(
  work: UnitOfWork,
  input: CreateUserInput,
  mail: MailServices,
): Promise<{ data: InvitedUser }> {
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
  const invitationUrl = await invite(work, member, mail);
  return { data: { ...presentUser(await members.find(id)), invitationUrl } };
}

export async function getUser(work: UnitOfWork, input: InputOf<typeof users.get>): Promise<{ data: User }> {
  return { data: presentUser(await work.use(MemberRepository).find(input.id)) };
}

export async function listUsers(
  work: UnitOfWork,
  input: InputOf<typeof users.list>,
): Promise<{ data: User[]; meta: PageMeta }> {
  const { limit, page, orderBy, q } = input;
  const role = input.roleId === undefined ? undefined : await work.use(RoleRepository).find(input.roleId);
  const { items, total } = await work.use(MemberRepository).list({
    roleId: role?.id ?? null,
    contains: q ?? null,
    orderBy,
    limit,
    offset: (page - 1) * limit,
  });
  return listEnvelope({ items: items.map(presentUser), total }, input);
}

/** The account and what the user created stay. */
export async function removeUser(
  work: UnitOfWork,
  input: InputOf<typeof users.remove>,
): Promise<{ data: Deleted }> {
  const members = work.use(MemberRepository);
  const member = await members.find(input.id);
  await assertKeyMayChange(work, member);
  await assertMayRemoveOwner(work, member);
  await members.remove(member.id);
  await work.use(PasswordResetRepository).end(member.id, 'revoked');
  members.note('user.remove', member, null);
  return { data: { id: member.id, deleted: true } };
}

/** @throws AppError 403 `privilege_escalation` unless the caller leads every project of the account */
async function leadMember(work: UnitOfWork, id: string, what: string): Promise<Member> {
  const members = work.use(MemberRepository);
  const member = await members.find(id);
  const { actor, isSuperAdmin } = work.scope;
  if (isSuperAdmin === true || (await members.leadsEveryProjectOf(actor.id ?? '', member.id))) return member;
  throw new AppError(
    'privilege_escalation',
    undefined,
    `Only owners and admins of every project of the user can reset the user's ${what}, and only owners that of an owner.`,
  );
}

/**
 * For a user who has lost the device and the recovery codes. An attacker with the session of an admin must not get
 * rid of the admin's own second factor.
 * @throws AppError 403 `privilege_escalation`, 409 `second_factor_not_enabled`
 */
export async function resetSecondFactor(
  work: UnitOfWork,
  input: InputOf<typeof users.resetSecondFactor>,
): Promise<{ data: User }> {
  const member = await leadMember(work, input.id, 'second factor');
  if (member.id === work.scope.actor.id)
    throw new AppError('privilege_escalation', undefined, 'You cannot reset your own second factor.');
  const factors = work.use(SecondFactorRepository);
  if (!(await factors.removeAll(member.id))) throw new AppError('second_factor_not_enabled');
  await work.use(SessionRepository).endAll(member.id);
  factors.note('second_factor_reset', member);
  return { data: presentUser(await work.use(MemberRepository).find(member.id)) };
}

/**
 * The token opens every project of the account, so the caller must lead all of them.
 * @throws AppError 403 `privilege_escalation`
 */
export async function resetUserPassword(
  work: UnitOfWork,
  input: InputOf<typeof users.resetPassword>,
  mail: MailServices,
): Promise<{ data: PasswordReset }> {
  const members = work.use(MemberRepository);
  const member = await leadMember(work, input.id, 'password');
  const { id: userId, email, name } = member;
  const [tenantId, tenantName] = [work.scope.tenantId ?? '', await members.tenantName()];
  const reset = await issueReset(work, { tenantId, to: { email, name, userId }, tenantName }, mail);
  members.noteReset(member, reset.expiresAt);
  const { resetToken, url, expiresAt } = reset;
  const mailedTo = mail.send === undefined ? null : email;
  return { data: { resetToken, url, mailedTo, expiresAt: expiresAt.toISOString() } };
}

const roleIdsOf = ({ roles }: Member): string[] => roles.map(({ id }) => id);

/** The link was given for the roles of that time: those who hold it must not gain others. */
async function endLink(work: UnitOfWork, before: Member, after: Member): Promise<void> {
  const isSame = [...roleIdsOf(before)].sort().join() === [...roleIdsOf(after)].sort().join();
  if (isSame && before.isSuspended === after.isSuspended && before.hasPassword === after.hasPassword) return;
  await work.use(PasswordResetRepository).end(before.id, 'revoked');
}

type UpdateUserInput = InputOf<typeof users.update>;

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

export async function updateUser(work: UnitOfWork, input: UpdateUserInput): Promise<{ data: User }> {
  const { projectSlug: _project, id, ...change } = input;
  const { roleIds, status, password, ...account } = definedKeys(change);
  if (password !== undefined) assertMaySetPassword(work);
  const members = work.use(MemberRepository);
  const before = await members.find(id);
  await assertKeyMayChange(work, before);
  if (hasChanges(before, account)) assertOwnProject(before, account);
  if (password !== undefined) await assertMayAssign(work, await findRoles(work, roleIdsOf(before)));
  const passwordHash = password === undefined ? undefined : await firstPassword(before, password);
  const isSuspended = status === undefined ? before.isSuspended : status === 'suspended';
  if (isSuspended !== before.isSuspended) {
    if (isSuspended) await assertMayRemoveOwner(work, before);
    else if (isOwner(before)) await assertMayAssign(work, await findRoles(work, roleIdsOf(before)));
    await members.suspend(before.id, isSuspended);
  }
  if (roleIds !== undefined) await changeRoles(work, before, roleIds);
  if (Object.keys(account).length > 0 || passwordHash !== undefined)
    await members.saveAccount(before.id, {
      ...account,
      ...(passwordHash !== undefined && { passwordHash, status: 'active' as const }),
    });
  if (isSuspended !== before.isSuspended || roleIds !== undefined || passwordHash !== undefined)
    await endLink(work, before, await members.find(before.id));
  const after = await members.find(before.id);
  if (hasChanges(before, after)) members.note('user.update', before, after);
  return { data: presentUser(after) };
}
