import { AppError } from '../../../contracts/errors.js';
import type { sessions } from '../../../contracts/platform/sessions.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Session } from '../../../contracts/resources/session.js';
import type { SessionTokens } from '../../access/session-token.js';
import { verifyPassword } from '../../infrastructure/passwords.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { newRefreshToken, presentSession } from './session-tokens.js';
import { SessionRepository } from './session.repository.js';
import { UserRepository, type LoginAccount } from './user.repository.js';

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

/** An unknown email address and a wrong password are indistinguishable, in response and in time. */
export async function login(
  work: UnitOfWork,
  input: Input,
  { tokens, resetFailures }: LoginServices,
): Promise<{ data: Session }> {
  const { account: user, isOnly } = await matchAccount(work, input);
  if (!tokens.canIssue) throw new AppError('invalid_credentials');
  const users = work.use(UserRepository);
  await users.assertTenantActive(user);
  const sessionId = work.newId();
  const { text: refreshToken, hash, expiresAt } = newRefreshToken(work.now);
  const sessions = work.use(SessionRepository);
  await sessions.open({ id: sessionId, userId: user.id, tenantId: user.tenantId, expiresAt });
  await sessions.addToken(sessionId, hash);
  users.recordLogin(user, sessionId);
  const data = await presentSession(work, tokens, { user, sessionId, refreshToken });
  // The owner of one account must not clear the count of guesses at another.
  if (isOnly) await resetFailures(input);
  return { data };
}
