import type { secondFactor } from '../../../../contracts/access/second-factor/second-factor.contract.js';
import type { SecondFactor, Session } from '../../../../contracts/access/sessions/session.js';
import type { sessions } from '../../../../contracts/access/sessions/sessions.contract.js';
import { AppError } from '../../../../contracts/errors.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { SealedBox } from '../../../access/sealed-box.js';
import type { SessionTokens } from '../../../access/session-token.js';
import {
  checkTotp,
  hashRecoveryCode,
  newRecoveryCodes,
  newTotpSecret,
  plainCode,
  totpAddress,
} from '../../../infrastructure/second-factor-codes.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { SecondFactorRepository } from './second-factor.repository.js';
import { UserRepository, type UserRow } from './session.repository.js';
import { openSession } from './sessions.js';

/** What an authenticator app shows beside the address of the user. */
export const ISSUER = 'Headwater';

const contextOf = (userId: string): string => `second factor ${userId}`;

const messages = {
  wrong: 'The code is not valid.',
  used: 'The code was used already. Wait for the next one.',
  clock: 'The code is of another time. Correct the clock of the device that shows it.',
} as const;

const invalidCode = (reason: keyof typeof messages): AppError =>
  new AppError('invalid_second_factor', { reason }, messages[reason]);

/** Undefined if the code is right; it is then used up. A recovery code does not confirm a secret. */
async function refuseCode(
  work: UnitOfWork,
  box: SealedBox,
  { userId, code, isConfirming = false }: { userId: string; code: string; isConfirming?: boolean },
): Promise<AppError | undefined> {
  const factors = work.use(SecondFactorRepository);
  const factor = await factors.lock(userId);
  const hasApp = factor !== undefined && (factor.confirmedAt !== null || isConfirming);
  if (!hasApp && (isConfirming || (await factors.state(userId)).passkeys === 0))
    return new AppError('second_factor_not_enabled');
  if (!isConfirming && !/^\d{6}$/.test(plainCode(code)))
    return (await factors.spendCode(userId, hashRecoveryCode(code))) ? undefined : invalidCode('wrong');
  if (!hasApp) return invalidCode('wrong');
  const secret = box.open(factor.secret, contextOf(userId));
  if (secret === undefined) return invalidCode('wrong');
  const result = checkTotp(secret, plainCode(code), { now: work.now, lastStep: factor.lastStep });
  if ('refused' in result) return invalidCode(result.refused);
  await factors.useStep(userId, result.step);
  return undefined;
}

const caller = (work: UnitOfWork): Promise<UserRow> =>
  work.use(UserRepository).lock(work.scope.actor.id ?? '');

export async function getSecondFactor(work: UnitOfWork): Promise<{ data: SecondFactor }> {
  const { enabledAt, ...rest } = await work.use(SecondFactorRepository).state(work.scope.actor.id ?? '');
  return {
    data: { isEnabled: enabledAt !== null, enabledAt: enabledAt?.toISOString() ?? null, ...rest },
  };
}

/** @throws AppError 409 `second_factor_enabled` */
export async function enrollSecondFactor(
  work: UnitOfWork,
  _input: InputOf<typeof secondFactor.enroll>,
  box: SealedBox,
): Promise<{ data: { secret: string; uri: string } }> {
  const user = await caller(work);
  const factors = work.use(SecondFactorRepository);
  const known = await factors.lock(user.id);
  if (typeof known?.confirmedAt === 'object' && known.confirmedAt !== null)
    throw new AppError('second_factor_enabled');
  const secret = newTotpSecret();
  await factors.begin(user, box.seal(secret, contextOf(user.id)));
  factors.note('second_factor_start', user);
  return { data: { secret, uri: totpAddress(secret, { account: user.email, issuer: ISSUER }) } };
}

