import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import type { mediaFolders } from '../../../../contracts/management/media-folders.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { MediaFolder } from '../../../../contracts/resources/media-folder.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { FolderRepository } from './folder.repository.js';

export async function listFolders(
  work: UnitOfWork,
  input: InputOf<typeof mediaFolders.list>,
): Promise<{ data: MediaFolder[]; meta: PageMeta }> {
  const { parentId, q, orderBy, limit, page } = input;
  const folders = work.use(FolderRepository);
  if (parentId !== undefined) await folders.find(parentId, ['parentId']);
  return listEnvelope(await folders.list({ parentId, q, orderBy, limit, offset: (page - 1) * limit }), input);
}
