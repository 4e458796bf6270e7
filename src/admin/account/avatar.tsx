import { useQuery } from '@tanstack/react-query';
import { limits } from '../../../contracts/limits.js';
import { client, queryClient } from '../api/client.js';
import { useSession } from '../api/session-store.js';

const AVATAR_MILLISECONDS = 10 * 60 * 1000;
/** Pictures that are asked for within this time are read in one call. */
const GATHER_MILLISECONDS = 20;

const keyOf = (userId: string): readonly string[] => ['avatar', userId];

let waiting: Map<string, ((image: string | null) => void)[]> | undefined;

/** Without pictures, initials are shown: a failure is none. */
async function readWaiting(): Promise<void> {
  const asked = [...(waiting ?? [])];
  waiting = undefined;
  for (let start = 0; start < asked.length; start += limits.avatarsPerCall) {
    const part = asked.slice(start, start + limits.avatarsPerCall);
    const userIds = part.map(([id]) => id);
    const { data } = await client.me.avatars.query({ userIds }).catch(() => ({ data: [] }));
    const images = new Map(data.map(({ userId, image }) => [userId, image]));
    for (const [id, resolves] of part) for (const resolve of resolves) resolve(images.get(id) ?? null);
  }
}

function avatarOf(userId: string): Promise<string | null> {
  return new Promise((resolve) => {
    if (waiting === undefined) setTimeout(() => void readWaiting(), GATHER_MILLISECONDS);
    waiting ??= new Map();
    waiting.set(userId, [...(waiting.get(userId) ?? []), resolve]);
  });
}

/** The data URI of the picture of a user; null if they have none. */
export function useAvatar(userId: string): string | null {
  const { status } = useSession();
  const { data = null } = useQuery({
    queryKey: keyOf(userId),
    queryFn: () => avatarOf(userId),
    staleTime: AVATAR_MILLISECONDS,
    enabled: status === 'open' && userId !== '',
  });
  return data;
}

/** After the user has changed it. */
export const keepAvatar = (userId: string, image: string | null): void => {
  queryClient.setQueryData(keyOf(userId), image);
};

export const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends
    .map((word = '') => [...word][0] ?? '')
    .join('')
    .toUpperCase();
};

interface Props {
  readonly userId: string;
  readonly name: string;
  readonly isLarge?: boolean;
}

/** The picture of a user, else their initials, which are no text: their name is said beside it. */
export function Avatar({ userId, name, isLarge = false }: Props) {
  const image = useAvatar(userId);
  return (
    <span
      aria-hidden="true"
      className={isLarge ? 'avatar large' : 'avatar'}
      data-initials={image === null ? initialsOf(name) : undefined}
    >
      {image !== null && <img alt="" src={image} />}
    </span>
  );
}
