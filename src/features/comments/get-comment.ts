import type { entries } from '../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { EntryComment } from '../../../contracts/resources/comment.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { EntryRepository, noValues, typeOf } from '../entries/index.js';
import { presentComment } from './comment.presenter.js';
import { CommentRepository } from './comment.repository.js';

export async function getComment(
  work: UnitOfWork,
  { entryId, commentId }: InputOf<typeof entries.getComment>,
): Promise<{ data: EntryComment }> {
  const catalog = await work.use(CatalogRepository).current();
  const entry = await work.use(EntryRepository).find(entryId, noValues);
  const comment = await work.use(CommentRepository).find(entry.id, commentId);
  return { data: presentComment(comment, typeOf(catalog, entry)) };
}
