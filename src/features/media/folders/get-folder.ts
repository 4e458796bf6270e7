import type { mediaFolders } from '../../../../contracts/management/media-folders.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { MediaFolder } from '../../../../contracts/resources/media-folder.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { FolderRepository } from './folder.repository.js';

export async function getFolder(
  work: UnitOfWork,
  { id }: InputOf<typeof mediaFolders.get>,
): Promise<{ data: MediaFolder }> {
  const folders = work.use(FolderRepository);
  const folder = await folders.find(id);
  return { data: await folders.show(folder.id) };
}
