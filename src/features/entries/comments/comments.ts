import { invalidInput, AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CommentRepository } from './comment.repository.js';
import type { entries } from '../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { EntryComment } from '../../../../contracts/entries/comments/comment.js';
import { lockDiscussed, type DiscussedEntry, assertAuthor, isAuthor, isModerator } from './comment.policy.js';
import { presentComment } from './comment.presenter.js';
import { noValues, valuesIn, EntryRepository } from '../entries/index.js';
import { noteComment, noAnchor, placeAnchor, settleThread } from './threads.js';
import type { StoredComment } from './stored-comment.js';
import type { Deleted, ListMeta } from '../../../../contracts/envelopes.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { openPage } from '../../shared/cursor/list-page.js';
import { definedKeys } from '../../shared/lists.js';

const mention = /@\[([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\]/gi;

/**
 * Ids of the users that a text mentions as `@[userId]`, each once.
 * @throws AppError 422 for one who is not an active member of the project, and for too many
 */
async function mentionsIn(work: UnitOfWork, text: string): Promise<string[]> {
  const ids = [...new Set([...text.matchAll(mention)].map(([, id = '']) => id.toLowerCase()))];
  const refuse = (code: string, message: string) => invalidInput({ path: ['text'], code, message });
  if (ids.length > limits.mentionsPerComment)
    throw refuse('too_many', `A comment mentions at most ${limits.mentionsPerComment} users.`);
  const members = await work.use(CommentRepository).membersAmong(ids);
  const unknown = ids.find((id) => !members.has(id));
  if (unknown !== undefined)
    throw refuse('unknown_user', `The user ${unknown} is not a member of the project. Remove the mention.`);
  return ids;
}

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
    input.anchor ? [...valuesIn(), ...valuesIn(input.anchor.locale)] : noValues,
  );
  const { entry } = discussed;
  const comments = work.use(CommentRepository);
  const thread = await threadOf(work, entry.id, input);
  const limit = limits.commentsPerEntry;
  if ((await comments.count(entry.id)) >= limit) throw new AppError('limit_reached', { limit });
  const comment = await newComment(work, discussed, input);
  await comments.insert(comment);
  noteComment(work, discussed, { verb: 'create', before: null, after: comment });
  if (thread !== null) await settleThread(work, discussed, { thread, isResolved: false, isAlong: true });
  return { data: presentComment(comment, discussed.catalog) };
}

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

export async function getComment(
  work: UnitOfWork,
  { entryId, commentId }: InputOf<typeof entries.getComment>,
): Promise<{ data: EntryComment }> {
  const catalog = await work.use(CatalogRepository).current();
  const entry = await work.use(EntryRepository).find(entryId, noValues);
  const comment = await work.use(CommentRepository).find(entry.id, commentId);
  return { data: presentComment(comment, catalog) };
}

export async function listComments(
  work: UnitOfWork,
  input: InputOf<typeof entries.listComments>,
): Promise<{ data: EntryComment[]; meta: ListMeta }> {
  const catalog = await work.use(CatalogRepository).current();
  const entry = await work.use(EntryRepository).find(input.entryId, noValues);
  const comments = work.use(CommentRepository);
  const parent = input.parentId === undefined ? null : await comments.find(entry.id, input.parentId);
  const page = openPage(input, { name: 'comments', scope: work.scope });
  const found = await comments.list({
    entryId: entry.id,
    parentId: parent?.id ?? null,
    isResolved: input.resolved ?? null,
    isAscending: input.orderBy === 'createdAt:asc',
    ...page.window,
  });
  return page.envelope({
    ...found,
    items: found.items.map((comment) => presentComment(comment, catalog)),
  });
}

/** The same text writes nothing. */
export async function updateComment(
  work: UnitOfWork,
  { entryId, commentId, text: given }: InputOf<typeof entries.updateComment>,
): Promise<{ data: EntryComment }> {
  const { text } = definedKeys({ text: given });
  const discussed = await lockDiscussed(work, entryId);
  const { entry } = discussed;
  const comments = work.use(CommentRepository);
  const before = await comments.find(entry.id, commentId);
  await assertAuthor(work, entry, before);
  if (text === undefined || text === before.text) return { data: presentComment(before, discussed.catalog) };
  const after = { ...before, text, mentions: await mentionsIn(work, text), updatedAt: work.now };
  const thread = before.parentId === null ? before : await comments.find(entry.id, before.parentId);
  await comments.rewrite(after, thread.resolvedAt === null);
  noteComment(work, discussed, { verb: 'update', before, after });
  return { data: presentComment(after, discussed.catalog) };
}
