import { createTRPCClient, httpLink } from '@trpc/client';
import type { AppRouter } from '../../procedures/app-router.js';
import { apiOrigin } from './origin.js';
import { failureOf } from './failure.js';
import { keepSession, forgetSession, sessionState, type StoredSession } from './session-store.js';

/** Needs no session. */
const client = createTRPCClient<AppRouter>({ links: [httpLink({ url: `${apiOrigin}/api/trpc` })] });

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly tenantSlug?: string;
}

type Answer = Awaited<ReturnType<typeof client.sessions.refresh.mutate>>['data'];

function keep({ accessToken, refreshToken, expiresIn, user }: Answer): StoredSession {
  const session = { accessToken, refreshToken, expiresAt: Date.now() + expiresIn * 1000, user };
  keepSession(session);
  return session;
}

/** @throws what the service refuses the credentials with */
export async function logIn(
  credentials: Credentials,
): Promise<StoredSession | { readonly challenge: string }> {
  const { data } = await client.sessions.login.mutate(credentials);
  return 'secondFactor' in data ? { challenge: data.secondFactor.token } : keep(data);
}

/** Completes a login that needs a code. */
export async function logInWithCode(token: string, code: string): Promise<StoredSession> {
  return keep((await client.sessions.loginWithCode.mutate({ token, code })).data);
}

/** Undefined if the session has ended. */
export async function refresh({ refreshToken }: StoredSession): Promise<StoredSession | undefined> {
  try {
    return keep((await client.sessions.refresh.mutate({ refreshToken })).data);
  } catch (error) {
    if (['invalid_session', 'session_expired', 'tenant_inactive'].includes(failureOf(error).code))
      return undefined;
    throw error;
  }
}

/** A mail is sent if an account has the address, which the service does not reveal. */
export async function requestPassword(address: Pick<Credentials, 'email' | 'tenantSlug'>): Promise<void> {
  await client.sessions.forgotPassword.mutate(address);
}

/** Ends every session of the account. @throws `invalid_reset_token` with the reason */
export async function setPassword(resetToken: string, newPassword: string): Promise<void> {
  await client.sessions.resetPassword.mutate({ resetToken, newPassword });
}

/** Also ends it on the service; when that is not reached, it expires there. */
export async function logOut(): Promise<void> {
  const state = sessionState();
  forgetSession();
  if (state.status !== 'none')
    await client.sessions.logout.mutate({ refreshToken: state.session.refreshToken }).catch(() => undefined);
}
