import { sessionState, subscribe } from '../api/session-store.js';

/** Something that was opened; only its id is kept. */
export interface RecentItem {
  readonly kind: 'entry' | 'asset';
  readonly id: string;
}

const PREFIX = 'headwater.recent.';
const MOST = 8;

/** Of one user, because several may use this browser. */
function keyOf(project: string, environment: string): string {
  const state = sessionState();
  const user = state.status === 'none' ? '' : state.session.user.id;
  return `${PREFIX}${user}.${project}/${environment}`;
}

/** What was opened last in this browser, newest first. */
export function recentItems(project: string, environment: string): readonly RecentItem[] {
  return JSON.parse(localStorage.getItem(keyOf(project, environment)) ?? '[]') as RecentItem[];
}

export function rememberItem(project: string, environment: string, item: RecentItem): void {
  const others = recentItems(project, environment).filter(({ id }) => id !== item.id);
  localStorage.setItem(keyOf(project, environment), JSON.stringify([item, ...others].slice(0, MOST)));
}

// The next user of this browser does not see what this one opened.
subscribe(() => {
  if (sessionState().status !== 'none') return;
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
});
