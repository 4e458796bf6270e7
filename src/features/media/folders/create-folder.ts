import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { mediaFolders } from '../../../../contracts/management/media-folders.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { MediaFolder } from '../../../../contracts/resources/media-folder.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { authorizeFolder } from '../asset-rights.js';
import { assertParent } from './folder.policy.js';
import { FolderRepository } from './folder.repository.js';

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
