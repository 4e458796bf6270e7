import { crudOf } from '../../crud.js';
import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { Id, inPath, nameContains, orderBy, paging } from '../../primitives.js';
import { FolderName, FolderParent, MediaFolder } from './media-folder.js';
import { inProject } from '../../routes.js';

const tags = ['Media'];
const id = inPath('Id of the folder.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');

const crud = crudOf({
  path: '/media/folders',
  key: 'id',
  resource: 'media',
  tags,
  notFound: 'media_folder_not_found',
});

export const mediaFolders = {
  list: crud
    .list({
      summary: 'List media folders',
      description: 'Returns the folders of the project at every level, sorted by name by default.',
      errors: ['media_folder_not_found'],
    })
    .input(
      inProject({
        ...paging,
        orderBy: orderBy(['createdAt', 'updatedAt', 'name'], 'name:asc'),
        parentId: Id.optional().meta({ description: 'Filter by parent folder.' }),
        q: nameContains,
      }),
    )
    .output(listOf(MediaFolder)),

  create: crud
    .create({
      summary: 'Create a media folder',
      description: 'Creates a folder. Its name is unique in its parent.',
      errors: ['media_folder_not_found', 'folder_conflict', 'limit_reached'],
    })
    .input(inProject({ name: FolderName, parentId: FolderParent }))
    .output(dataOf(MediaFolder)),

  get: crud
    .get({
      summary: 'Get a media folder',
      description: 'Returns one folder.',
    })
    .input(inProject({ id }))
    .output(dataOf(MediaFolder)),

  update: crud
    .update({
      summary: 'Update a media folder',
      description: 'Renames or moves a folder. Its assets keep their URLs.',
      errors: ['folder_conflict', 'folder_cycle', 'limit_reached'],
    })
    .input(inProject({ id, name: FolderName.optional(), parentId: FolderParent }))
    .output(dataOf(MediaFolder)),

  delete: crud
    .delete({
      summary: 'Delete a media folder',
      description: 'Deletes an empty folder. Fails with 409 if it has assets or folders.',
      errors: ['folder_not_empty'],
    })
    .input(inProject({ id }))
    .output(dataOf(Deleted)),
};
