import type { ListMeta } from '../../../contracts/envelopes.js';
import type { entries } from '../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { EntryComment } from '../../../contracts/resources/comment.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { EntryRepository, noValues, typeOf } from '../entries/index.js';
import { openPage } from '../shared/index.js';
import { presentComment } from './comment.presenter.js';
import { CommentRepository } from './comment.repository.js';

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
  const type = typeOf(catalog, entry);
  return page.envelope({ ...found, items: found.items.map((comment) => presentComment(comment, type)) });
}
