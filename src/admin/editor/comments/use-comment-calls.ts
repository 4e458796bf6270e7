import { client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { t, type TextKey } from '../../texts/index.js';
import { notify } from '../../ui/toasts.js';
import type { anchorOf } from './target.js';
import { refreshThreads } from './use-threads.js';

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
