import { listEnvelope, type PageMeta } from '../../../contracts/envelopes.js';
import type { entries } from '../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { EntryComment } from '../../../contracts/resources/comment.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { EntryRepository, typeOf } from '../entries/index.js';
import { presentComment } from './comment.presenter.js';
import { CommentRepository } from './comment.repository.js';

export async function listComments(
  work: UnitOfWork,
  input: InputOf<typeof entries.listComments>,
): Promise<{ data: EntryComment[]; meta: PageMeta }> {
  const catalog = await work.use(CatalogRepository).current();
  const entry = await work.use(EntryRepository).find(input.entryId);
  const comments = work.use(CommentRepository);
  const parent = input.parentId === undefined ? null : await comments.find(entry.id, input.parentId);
  const { items, total } = await comments.list({
    entryId: entry.id,
    parentId: parent?.id ?? null,
    isResolved: input.resolved ?? null,
    isAscending: input.orderBy === 'createdAt:asc',
    limit: input.limit,
    offset: (input.page - 1) * input.limit,
  });
  const type = typeOf(catalog, entry);
  return listEnvelope({ items: items.map((comment) => presentComment(comment, type)), total }, input);
}
