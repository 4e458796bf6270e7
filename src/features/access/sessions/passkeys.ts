import { z } from 'zod';
import type {
  CreatedPasskey,
  Passkey,
  PasskeyOptions,
  passkeys,
} from '../../../../contracts/access/passkeys/passkeys.contract.js';
import type { Session } from '../../../../contracts/access/sessions/session.js';
import type { sessions } from '../../../../contracts/access/sessions/sessions.contract.js';
import { listEnvelope, type Deleted, type PageMeta } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { SealedBox } from '../../../access/sealed-box.js';
import type { SessionTokens } from '../../../access/session-token.js';
import {
  creationOptions,
  relyingParty,
  requestOptions,
  verifyAssertion,
  verifyCreated,
  type RelyingParty,
} from '../../../infrastructure/passkey-ceremony.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { PasskeyRepository, type PasskeyRow } from './passkey.repository.js';
import { ISSUER, giveCodes } from './second-factor.js';
import { SecondFactorRepository, type LoginChallenge } from './second-factor.repository.js';
import { UserRepository, type UserRow } from './session.repository.js';
import { assertPassword, openSession } from './sessions.js';

export interface PasskeyServices {
  /** Encrypts what a ceremony has to find again. */
  readonly box: SealedBox;
  /** Public URL of the service; empty if it is unknown. */
  readonly baseUrl: string;
}

const CONTEXT = 'passkey';

/** What a ceremony needs again. The browser keeps it, so that starting one costs no row. */
const Ceremony = z.strictObject({
  challenge: z.string(),
  /** Of a user who adds a passkey; null for a login. */
  userId: z.string().nullable(),
  /** Of a login whose first factor is proven. */
  login: z.string().nullable(),
  expiresAt: z.number(),
});
type Ceremony = z.infer<typeof Ceremony>;

const refused = (reason: 'unknown' | 'expired' | 'used' | 'counter' | 'refused'): AppError =>
  new AppError('invalid_passkey', { reason });

/** @throws AppError 404 `passkeys_not_available` */
function partyOf({ baseUrl }: PasskeyServices): RelyingParty {
  const party = relyingParty(baseUrl);
  if (party === undefined) throw new AppError('passkeys_not_available');
  return party;
}

function start<Options extends { readonly challenge: string }>(
  { now }: Pick<UnitOfWork, 'now'>,
  options: Options,
  { box, ...of }: Pick<Ceremony, 'userId' | 'login'> & Pick<PasskeyServices, 'box'>,
): { data: PasskeyOptions } {
  const expiresAt = now.getTime() + limits.passkeyChallengeSeconds * 1000;
  const ceremony: Ceremony = { challenge: options.challenge, userId: of.userId, login: of.login, expiresAt };
  return { data: { token: box.sealText(JSON.stringify(ceremony), CONTEXT), options: { ...options } } };
}

/** @throws AppError 401 `invalid_passkey` */
function openCeremony({ now }: Pick<UnitOfWork, 'now'>, box: SealedBox, token: string): Ceremony {
  const text = box.openText(token, CONTEXT);
  const read = text === undefined ? undefined : Ceremony.safeParse(JSON.parse(text));
  if (read?.success !== true) throw refused('refused');
  if (now.getTime() > read.data.expiresAt) throw refused('expired');
  return read.data;
}

const caller = (work: UnitOfWork): Promise<UserRow> =>
  work.use(UserRepository).lock(work.scope.actor.id ?? '');

function assertRoom(passkeys: number): void {
  const limit = limits.passkeysPerUser;
  if (passkeys >= limit) throw new AppError('limit_reached', { limit });
}