export async function giveCodes(
  work: UnitOfWork,
  userId: string,
): Promise<{ data: { recoveryCodes: string[] } }> {
  const recoveryCodes = newRecoveryCodes();
  await work.use(SecondFactorRepository).replaceCodes(userId, recoveryCodes.map(hashRecoveryCode));
  return { data: { recoveryCodes } };
}

/** @throws AppError 401 `invalid_second_factor`, 409 `second_factor_enabled`, `second_factor_not_enabled` */
export async function confirmSecondFactor(
  work: UnitOfWork,
  { code }: InputOf<typeof secondFactor.confirm>,
  box: SealedBox,
): Promise<{ data: { recoveryCodes: string[] } }> {
  const user = await caller(work);
  const factors = work.use(SecondFactorRepository);
  const known = await factors.lock(user.id);
  if (known !== undefined && known.confirmedAt !== null) throw new AppError('second_factor_enabled');
  const refusal = await refuseCode(work, box, { userId: user.id, code, isConfirming: true });
  if (refusal !== undefined) throw refusal;
  factors.note('second_factor_enable', user);
  return giveCodes(work, user.id);
}

/** @throws AppError 401 `invalid_second_factor`, 409 `second_factor_not_enabled` */
export async function renewRecoveryCodes(
  work: UnitOfWork,
  { code }: InputOf<typeof secondFactor.renewCodes>,
  box: SealedBox,
): Promise<{ data: { recoveryCodes: string[] } }> {
  const user = await caller(work);
  const refusal = await refuseCode(work, box, { userId: user.id, code });
  if (refusal !== undefined) throw refusal;
  work.use(SecondFactorRepository).note('recovery_codes_renew', user);
  return giveCodes(work, user.id);
}

/** @throws AppError 401 `invalid_second_factor`, 409 `second_factor_not_enabled` */
export async function disableSecondFactor(
  work: UnitOfWork,
  { code }: InputOf<typeof secondFactor.disable>,
  box: SealedBox,
): Promise<{ data: SecondFactor }> {
  const user = await caller(work);
  const refusal = await refuseCode(work, box, { userId: user.id, code });
  if (refusal !== undefined) throw refusal;
  const factors = work.use(SecondFactorRepository);
  if (!(await factors.hasApp(user.id))) throw new AppError('second_factor_not_enabled');
  await factors.remove(user.id);
  factors.note('second_factor_disable', user);
  return getSecondFactor(work);
}

export interface CodeLoginServices {
  readonly tokens: SessionTokens;
  readonly box: SealedBox;
  /** Counts an attempt at this address with its failed logins. @throws AppError 429 `rate_limit_exceeded` */
  countAttempt(input: { email: string }): Promise<void>;
  /** Forgets the failures of this address. */
  resetFailures(input: { email: string }): Promise<void>;
}

/**
 * The second step of a login. A wrong code is returned, not thrown: a rollback would undo its count.
 * @throws AppError 401 `invalid_challenge`, 429 `rate_limit_exceeded`
 */
export async function loginWithCode(
  work: UnitOfWork,
  { token, code }: InputOf<typeof sessions.loginWithCode>,
  { tokens, box, countAttempt, resetFailures }: CodeLoginServices,
): Promise<{ data: Session } | AppError> {
  const factors = work.use(SecondFactorRepository);
  const challenge = await factors.lockChallenge(token);
  if (challenge === undefined) throw new AppError('invalid_challenge');
  const users = work.use(UserRepository);
  const user = await users.findById(challenge.userId);
  if (user?.status !== 'active' || !tokens.canIssue) throw new AppError('invalid_challenge');
  await countAttempt(user);
  const refusal = await refuseCode(work, box, { userId: user.id, code });
  if (refusal !== undefined) {
    await factors.failChallenge(challenge);
    return refusal;
  }
  await factors.endChallenges(user.id);
  const data = await openSession(work, user, tokens);
  // The owner of one account must not clear the count of guesses at another.
  if ((await users.loginAccounts(user.email, null, 2)).length === 1) await resetFailures(user);
  return { data };
}
