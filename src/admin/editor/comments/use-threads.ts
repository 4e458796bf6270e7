import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, client, queryClient } from '../../api/client.js';
import { useProject, type Entry } from '../../api/project-data.js';
import { PAGE_SIZE } from '../../api/every-item.js';
import { threadsOf, type Comment, type Thread } from './threads.js';

const REFRESH_MILLISECONDS = 15_000;
const FIRST_CURSOR = '*';

interface Call {
  readonly projectSlug: string;
  readonly entryId: string;
}

/** Threads with the values that the positions of their ranges belong to. */
export interface ThreadsInText {
  readonly threads: readonly Thread[];
  readonly fields: Entry['fields'];
}

async function everyComment(call: Call): Promise<Comment[]> {
  const comments: Comment[] = [];
  let cursor: string | null | undefined = FIRST_CURSOR;
  while (typeof cursor === 'string') {
    const { data, meta }: Awaited<ReturnType<typeof client.entries.listComments.query>> =
      await client.entries.listComments.query({ ...call, cursor, limit: PAGE_SIZE });
    comments.push(...data);
    cursor = meta.nextCursor;
  }
  return comments;
}

/** The comments on an entry. While they are shown, those of others appear as well. */
export function useThreads({ id: entryId, version, locale, fields }: Entry, isShown: boolean) {
  const { slug: projectSlug, may } = useProject();
  const call = { projectSlug, entryId };
  const query = useQuery({
    // A new version moves the ranges.
    queryKey: [...api.entries.listComments.queryKey(call), version, locale],
    queryFn: async (): Promise<ThreadsInText> => ({ threads: threadsOf(await everyComment(call)), fields }),
    enabled: may('entries.listComments'),
    placeholderData: keepPreviousData,
    refetchInterval: isShown && REFRESH_MILLISECONDS,
  });
  const { refetch, isFetching } = query;
  useEffect(() => {
    if (isShown && !isFetching) void refetch();
  }, [isShown]);
  return query;
}

/** After a comment was written or a thread resolved. A mention is a task. */
export async function refreshThreads(): Promise<void> {
  const keys = [api.entries.listComments.pathKey(), api.tasks.pathKey()];
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
