import { AppError, invalidInput } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { entries } from '../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { EntryComment } from '../../../contracts/resources/comment.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { lockDiscussed, type DiscussedEntry } from './comment.policy.js';
import { presentComment } from './comment.presenter.js';
import { noValues, valuesIn } from '../entries/index.js';
import { CommentRepository } from './comment.repository.js';
import { mentionsIn } from './mentions.js';
import { noteComment } from './note-comment.js';
import { noAnchor, placeAnchor } from './place-anchor.js';
import { settleThread } from './settle-thread.js';
import type { StoredComment } from './stored-comment.js';

type Input = InputOf<typeof entries.createComment>;

/**
 * Threads have one level.
 * @throws AppError 404 `comment_not_found`; 422 for a reply to a reply and an anchored reply
 */
async function threadOf(work: UnitOfWork, entryId: string, input: Input): Promise<StoredComment | null> {
  const { parentId = null, anchor } = input;
  if (parentId === null) return null;
  const parent = await work.use(CommentRepository).find(entryId, parentId);
  const refuse = (key: string, code: string, message: string) => invalidInput({ path: [key], code, message });
  if (parent.parentId !== null)
    throw refuse('parentId', 'nested_reply', 'A reply names the first comment of the thread.');
  if (anchor !== undefined && anchor !== null)
    throw refuse('anchor', 'anchored_reply', 'A reply belongs to the anchor of its thread.');
  return parent;
}

async function newComment(
  work: UnitOfWork,
  { catalog, entry }: DiscussedEntry,
  input: Input,
): Promise<StoredComment> {
  const { actor } = work.scope;
  return {
    id: work.newId(),
    entryId: entry.id,
    parentId: input.parentId?.toLowerCase() ?? null,
    text: input.text,
    mentions: await mentionsIn(work, input.text),
    ...(input.anchor ? placeAnchor(catalog, entry, input.anchor) : noAnchor),
    authorId: actor.id,
    createdBy: actor,
    createdAt: work.now,
    updatedAt: work.now,
    resolvedAt: null,
    resolvedBy: null,
  };
}

/** A reply to a resolved thread reopens it. */
export async function createComment(work: UnitOfWork, input: Input): Promise<{ data: EntryComment }> {
  const discussed = await lockDiscussed(
    work,
    input.entryId,
    input.anchor ? valuesIn(input.anchor.locale) : noValues,
  );
  const { entry, type } = discussed;
  const comments = work.use(CommentRepository);
  const thread = await threadOf(work, entry.id, input);
  const limit = limits.commentsPerEntry;
  if ((await comments.count(entry.id)) >= limit) throw new AppError('limit_reached', { limit });
  const comment = await newComment(work, discussed, input);
  await comments.insert(comment);
  noteComment(work, discussed, { verb: 'create', before: null, after: comment });
  if (thread !== null) await settleThread(work, discussed, { thread, isResolved: false, isAlong: true });
  return { data: presentComment(comment, type) };
}
