import { useSyncExternalStore } from 'react';

export interface SessionUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly isSuperAdmin: boolean;
}

export interface StoredSession {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly user: SessionUser;
}

/** `lost`: it ended, and calls wait until the user has logged in again. */
export type SessionState =
  { readonly status: 'none' } | { readonly status: 'open' | 'lost'; readonly session: StoredSession };

const KEY = 'headwater.session';

/** Kept for the browser, so that every tab has the tokens that one of them renewed. */
export function storedSession(): StoredSession | undefined {
  const text = localStorage.getItem(KEY);
  return text === null ? undefined : (JSON.parse(text) as StoredSession);
}

const stateOf = (session: StoredSession | undefined): SessionState =>
  session === undefined ? { status: 'none' } : { status: 'open', session };

let state = stateOf(storedSession());
const listeners = new Set<() => void>();

export const sessionState = (): SessionState => state;

function change(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function keepSession(session: StoredSession): void {
  localStorage.setItem(KEY, JSON.stringify(session));
  change({ status: 'open', session });
}

export function forgetSession(): void {
  localStorage.removeItem(KEY);
  change({ status: 'none' });
}

export function loseSession(): void {
  if (state.status === 'open') change({ status: 'lost', session: state.session });
}

// Another tab has logged in, renewed or logged out.
addEventListener('storage', ({ key }) => {
  if (key === KEY) change(stateOf(storedSession()));
});

export const useSession = (): SessionState => useSyncExternalStore(subscribe, sessionState);
