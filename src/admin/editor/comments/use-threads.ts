import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, client, queryClient } from '../../api/client.js';
import { useProject, type Entry, type Field } from '../../api/project-data.js';
import { PAGE_SIZE } from '../../api/every-item.js';
import { threadsOf, type Comment, type Thread } from './threads.js';
import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import type { SelectedText } from '../../fields/discussion.js';
import { placeAt, valueAt } from '../paths.js';
import type { EntryEditor } from '../use-entry-editor.js';
import { t, type TextKey } from '../../texts/index.js';
import { notify } from '../../ui/toasts.js';

/** What a new comment will be about besides the whole entry. */
export interface Target {
  readonly field: Field;
  /** Of the field, such as `sections[<id>].title`. */
  readonly path: string;
  readonly selected?: SelectedText;
  /** Of the field when the text was selected. */
  readonly value: unknown;
}

/** Why something cannot be commented on now: the service knows saved blocks and the saved text only. */
export function staleness(
  { selected, path, value }: Target,
  { saved, draft }: Pick<EntryEditor, 'saved' | 'draft'>,
): 'unsaved' | 'changed' | 'unsavedBlock' | undefined {
  const stored = valueAt(saved.fields, path);
  if (!stored.isThere) return 'unsavedBlock';
  if (selected === undefined || isEqualJson(stored.value ?? null, value ?? null)) return undefined;
  const now = valueAt(draft.now.fields, path).value;
  return isEqualJson(now ?? null, value ?? null) ? 'unsaved' : 'changed';
}

/** The anchor of a comment in the API. */
export const anchorOf = ({ path, selected }: Target, locale: string) => ({
  ...placeAt(path),
  locale,
  ...(selected && { from: selected.from, to: selected.to }),
});

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
async function refreshThreads(): Promise<void> {
  const keys = [api.entries.listComments.pathKey(), api.tasks.pathKey()];
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

/** What can be done with the comments on an entry. Each call rejects when it is refused. */
export interface CommentCalls {
  readonly start: (text: string, anchor: ReturnType<typeof anchorOf> | undefined) => Promise<void>;
  readonly reply: (parentId: string, text: string) => Promise<void>;
  readonly change: (commentId: string, text: string) => Promise<void>;
  readonly remove: (commentId: string) => Promise<void>;
  readonly resolve: (commentId: string) => Promise<void>;
  readonly reopen: (commentId: string) => Promise<void>;
}

export function useCommentCalls(entryId: string): CommentCalls {
  const { slug: projectSlug } = useProject();
  const call = { projectSlug, entryId };
  const done = async (text: TextKey, running: Promise<unknown>): Promise<void> => {
    await running;
    notify(t(text));
    await refreshThreads();
  };
  const { createComment, updateComment, deleteComment, resolveComment, reopenComment } = client.entries;
  return {
    start: (text, anchor) =>
      done('comments.sent', createComment.mutate({ ...call, text, ...(anchor && { anchor }) })),
    reply: (parentId, text) => done('comments.replied', createComment.mutate({ ...call, text, parentId })),
    change: (commentId, text) => done('comments.saved', updateComment.mutate({ ...call, commentId, text })),
    remove: (commentId) => done('comments.deleted', deleteComment.mutate({ ...call, commentId })),
    resolve: (commentId) => done('comments.resolvedNow', resolveComment.mutate({ ...call, commentId })),
    reopen: (commentId) => done('comments.reopened', reopenComment.mutate({ ...call, commentId })),
  };
}
