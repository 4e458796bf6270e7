import { limits } from '../../../../contracts/limits.js';
import type { LoginResult, Session } from '../../../../contracts/access/sessions/session.js';
import { AppError, invalidInput } from '../../../../contracts/errors.js';
import type { sessions } from '../../../../contracts/access/sessions/sessions.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { SessionTokens } from '../../../access/session-token.js';
import { hashOfToken, newToken } from '../../../infrastructure/ids.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { verifyPassword, hashPassword } from '../../../infrastructure/passwords.js';
import { PasswordResetRepository } from './account-link.repository.js';
import {
  UserRepository,
  SessionRepository,
  type UserRow,
  type LoginAccount,
  type SessionRow,
} from './session.repository.js';
import { SecondFactorRepository } from './second-factor.repository.js';

/** Created by the command line only. */
export interface NewSuperAdmin {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** @throws AppError 422 for an invalid password length, 409 `conflict` if another super-admin has the email address */
export async function createSuperAdmin(
  work: UnitOfWork,
  { email, name, password }: NewSuperAdmin,
): Promise<{ id: string }> {
  if (password.length < limits.passwordMinimumLength || password.length > limits.passwordMaximumLength) {
    const message = `Must have ${String(limits.passwordMinimumLength)} to ${String(limits.passwordMaximumLength)} characters.`;
    throw invalidInput({ path: ['password'], code: 'invalid_length', message });
  }
  const users = work.use(UserRepository);
  if (await users.hasSuperAdmin(email))
    throw new AppError('conflict', undefined, 'The email address is already in use.');
  const id = work.newId();
  const passwordHash = await hashPassword(password);
  const { now } = work;
  await users.insert({
    id,
    tenantId: null,
    email,
    name,
    passwordHash,
    isSuperAdmin: true,
    status: 'active',
    avatarUrl: null,
    lastActiveAt: null,
    isTenantOwner: false,
    language: null,
    timeZone: null,
    theme: null,
    createdAt: now,
    updatedAt: now,
  });
  return { id };
}

/** Renews a session once. */
interface RefreshToken {
  readonly text: string;
  readonly hash: Buffer;
  readonly expiresAt: Date;
}

function newRefreshToken(now: Date): RefreshToken {
  const text = newToken('hwr_');
  const expiresAt = new Date(now.getTime() + limits.refreshTokenSeconds * 1000);
  return { text, hash: hashOfToken(text), expiresAt };
}

/** An account that may log in. */
export type Account = Pick<UserRow, 'id' | 'email' | 'name' | 'tenantId' | 'isSuperAdmin'>;

async function presentSession(
  { now, newId }: Pick<UnitOfWork, 'now' | 'newId'>,
  tokens: SessionTokens,
  {
    user,
    sessionId,
    refreshToken,
  }: {
    user: Account;
    sessionId: string;
    refreshToken: string;
  },
): Promise<Session> {
  const { id, email, name, tenantId, isSuperAdmin } = user;
  const tokenId = newId();
  const accessToken = await tokens.issue({ userId: id, tenantId, isSuperAdmin, tokenId, sessionId, now });
  return {
    accessToken,
    refreshToken,
    expiresIn: limits.accessTokenSeconds,
    tokenType: 'Bearer',
    user: { id, email, name, isSuperAdmin },
  };
}

type Input = InputOf<typeof sessions.login>;

/**
 * Passwords compared by each login without `tenantSlug`, however many accounts the address has, so that the time does
 * not reveal their number. Newer accounts of an address with more need `tenantSlug`.
 */
const COMPARISONS = 4;

export interface LoginServices {
  readonly tokens: SessionTokens;
  /** Forgets the failures of this address and tenant. */
  resetFailures(input: Pick<Input, 'email'>): Promise<void>;
}

interface Login {
  readonly account: LoginAccount;
  /** Whether no other account has this address and tenant. */
  readonly isOnly: boolean;
}

/** @throws AppError 401 `invalid_credentials`, 422 `tenant_required` with the tenants of the matching accounts only */
async function matchAccount(work: UnitOfWork, { email, password, tenantSlug }: Input): Promise<Login> {
  const comparisons = tenantSlug === undefined ? COMPARISONS : 1;
  const accounts = await work.use(UserRepository).loginAccounts(email, tenantSlug ?? null, comparisons);
  const matching: LoginAccount[] = [];
  for (let index = 0; index < comparisons; index += 1) {
    const account = accounts[index];
    const isRight = await verifyPassword(password, account?.passwordHash ?? null);
    if (account !== undefined && isRight) matching.push(account);
  }
  const [first] = matching;
  if (first === undefined) throw new AppError('invalid_credentials');
  // Super-admins are apart from tenants.
  if (matching.length > 1 && !first.isSuperAdmin)
    throw new AppError('tenant_required', { tenants: matching.map((account) => account.tenantSlug) });
  const known =
    tenantSlug === undefined ? accounts : await work.use(UserRepository).loginAccounts(email, null, 2);
  return { account: first, isOnly: known.length === 1 };
}

/**
 * Opens a session after every factor of the user is proven.
 * @throws AppError 403 `tenant_inactive`
 */
export async function openSession(work: UnitOfWork, user: Account, tokens: SessionTokens): Promise<Session> {
  const users = work.use(UserRepository);
  await users.assertTenantActive(user);
  const sessionId = work.newId();
  const { text: refreshToken, hash, expiresAt } = newRefreshToken(work.now);
  const sessions = work.use(SessionRepository);
  await sessions.open({ id: sessionId, userId: user.id, tenantId: user.tenantId, expiresAt });
  await sessions.addToken(sessionId, hash);
  users.recordLogin(user, sessionId);
  return presentSession(work, tokens, { user, sessionId, refreshToken });
}

/**
 * Every login whose first factor is proven, a password or the login at an identity provider, goes on here: to a session,
 * or to the challenge of an account with a second factor.
 * @throws AppError 403 `tenant_inactive`
 */
export async function afterFirstFactor(
  work: UnitOfWork,
  user: Account,
  tokens: SessionTokens,
): Promise<LoginResult> {
  const factors = work.use(SecondFactorRepository);
  const { enabledAt, passkeys } = await factors.state(user.id);
  if (enabledAt === null && passkeys === 0) return openSession(work, user, tokens);
  await work.use(UserRepository).assertTenantActive(user);
  const { token, expiresAt } = await factors.openChallenge(user);
  factors.noteChallenge(user);
  const ofAccount = { totp: enabledAt !== null, passkey: passkeys > 0, recovery_code: true };
  const methods = (['totp', 'passkey', 'recovery_code'] as const).filter((method) => ofAccount[method]);
  return { secondFactor: { token, methods, expiresAt: expiresAt.toISOString() } };
}

/** An unknown email address and a wrong password are indistinguishable, in response and in time. */
export async function login(
  work: UnitOfWork,
  input: Input,
  { tokens, resetFailures }: LoginServices,
): Promise<{ data: LoginResult }> {
  const { account: user, isOnly } = await matchAccount(work, input);
  if (!tokens.canIssue) throw new AppError('invalid_credentials');
  // Only who knows the password learns how the tenant logs in.
  if (!user.allowsPasswords) throw new AppError('sign_on_required', { tenantSlug: user.tenantSlug });
  const data = await afterFirstFactor(work, user, tokens);
  // The owner of one account must not clear the count of guesses at another.
  // Wrong codes count with wrong passwords until the login is complete.
  if (isOnly && 'accessToken' in data) await resetFailures(input);
  return { data };
}

/** Ends the session and all its tokens at once. Idempotent. */
export async function logout(
  work: UnitOfWork,
  input: InputOf<typeof sessions.logout>,
): Promise<{ data: { ended: true } }> {
  const sessions = work.use(SessionRepository);
  const session = await sessions.lockByToken(hashOfToken(input.refreshToken));
  if (session === undefined) throw new AppError('invalid_session');
  if (session.revokedAt === null) {
    await sessions.end(session);
    sessions.note('session.end', session);
  }
  return { data: { ended: true } };
}

/** Undefined if the session can be refreshed. */
function refreshError(session: SessionRow | undefined, now: Date): AppError | undefined {
  if (session?.revokedAt !== null || session.usedAt !== null) return new AppError('invalid_session');
  return session.expiresAt <= now ? new AppError('session_expired') : undefined;
}

/**
 * Exchanges a refresh token. A token used twice was stolen, so its session ends for both holders (RFC 9700 §4.14).
 * The error is returned, not thrown: a rollback would undo the end of the session.
 */
export async function refreshSession(
  work: UnitOfWork,
  input: InputOf<typeof sessions.refresh>,
  tokens: SessionTokens,
): Promise<{ data: Session } | AppError> {
  const used = hashOfToken(input.refreshToken);
  const sessions = work.use(SessionRepository);
  const session = await sessions.lockByToken(used);
  const refusal = refreshError(session, work.now);
  if (session !== undefined && session.usedAt !== null && session.revokedAt === null) {
    await sessions.end(session);
    sessions.note('session.reuse', session);
  }
  if (session === undefined || refusal !== undefined) return refusal ?? new AppError('invalid_session');
  const users = work.use(UserRepository);
  const user = await users.findById(session.userId);
  if (user?.status !== 'active' || !tokens.canIssue) return new AppError('invalid_session');
  await users.assertTenantActive(user);
  const next = newRefreshToken(work.now);
  await sessions.rotate(session, { used, next: next.hash, expiresAt: next.expiresAt });
  sessions.note('session.refresh', session);
  const parts = { user, sessionId: session.id, refreshToken: next.text };
  return { data: await presentSession(work, tokens, parts) };
}

/** Ends all sessions of the account and revokes its reset token (rule access/sessions). */
async function setPassword(
  work: UnitOfWork,
  user: UserRow,
  { password, verb }: { password: string; verb: 'password_change' | 'password_reset' },
): Promise<{ data: { changed: true } }> {
  const passwordHash = await hashPassword(password);
  await work
    .use(UserRepository)
    .save(user, { ...user, passwordHash, status: 'active', updatedAt: work.now }, verb);
  await work.use(SessionRepository).endAll(user.id);
  await work.use(PasswordResetRepository).end(user.id, 'revoked');
  await work.use(SecondFactorRepository).endChallenges(user.id);
  return { data: { changed: true } };
}

/** @throws AppError 401 `invalid_credentials` unless the user has no password */
export async function assertPassword(user: UserRow, password: string | undefined): Promise<void> {
  if (user.passwordHash === null) return;
  if (password === undefined || !(await verifyPassword(password, user.passwordHash)))
    throw new AppError('invalid_credentials', undefined, 'Incorrect current password.');
}

/** @throws AppError 401 `invalid_credentials`, also for a user without a password */
export async function changePassword(
  work: UnitOfWork,
  input: InputOf<typeof sessions.changePassword>,
): Promise<{ data: { changed: true } }> {
  const users = work.use(UserRepository);
  const user = await users.lock(work.scope.actor.id ?? '');
  await users.assertTenantActive(user);
  if (!(await verifyPassword(input.currentPassword, user.passwordHash)))
    throw new AppError('invalid_credentials', undefined, 'Incorrect current password.');
  return setPassword(work, user, { password: input.newPassword, verb: 'password_change' });
}

/** A failure rolls back, so the token is not spent. */
export async function resetPassword(
  work: UnitOfWork,
  input: InputOf<typeof sessions.resetPassword>,
): Promise<{ data: { changed: true } }> {
  const userId = await work.use(PasswordResetRepository).spend(input.resetToken);
  const users = work.use(UserRepository);
  const user = await users.lock(userId);
  if (user.status === 'suspended') throw new AppError('invalid_reset_token', { reason: 'revoked' });
  await users.assertTenantActive(user);
  return setPassword(work, user, { password: input.newPassword, verb: 'password_reset' });
}
