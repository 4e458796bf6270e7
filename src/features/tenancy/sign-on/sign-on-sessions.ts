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
import { randomSecretBytes } from '../../../infrastructure/ids.js';
import { SignOnFailure, type IdentityProviders } from '../../../infrastructure/sign-on/identity-provider.js';
import type { RunPart } from '../../../persistence/work/unit-of-work.js';
import { afterFirstFactor } from '../../access/sessions/index.js';
import { accountFor } from './sign-on-accounts.js';
import { SignOnRepository, type SignOnRow } from './sign-on.repository.js';

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

const random = (): string => Buffer.from(randomSecretBytes()).toString('base64url');

type ActiveSignOn = SignOnRow & { readonly issuer: string; readonly clientId: string };

const isUsable = (row: SignOnRow): row is ActiveSignOn =>
  row.isActive && row.issuer !== null && row.clientId !== null;

/** @throws AppError 503 if the secret was encrypted with another key */
function settingsOf(
  { issuer, clientId, clientSecret: sealed }: ActiveSignOn,
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
  const { tenant, row, now } = await inPart(async (work) => {
    const signOns = work.use(SignOnRepository);
    const found = await signOns.activeTenant({ slug: tenantSlug });
    return { tenant: found, row: found && (await signOns.of(found.id)), now: work.now };
  });
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
    return { tenantId: id, row: { ...(await signOns.of(id)), isActive: true } };
  });
  if (!isUsable(row)) throw unavailable();
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
  const { tenant, row, now } = await inPart(async (work) => {
    const signOns = work.use(SignOnRepository);
    const found = await signOns.activeTenant({ id: tenantId });
    return { tenant: found, row: await signOns.of(tenantId), now: work.now };
  });
  if (now.getTime() > expiresAt) throw new AppError('sign_on_failed', { reason: 'expired' });
  if (tenant === undefined) throw new AppError('tenant_inactive');
  if (!isUsable(row) || !tokens.canIssue) throw unavailable();
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
