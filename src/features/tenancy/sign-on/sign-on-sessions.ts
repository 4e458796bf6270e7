import { z } from 'zod';
import { AppError } from '../../../../contracts/errors.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type {
  FinishedSignOn,
  signOn,
  SignOnCheck,
  StartedSignOn,
} from '../../../../contracts/tenancy/sign-on/sign-on.contract.js';
import type { SealedBox } from '../../../access/sealed-box.js';
import type { SessionTokens } from '../../../access/session-token.js';
import { newToken } from '../../../infrastructure/ids.js';
import {
  SignOnFailure,
  type IdentityProviders,
  type ProvenIdentity,
} from '../../../infrastructure/sign-on/identity-provider.js';
import type { RunPart, UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { afterFirstFactor } from '../../access/sessions/index.js';
import { SignOnRepository, type SignOnRow } from './sign-on.repository.js';
import { limits } from '../../../../contracts/limits.js';
import { AccountRepository, newAccount } from '../../access/users/index.js';
import { IdentityRepository, type SignedOnUser } from './identity.repository.js';

interface SignOnOfUser {
  readonly tenantId: string;
  readonly issuer: string;
  readonly signOn: SignOnRow;
  readonly identity: ProvenIdentity;
}

const failed = (reason: string): AppError => new AppError('sign_on_failed', { reason });

const Address = z.email().max(320);

/** Null unless the provider has verified it: an address that anybody may claim opens no account. */
function verifiedAddress({ email, isEmailVerified }: ProvenIdentity): string | null {
  if (!isEmailVerified) return null;
  const { success, data } = Address.safeParse(email);
  return success ? data : null;
}

/** One line, without control characters; undefined if nothing is left. */
function nameOf({ name }: ProvenIdentity): string | undefined {
  const line = (name ?? '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, limits.nameLength);
  return line === '' ? undefined : line;
}

/** @throws AppError 401 `sign_on_failed`, 422 `limit_reached` */
async function newUser(
  work: UnitOfWork,
  { tenantId, signOn, identity }: SignOnOfUser,
  email: string,
): Promise<SignedOnUser> {
  if (!signOn.createsAccounts) throw failed('no_account');
  const accounts = work.use(AccountRepository);
  await accounts.assertRoom(tenantId, { locks: true });
  const invited = newAccount(work, { tenantId, email, name: nameOf(identity), passwordHash: null });
  const account = { ...invited, status: 'active' as const, tenantId };
  // Another user may have invited this one in the same moment.
  await accounts.insert(account, failed('email_conflict'));
  work.use(IdentityRepository).noteCreated(account);
  return account;
}

/** The user of the identity, else of its verified address, else a new one. */
async function findUser(
  work: UnitOfWork,
  { tenantId, issuer, ...rest }: SignOnOfUser,
): Promise<SignedOnUser> {
  const users = work.use(IdentityRepository);
  const link = { tenantId, issuer, subject: rest.identity.subject };
  const address = verifiedAddress(rest.identity);
  await users.holdIdentity(link);
  const linked = await users.linkedUser(link);
  if (linked !== undefined) {
    const hasMoved = address !== null && address.toLowerCase() !== linked.email.toLowerCase();
    return hasMoved ? users.moveTo(linked, address) : linked;
  }
  if (address === null) throw failed('email_not_verified');
  const known = await users.byAddress(tenantId, address);
  const user = known ?? (await newUser(work, { tenantId, issuer, ...rest }, address));
  await users.link(link, user);
  return user;
}

/**
 * Finds, links or creates the account of a user whom the provider has identified, and gives it the roles of its groups.
 * @throws AppError 401 `sign_on_failed` with `details.reason`, 422 `limit_reached`
 */
async function accountFor(work: UnitOfWork, signedOn: SignOnOfUser): Promise<SignedOnUser> {
  const { tenantId, signOn, identity } = signedOn;
  const groups = new Set(identity.groups);
  const given = signOn.groupRoles.filter(({ group }) => groups.has(group));
  if (signOn.requiresGroup && given.length === 0) throw failed('missing_group');
  const user = await findUser(work, signedOn);
  if (user.status === 'suspended') throw failed('account_suspended');
  const users = work.use(IdentityRepository);
  const active = await users.activate(user);
  await users.setRoles(active, { tenantId, managed: signOn.groupRoles, given });
  return active;
}

export interface SignOnSessionServices {
  readonly providers: IdentityProviders;
  readonly tokens: SessionTokens;
  /** Encrypts client secrets. */
  readonly secretBox: SealedBox;
  /** Encrypts what a sign-on has to find again. */
  readonly stateBox: SealedBox;
}

/** A user may have to find a second device, but not longer. */
const SECONDS = 600;
const CONTEXT = 'sign-on';

/** Everything that a sign-on needs again. It is kept by the browser, so that starting one costs no row. */
const State = z.strictObject({
  tenantId: z.uuid(),
  redirectUri: z.url(),
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  expiresAt: z.number(),
});

const random = (): string => newToken('');

type CompleteSignOn = SignOnRow & { readonly issuer: string; readonly clientId: string };

const isComplete = (row: SignOnRow): row is CompleteSignOn => row.issuer !== null && row.clientId !== null;
const isUsable = (row: SignOnRow): row is CompleteSignOn => row.isActive && isComplete(row);

/** Undefined for a tenant that is unknown or deactivated. */
async function readSignOn(work: UnitOfWork, by: { readonly slug: string } | { readonly id: string }) {
  const signOns = work.use(SignOnRepository);
  const tenant = await signOns.activeTenant(by);
  return { tenant, row: tenant && (await signOns.of(tenant.id)), now: work.now };
}

/** @throws AppError 503 if the secret was encrypted with another key */
function settingsOf(
  { issuer, clientId, clientSecret: sealed }: CompleteSignOn,
  { tenantId, secretBox }: { readonly tenantId: string; readonly secretBox: SealedBox },
) {
  const clientSecret = sealed === null ? null : secretBox.openText(sealed, tenantId);
  if (clientSecret === undefined)
    throw new AppError('identity_provider_unavailable', { reason: 'secret_unreadable' });
  return { issuer, clientId, clientSecret };
}

function errorOf(error: unknown): unknown {
  if (!(error instanceof SignOnFailure)) return error;
  const { kind, reason } = error;
  return new AppError(kind === 'unavailable' ? 'identity_provider_unavailable' : 'sign_on_failed', {
    reason,
  });
}

const unavailable = (): AppError => new AppError('sign_on_not_available');

export async function startSignOn(
  inPart: RunPart,
  { tenantSlug, redirectUri }: InputOf<typeof signOn.start>,
  { providers, secretBox, stateBox }: SignOnSessionServices,
): Promise<{ data: StartedSignOn }> {
  const { tenant, row, now } = await inPart((work) => readSignOn(work, { slug: tenantSlug }));
  if (tenant === undefined || row === undefined || !isUsable(row)) throw unavailable();
  const checks = { state: random(), nonce: random(), codeVerifier: random() };
  try {
    const authorizationUrl = await providers.authorizationUrl(
      settingsOf(row, { tenantId: tenant.id, secretBox }),
      { ...checks, scopes: row.scopes, redirectUri },
    );
    const kept = { tenantId: tenant.id, redirectUri, ...checks, expiresAt: now.getTime() + SECONDS * 1000 };
    const signOnToken = stateBox.sealText(JSON.stringify(kept), CONTEXT);
    return { data: { authorizationUrl, signOnToken, label: row.label } };
  } catch (error) {
    throw errorOf(error);
  }
}

/** Also of a provider that is not active yet. */
export async function checkSignOn(
  inPart: RunPart,
  { tenantSlug }: InputOf<typeof signOn.check>,
  { providers, secretBox }: Pick<SignOnSessionServices, 'providers' | 'secretBox'>,
): Promise<{ data: SignOnCheck }> {
  const { tenantId, row } = await inPart(async (work) => {
    const signOns = work.use(SignOnRepository);
    const { id } = await signOns.tenant(tenantSlug);
    return { tenantId: id, row: await signOns.of(id) };
  });
  if (!isComplete(row)) throw unavailable();
  try {
    await providers.check(settingsOf(row, { tenantId, secretBox }));
    return { data: { isReady: true, reason: null } };
  } catch (error) {
    if (error instanceof SignOnFailure) return { data: { isReady: false, reason: error.reason } };
    throw error;
  }
}

/** @throws AppError 401 `sign_on_failed` */
function openState(box: SealedBox, token: string): z.infer<typeof State> {
  const text = box.openText(token, CONTEXT);
  const read = text === undefined ? undefined : State.safeParse(JSON.parse(text));
  if (read?.success !== true) throw new AppError('sign_on_failed', { reason: 'invalid_token' });
  return read.data;
}

export async function finishSignOn(
  inPart: RunPart,
  { signOnToken, response }: InputOf<typeof signOn.finish>,
  { providers, tokens, secretBox, stateBox }: SignOnSessionServices,
): Promise<{ data: FinishedSignOn }> {
  const { tenantId, redirectUri, expiresAt, ...checks } = openState(stateBox, signOnToken);
  const { tenant, row, now } = await inPart((work) => readSignOn(work, { id: tenantId }));
  if (now.getTime() > expiresAt) throw new AppError('sign_on_failed', { reason: 'expired' });
  if (tenant === undefined) throw new AppError('tenant_inactive');
  if (row === undefined || !isUsable(row) || !tokens.canIssue) throw unavailable();
  const identity = await providers
    .identify(
      settingsOf(row, { tenantId, secretBox }),
      Object.assign(new URL(redirectUri), { search: response, hash: '' }),
      { ...checks, groupsClaim: row.groupsClaim },
    )
    .catch((error: unknown) => {
      throw errorOf(error);
    });
  const session = await inPart(async (work) => {
    const user = await accountFor(work, { tenantId, signOn: row, issuer: row.issuer, identity });
    return afterFirstFactor(work, user, tokens);
  });
  return { data: { session, logoutUrl: identity.logoutUrl } };
}
