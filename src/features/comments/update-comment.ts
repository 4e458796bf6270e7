import type { entries } from '../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { EntryComment } from '../../../contracts/resources/comment.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { definedKeys } from '../shared/index.js';
import { assertAuthor, lockDiscussed } from './comment.policy.js';
import { presentComment } from './comment.presenter.js';
import { CommentRepository } from './comment.repository.js';
import { mentionsIn } from './mentions.js';
import { noteComment } from './note-comment.js';

/** The same text writes nothing. */
export async function updateComment(
  work: UnitOfWork,
  { entryId, commentId, text: given }: InputOf<typeof entries.updateComment>,
): Promise<{ data: EntryComment }> {
  const { text } = definedKeys({ text: given });
  const discussed = await lockDiscussed(work, entryId);
  const { entry, type } = discussed;
  const comments = work.use(CommentRepository);
  const before = await comments.find(entry.id, commentId);
  await assertAuthor(work, entry, before);
  if (text === undefined || text === before.text) return { data: presentComment(before, type) };
  const after = { ...before, text, mentions: await mentionsIn(work, text), updatedAt: work.now };
  const thread = before.parentId === null ? before : await comments.find(entry.id, before.parentId);
  await comments.rewrite(after, thread.resolvedAt === null);
  noteComment(work, discussed, { verb: 'update', before, after });
  return { data: presentComment(after, type) };
}
