import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.js';
import { everyItem, PAGE_SIZE } from '../api/every-item.js';
import { failureOf } from '../api/failure.js';
import { useProject } from '../api/project-data.js';
import { sessionState } from '../api/session-store.js';

interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** The user of the session. */
export function self(): Person {
  const state = sessionState();
  return state.status === 'none' ? { id: '', name: '', email: '' } : state.session.user;
}

const USERS_MILLISECONDS = 60_000;

/** Who can be given work. Those who may not list the members can give it to themselves. */
export function useMembers(): readonly Person[] {
  const { slug: projectSlug } = useProject();
  const { data = [] } = useQuery({
    queryKey: ['members', projectSlug],
    queryFn: async (): Promise<Person[]> => {
      try {
        const users = await everyItem((page) =>
          client.users.list.query({ projectSlug, page, limit: PAGE_SIZE, orderBy: 'name:asc' }),
        );
        return users.map(({ id, name, email }) => ({ id, name, email }));
      } catch (error) {
        if (failureOf(error).code !== 'permission_denied') throw error;
        return [self()];
      }
    },
    staleTime: USERS_MILLISECONDS,
  });
  return data;
}
