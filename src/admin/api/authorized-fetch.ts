import { refresh } from './sessions-client.js';
import { loseSession, sessionState, storedSession, subscribe } from './session-store.js';

/** A token is renewed this long before it expires. */
const MARGIN_MILLISECONDS = 60_000;

/** Tokens are renewed by one tab at a time, because a refresh token can be used once. */
function exclusively<T>(work: () => Promise<T>): Promise<T> {
  // Browsers have locks in secure contexts only.
  const locks = navigator.locks as LockManager | undefined;
  return locks === undefined ? work() : (locks.request('headwater.session', work) as Promise<T>);
}

/** Resolves when the user has logged in again. @throws Error if the user has logged out instead */
function nextLogin(): Promise<string> {
  return new Promise((resolve, reject) => {
    const stop = subscribe(() => {
      const state = sessionState();
      if (state.status === 'lost') return;
      stop();
      if (state.status === 'open') resolve(state.session.accessToken);
      else reject(new Error('logged out'));
    });
  });
}

/** A token other than the one that was refused. */
async function renewed(refused: string): Promise<string> {
  const session = await exclusively(async () => {
    const stored = storedSession();
    return stored?.accessToken === refused ? refresh(stored) : stored;
  });
  if (session !== undefined) return session.accessToken;
  if (sessionState().status === 'none') throw new Error('logged out');
  const login = nextLogin();
  loseSession();
  return login;
}

let renewing: Promise<string> | undefined;

function renew(refused: string): Promise<string> {
  renewing ??= renewed(refused).finally(() => {
    renewing = undefined;
  });
  return renewing;
}

/** The token for the next call, renewed when it is about to expire. */
async function sessionToken(): Promise<string> {
  const state = sessionState();
  if (state.status === 'none') throw new Error('logged out');
  const { accessToken, expiresAt } = state.session;
  const isFresh = state.status === 'open' && expiresAt - MARGIN_MILLISECONDS > Date.now();
  return isFresh ? accessToken : renew(accessToken);
}

const refusals = ['unauthorized', 'invalid_session', 'session_expired'];

/** Whether the credential was refused, rather than what the call says. */
async function isRefused(response: Response): Promise<boolean> {
  if (response.status !== 401) return false;
  const text = await response.clone().text();
  return refusals.some((code) => text.includes(`"error":"${code}"`));
}

/** `fetch` with the session. A call whose session has ended waits until the user has logged in again. */
export async function authorizedFetch(url: string, init: RequestInit): Promise<Response> {
  let token = await sessionToken();
  for (;;) {
    const headers = new Headers(init.headers);
    headers.set('Authorization', `Bearer ${token}`);
    const response = await fetch(url, { ...init, headers });
    if (!(await isRefused(response))) return response;
    token = await renew(token);
  }
}
