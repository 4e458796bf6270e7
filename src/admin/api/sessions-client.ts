import { createTRPCClient, httpLink } from '@trpc/client';
import type { AppRouter } from '../../procedures/app-router.js';
import { apiOrigin } from './origin.js';
import { failureOf } from './failure.js';
import { keepSession, forgetSession, sessionState, type StoredSession } from './session-store.js';

/** Needs no session. */
export const openClient = createTRPCClient<AppRouter>({
  links: [httpLink({ url: `${apiOrigin}/api/trpc` })],
});

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly tenantSlug?: string;
}

/** Of a login that needs a second factor. */
export interface LoginChallenge {
  readonly token: string;
  readonly methods: readonly ('totp' | 'passkey' | 'recovery_code')[];
}

type RefreshedSession = Awaited<ReturnType<typeof openClient.sessions.refresh.mutate>>['data'];

export function keepAnswer({ accessToken, refreshToken, expiresIn, user }: RefreshedSession): StoredSession {
  const session = { accessToken, refreshToken, expiresAt: Date.now() + expiresIn * 1000, user };
  keepSession(session);
  return session;
}

/** @throws what the service refuses the credentials with */
export async function logIn(credentials: Credentials): Promise<StoredSession | LoginChallenge> {
  keepProviderLogout(null);
  const { data } = await openClient.sessions.login.mutate(credentials);
  return 'secondFactor' in data ? data.secondFactor : keepAnswer(data);
}

/** Completes a login that needs a code. */
export async function logInWithCode(token: string, code: string): Promise<StoredSession> {
  return keepAnswer((await openClient.sessions.loginWithCode.mutate({ token, code })).data);
}

/** Undefined if the session has ended. */
export async function refresh({ refreshToken }: StoredSession): Promise<StoredSession | undefined> {
  try {
    return keepAnswer((await openClient.sessions.refresh.mutate({ refreshToken })).data);
  } catch (error) {
    if (['invalid_session', 'session_expired', 'tenant_inactive'].includes(failureOf(error).code))
      return undefined;
    throw error;
  }
}

/** A mail is sent if an account has the address, which the service does not reveal. */
export async function requestPassword(address: Pick<Credentials, 'email' | 'tenantSlug'>): Promise<void> {
  await openClient.sessions.forgotPassword.mutate(address);
}

/** Whose account a link is for. @throws `invalid_reset_token` with the reason */
export async function readLink(resetToken: string) {
  return (await openClient.sessions.readLink.mutate({ resetToken })).data;
}

/** Ends every session of the account. @throws `invalid_reset_token` with the reason */
export async function setPassword(resetToken: string, newPassword: string): Promise<void> {
  await openClient.sessions.resetPassword.mutate({ resetToken, newPassword });
}

/** Page of the identity provider that ends the session there, of a user who has signed on. */
const PROVIDER_LOGOUT = 'headwater.sign-on-logout';

export const keepProviderLogout = (url: string | null): void => {
  if (url === null) localStorage.removeItem(PROVIDER_LOGOUT);
  else localStorage.setItem(PROVIDER_LOGOUT, url);
};

/**
 * Also ends it on the service, and at the identity provider of a user who has signed on. When the service is not
 * reached, the session expires there.
 */
export async function logOut(): Promise<void> {
  const state = sessionState();
  const page = localStorage.getItem(PROVIDER_LOGOUT);
  keepProviderLogout(null);
  forgetSession();
  if (state.status !== 'none')
    await openClient.sessions.logout
      .mutate({ refreshToken: state.session.refreshToken })
      .catch(() => undefined);
  if (page !== null) location.assign(page);
}

const STARTED = 'headwater.sign-on';
const TENANT = 'headwater.sign-on-tenant';

/** Where the identity provider returns the browser. */
export const signOnPage = (): string => new URL(`${import.meta.env.BASE_URL}sign-on`, location.href).href;

/** Of the last sign-on in this browser, or what the address of the login page names. */
export const lastTenant = (): string =>
  new URLSearchParams(location.search).get('tenant') ?? localStorage.getItem(TENANT) ?? '';

/** Leaves the app for the page of the provider. @throws what the service refuses it with */
export async function startSignOn(tenantSlug: string): Promise<void> {
  const { data } = await openClient.signOn.start.mutate({ tenantSlug, redirectUri: signOnPage() });
  const { pathname, search } = location;
  localStorage.setItem(TENANT, tenantSlug);
  sessionStorage.setItem(STARTED, JSON.stringify({ token: data.signOnToken, page: pathname + search }));
  location.assign(data.authorizationUrl);
}

/**
 * The page that the user wanted, with the challenge of a second factor if there is one.
 * @throws what the service refuses it with
 */
export async function finishSignOn(response: string): Promise<{ page: string; challenge?: LoginChallenge }> {
  const text = sessionStorage.getItem(STARTED) ?? '{}';
  const { token = '-', page = import.meta.env.BASE_URL } = JSON.parse(text) as {
    token?: string;
    page?: string;
  };
  sessionStorage.removeItem(STARTED);
  const { data } = await openClient.signOn.finish.mutate({ signOnToken: token, response });
  keepProviderLogout(data.logoutUrl);
  if ('secondFactor' in data.session) return { page, challenge: data.session.secondFactor };
  keepAnswer(data.session);
  return { page };
}