const presentPasskey = ({ id, name, isSynced, createdAt, lastUsedAt }: PasskeyRow): Passkey => ({
  id,
  name,
  isSynced,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

export async function listPasskeys(
  work: UnitOfWork,
  input: InputOf<typeof passkeys.list>,
): Promise<{ data: Passkey[]; meta: PageMeta }> {
  const { page, limit, orderBy } = input;
  const query = { orderBy, limit, offset: (page - 1) * limit };
  const { items, total } = await work.use(PasskeyRepository).list(query);
  return listEnvelope({ items: items.map(presentPasskey), total }, input);
}

/**
 * The password is asked for before the browser makes a passkey, which would stay on the device otherwise.
 * @throws AppError 401 `invalid_credentials`, 422 `limit_reached`
 */
export async function startPasskey(
  work: UnitOfWork,
  { currentPassword }: InputOf<typeof passkeys.start>,
  services: PasskeyServices,
): Promise<{ data: PasskeyOptions }> {
  const party = partyOf(services);
  const user = await caller(work);
  await assertPassword(user, currentPassword);
  const known = await work.use(PasskeyRepository).ofUser(user.id);
  assertRoom(known.length);
  const options = await creationOptions(party, { serviceName: ISSUER, user, known });
  return start(work, options, { userId: user.id, login: null, box: services.box });
}

/** @throws AppError 401 `invalid_passkey`, 409 `passkey_exists`, 422 `limit_reached` */
export async function createPasskey(
  work: UnitOfWork,
  { token, name, credential }: InputOf<typeof passkeys.create>,
  services: PasskeyServices,
): Promise<{ data: CreatedPasskey }> {
  const party = partyOf(services);
  const user = await caller(work);
  const { challenge, userId, expiresAt } = openCeremony(work, services.box, token);
  if (userId !== user.id) throw refused('refused');
  const created = await verifyCreated(party, credential, challenge);
  if (created === undefined) throw refused('refused');
  const repository = work.use(PasskeyRepository);
  if (!(await repository.spend(challenge, new Date(expiresAt)))) throw refused('used');
  const { enabledAt, passkeys: count } = await work.use(SecondFactorRepository).state(user.id);
  assertRoom(count);
  const { transports } = credential;
  const times = { createdAt: work.now, lastUsedAt: null };
  const row: PasskeyRow = { id: work.newId(), userId: user.id, name, transports, ...created, ...times };
  await repository.insert(row, user);
  repository.note('passkey_add', user, row);
  const isFirst = enabledAt === null && count === 0;
  const codes = isFirst ? (await giveCodes(work, user.id)).data.recoveryCodes : null;
  return { data: { passkey: presentPasskey(row), recoveryCodes: codes } };
}

/** @throws AppError 401 `invalid_credentials`, 404 `passkey_not_found` */
export async function removePasskey(
  work: UnitOfWork,
  { id, currentPassword }: InputOf<typeof passkeys.remove>,
): Promise<{ data: Deleted }> {
  const user = await caller(work);
  await assertPassword(user, currentPassword);
  const repository = work.use(PasskeyRepository);
  const removed = await repository.removeOwn(id);
  repository.note('passkey_remove', user, removed);
  await work.use(SecondFactorRepository).dropUnusedCodes(user.id);
  return { data: { id: removed.id, deleted: true } };
}

/** Any passkey of the service, or of the account whose first factor is proven. */
export async function startPasskeyLogin(
  work: UnitOfWork,
  { challenge: token }: InputOf<typeof sessions.startPasskey>,
  services: PasskeyServices,
): Promise<{ data: PasskeyOptions }> {
  const party = partyOf(services);
  const login = token === undefined ? null : await work.use(SecondFactorRepository).findChallenge(token);
  if (login === undefined) throw new AppError('invalid_challenge');
  const known = login === null ? [] : await work.use(PasskeyRepository).ofUser(login.userId);
  const options = await requestOptions(party, known);
  return start(work, options, { userId: null, login: token ?? null, box: services.box });
}

/** What the authenticator keeps as the user of a passkey. */
const handleOf = (userId: string): string => Buffer.from(userId).toString('base64url');

interface SignedLogin {
  readonly ceremony: Ceremony;
  readonly login: LoginChallenge | undefined;
  readonly party: RelyingParty;
}

/** The user whose passkey has signed the challenge, once; else why not. */
async function signedBy(
  work: UnitOfWork,
  { credential }: InputOf<typeof sessions.loginWithPasskey>,
  { ceremony, login, party }: SignedLogin,
): Promise<UserRow | AppError> {
  const repository = work.use(PasskeyRepository);
  const passkey = await repository.lockByCredential(credential.id);
  const user = passkey && (await work.use(UserRepository).findById(passkey.userId));
  if (passkey === undefined || user?.status !== 'active') return refused('unknown');
  if (login !== undefined && login.userId !== user.id) return refused('unknown');
  if (credential.userHandle !== undefined && handleOf(user.id) !== credential.userHandle)
    return refused('refused');
  const { challenge, expiresAt } = ceremony;
  const signed = await verifyAssertion(party, credential, { challenge, publicKey: passkey.publicKey });
  if (signed === undefined) return refused('refused');
  if (!(await repository.spend(challenge, new Date(expiresAt)))) return refused('used');
  // Authenticators that do not count always send 0. A signature is right and its counter is not: there are two of them.
  const counts = signed.counter > 0 || passkey.counter > 0;
  if (counts && signed.counter <= passkey.counter) {
    repository.note('passkey_refuse', user, passkey);
    return refused('counter');
  }
  await repository.use(passkey.id, signed);
  return user;
}

export interface PasskeyLoginServices extends PasskeyServices {
  readonly tokens: SessionTokens;
  /** Forgets the failures of this address. */
  resetFailures(input: { email: string }): Promise<void>;
}

/**
 * A login with a passkey alone, or the second step of another. A refusal is returned, not thrown: a rollback would undo
 * its record and the count of failures.
 * @throws AppError 401 `invalid_passkey`, `invalid_challenge`, 403 `sign_on_required`, `tenant_inactive`
 */
export async function loginWithPasskey(
  work: UnitOfWork,
  input: InputOf<typeof sessions.loginWithPasskey>,
  services: PasskeyLoginServices,
): Promise<{ data: Session } | AppError> {
  const party = partyOf(services);
  const ceremony = openCeremony(work, services.box, input.token);
  if (ceremony.userId !== null) throw refused('refused');
  const factors = work.use(SecondFactorRepository);
  const login = ceremony.login === null ? undefined : await factors.lockChallenge(ceremony.login);
  if (ceremony.login !== null && login === undefined) throw new AppError('invalid_challenge');
  const user = await signedBy(work, input, { ceremony, login, party });
  if (user instanceof AppError) {
    if (login !== undefined) await factors.failChallenge(login);
    return user;
  }
  if (!services.tokens.canIssue) throw refused('refused');
  const users = work.use(UserRepository);
  if (login === undefined) await users.assertLocalLogin(user);
  await factors.endChallenges(user.id);
  const data = await openSession(work, user, services.tokens);
  // The owner of one account must not clear the count of guesses at another.
  if ((await users.loginAccounts(user.email, null, 2)).length === 1) await services.resetFailures(user);
  return { data };
}
