import { AppError } from '../../../../contracts/errors.js';
import { isPermitted } from '../../../access/authorize.js';
import { anyValue } from '../../../access/grants.js';
import type { Catalog, ContentTypeDefinition } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import {
  authorizeChange,
  EntryRepository,
  entryTarget,
  noValues,
  typeOf,
  type StoredEntry,
  type ValuesRead,
} from '../entries/index.js';
import type { StoredComment } from './stored-comment.js';

/** Locks and returns an entry whose comments the caller may write, so that its values cannot change before the commit. */
export interface DiscussedEntry {
  readonly catalog: Catalog;
  readonly entry: StoredEntry;
  readonly type: ContentTypeDefinition;
}

/**
 * Commenting needs the permission to update the entry or to make its transitions, in any locale and field: a comment
 * changes no content, so drafts-only keys may comment on what is live.
 * @throws AppError 404 `entry_not_found`, 403 `permission_denied`
 */
export async function lockDiscussed(
  work: UnitOfWork,
  entryId: string,
  values: ValuesRead = noValues,
): Promise<DiscussedEntry> {
  const catalog = await work.use(CatalogRepository).current();
  const entry = await work.use(EntryRepository).lock(entryId, values);
  await authorizeChange(work, entry, { catalog, action: 'transition', ...anyValue });
  return { catalog, entry, type: typeOf(catalog, entry) };
}

export const isAuthor = ({ scope }: UnitOfWork, { authorId, createdBy }: StoredComment): boolean =>
  authorId !== null && authorId === scope.actor.id && createdBy.type === scope.actor.type;

/** Whether the caller may change comments of others. */
export async function isModerator(work: UnitOfWork, entry: StoredEntry): Promise<boolean> {
  return isPermitted(work, 'entries.manage', await entryTarget(work, 'manage', entry));
}

/** @throws AppError 403 `not_comment_author` */
export async function assertAuthor(
  work: UnitOfWork,
  entry: StoredEntry,
  comment: StoredComment,
): Promise<void> {
  if (isAuthor(work, comment) || (await isModerator(work, entry))) return;
  throw new AppError('not_comment_author');
}
