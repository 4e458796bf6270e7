import type { entries } from '../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { EntryComment } from '../../../contracts/resources/comment.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { lockDiscussed, type DiscussedEntry } from './comment.policy.js';
import { presentComment } from './comment.presenter.js';
import { CommentRepository } from './comment.repository.js';
import { noteComment } from './note-comment.js';
import type { StoredComment } from './stored-comment.js';

interface Settlement {
  readonly thread: StoredComment;
  readonly isResolved: boolean;
  readonly isAlong?: boolean;
}

/** Does nothing if the thread is in the state. */
export async function settleThread(
  work: UnitOfWork,
  discussed: DiscussedEntry,
  { thread, isResolved, isAlong = false }: Settlement,
): Promise<StoredComment> {
  if ((thread.resolvedAt !== null) === isResolved) return thread;
  const { now, scope } = work;
  const resolution = isResolved
    ? { resolvedAt: now, resolvedBy: scope.actor }
    : { resolvedAt: null, resolvedBy: null };
  const after = { ...thread, ...resolution, updatedAt: now };
  await work.use(CommentRepository).settle(after);
  noteComment(work, discussed, { verb: isResolved ? 'resolve' : 'reopen', before: thread, after, isAlong });
  return after;
}

async function settle(
  work: UnitOfWork,
  { entryId, commentId }: InputOf<typeof entries.resolveComment>,
  isResolved: boolean,
): Promise<{ data: EntryComment }> {
  const discussed = await lockDiscussed(work, entryId);
  const comments = work.use(CommentRepository);
  const comment = await comments.find(discussed.entry.id, commentId);
  const { parentId } = comment;
  const thread = parentId === null ? comment : await comments.find(discussed.entry.id, parentId);
  const after = await settleThread(work, discussed, { thread, isResolved });
  return { data: presentComment(after, discussed.type) };
}

export const resolveComment = (work: UnitOfWork, input: InputOf<typeof entries.resolveComment>) =>
  settle(work, input, true);

export const reopenComment = (work: UnitOfWork, input: InputOf<typeof entries.reopenComment>) =>
  settle(work, input, false);
