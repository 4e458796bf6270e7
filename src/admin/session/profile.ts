import { useQuery } from '@tanstack/react-query';
import { client, queryClient, type Outputs } from '../api/client.js';
import { sessionState, useSession } from '../api/session-store.js';
import { chooseLanguage, language, languages } from '../texts/index.js';
import { applyTheme } from '../ui/theme.js';
import { keepTimeZone } from '../ui/time-zone.js';

export type Profile = Outputs['me']['get']['data'];

const PROFILE_MILLISECONDS = 5 * 60 * 1000;

const profileKey = (userId: string): readonly string[] => ['me', userId];

/** The user who is logged in. */
export function useProfile() {
  const session = useSession();
  return useQuery({
    queryKey: profileKey(session.status === 'none' ? '' : session.session.user.id),
    queryFn: async () => (await client.me.get.query({})).data,
    staleTime: PROFILE_MILLISECONDS,
    enabled: session.status !== 'none',
  });
}

/** What the profile leaves open stays as this browser has it. Texts and times need a new page. */
export function applyProfile({ language: wanted, timeZone, theme }: Profile): void {
  if (theme !== null) applyTheme(theme);
  const isOtherZone = keepTimeZone(timeZone);
  const known = languages.find(({ code }) => code === wanted)?.code;
  if (known !== undefined && known !== language) chooseLanguage(known);
  else if (isOtherZone) location.reload();
}

/** Nothing is saved without a session: the choice then is that of the browser. */
export async function saveProfile(change: Parameters<typeof client.me.update.mutate>[0]): Promise<void> {
  const state = sessionState();
  if (state.status !== 'open') return;
  const { data } = await client.me.update.mutate(change);
  queryClient.setQueryData(profileKey(state.session.user.id), data);
}
