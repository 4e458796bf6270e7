import type { mediaFolders } from '../../../../contracts/management/media-folders.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { MediaFolder } from '../../../../contracts/resources/media-folder.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { definedKeys } from '../../shared/index.js';
import { authorizeFolder } from '../asset-rights.js';
import { assertParent } from './folder.policy.js';
import { FolderRepository } from './folder.repository.js';

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
