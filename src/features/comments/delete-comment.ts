import { AppError } from '../../../contracts/errors.js';
import type { Deleted } from '../../../contracts/envelopes.js';
import type { entries } from '../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { assertAuthor, isAuthor, isModerator, lockDiscussed } from './comment.policy.js';
import { CommentRepository } from './comment.repository.js';
import { noteComment } from './note-comment.js';

/** The replies of a deleted thread have their own records and events. */
export async function deleteComment(
  work: UnitOfWork,
  { entryId, commentId }: InputOf<typeof entries.deleteComment>,
): Promise<{ data: Deleted }> {
  const discussed = await lockDiscussed(work, entryId);
  const { entry } = discussed;
  const comments = work.use(CommentRepository);
  const comment = await comments.find(entry.id, commentId);
  await assertAuthor(work, entry, comment);
  const replies = await comments.replies(comment.id);
  const hasOthers = replies.some((reply) => !isAuthor(work, reply));
  if (hasOthers && !(await isModerator(work, entry))) throw new AppError('comment_has_replies');
  await comments.remove(comment.id);
  noteComment(work, discussed, { verb: 'delete', before: comment, after: null });
  for (const before of replies)
    noteComment(work, discussed, { verb: 'delete', before, after: null, isAlong: true });
  return { data: { id: comment.id, deleted: true } };
}
