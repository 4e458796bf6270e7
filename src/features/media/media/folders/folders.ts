import { AppError } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { FolderRepository } from './folder.repository.js';
import type { mediaFolders } from '../../../../../contracts/media/media-folders/media-folders.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { MediaFolder } from '../../../../../contracts/media/media-folders/media-folder.js';
import { authorizeFolder } from '../asset-rights.js';
import { type Deleted, listEnvelope, type PageMeta } from '../../../../../contracts/envelopes.js';
import { definedKeys } from '../../../shared/lists.js';

/**
 * Whether a folder, with what is below, may be in a parent.
 * @throws AppError 404 `media_folder_not_found`, 409 `folder_cycle`, 422 `limit_reached`
 */
async function assertParent(
  work: UnitOfWork,
  parentId: string | null,
  moved?: { readonly id: string },
): Promise<void> {
  if (parentId === null) return;
  const folders = work.use(FolderRepository);
  await folders.find(parentId, ['parentId']);
  const above = await folders.ancestry(parentId);
  if (moved !== undefined && above.includes(moved.id)) throw new AppError('folder_cycle');
  const height = moved === undefined ? 1 : await folders.height(moved.id);
  const maximum = limits.mediaFolderDepth;
  if (above.length + height > maximum) throw new AppError('limit_reached', { maximum, levels: true });
}

export async function createFolder(
  work: UnitOfWork,
  input: InputOf<typeof mediaFolders.create>,
): Promise<{ data: MediaFolder }> {
  authorizeFolder(work, 'create');
  const folders = work.use(FolderRepository);
  await folders.lockAll();
  const parentId = input.parentId?.toLowerCase() ?? null;
  await assertParent(work, parentId);
  const maximum = limits.mediaFolders;
  if ((await folders.count()) >= maximum) throw new AppError('limit_reached', { maximum });
  const id = work.newId();
  await folders.insert({ id, name: input.name, parentId, createdAt: work.now, updatedAt: work.now });
  return { data: await folders.show(id) };
}

export async function deleteFolder(
  work: UnitOfWork,
  { id }: InputOf<typeof mediaFolders.delete>,
): Promise<{ data: Deleted }> {
  const folders = work.use(FolderRepository);
  const folder = await folders.find(id);
  authorizeFolder(work, 'delete');
  await folders.remove(folder);
  return { data: { id: folder.id, deleted: true } };
}

export async function getFolder(
  work: UnitOfWork,
  { id }: InputOf<typeof mediaFolders.get>,
): Promise<{ data: MediaFolder }> {
  const folders = work.use(FolderRepository);
  const folder = await folders.find(id);
  return { data: await folders.show(folder.id) };
}

export async function listFolders(
  work: UnitOfWork,
  input: InputOf<typeof mediaFolders.list>,
): Promise<{ data: MediaFolder[]; meta: PageMeta }> {
  const { parentId, q, orderBy, limit, page } = input;
  const folders = work.use(FolderRepository);
  if (parentId !== undefined) await folders.find(parentId, ['parentId']);
  return listEnvelope(await folders.list({ parentId, q, orderBy, limit, offset: (page - 1) * limit }), input);
}

/** Equal values change nothing. */
export async function updateFolder(
  work: UnitOfWork,
  input: InputOf<typeof mediaFolders.update>,
): Promise<{ data: MediaFolder }> {
  const { projectSlug: _project, id, ...change } = input;
  const given = definedKeys(change);
  const folders = work.use(FolderRepository);
  await folders.lockAll();
  const before = await folders.find(id);
  authorizeFolder(work, 'update');
  const name = given.name ?? before.name;
  const parentId = given.parentId === undefined ? before.parentId : (given.parentId?.toLowerCase() ?? null);
  const isMoved = parentId !== before.parentId;
  if (isMoved) await assertParent(work, parentId, before);
  if (isMoved || name !== before.name)
    await folders.save(before, { ...before, name, parentId, updatedAt: work.now });
  return { data: await folders.show(before.id) };
}
