import type { Deleted } from '../../../../contracts/envelopes.js';
import type { mediaFolders } from '../../../../contracts/management/media-folders.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { authorizeFolder } from '../asset-rights.js';
import { FolderRepository } from './folder.repository.js';

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
