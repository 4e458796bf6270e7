import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { FolderRepository } from './folder.repository.js';

/**
 * Whether a folder, with what is below, may be in a parent.
 * @throws AppError 404 `media_folder_not_found`, 409 `folder_cycle`, 422 `limit_reached`
 */
export async function assertParent(
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
