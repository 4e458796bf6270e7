import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { Id, inPath, nameContains, orderBy, paging } from '../../primitives.js';
import { management } from '../../procedure.js';
import { FolderName, FolderParent, MediaFolder } from './media-folder.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Media'];
const id = inPath('Id of the folder.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');

export const mediaFolders = {
  list: management({
    openapi: managementRoute('GET', '/media/folders', {
      summary: 'List media folders',
      description: 'Returns the folders of the project at every level, sorted by name by default.',
      tags,
    }),
    resource: 'media',
    action: 'read',
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

  create: management({
    openapi: managementRoute('POST', '/media/folders', {
      summary: 'Create a media folder',
      description: 'Creates a folder. Its name is unique in its parent.',
      tags,
      success: { status: 201, location: '/media/folders/{id}' },
    }),
    resource: 'media',
    action: 'create',
    errors: ['media_folder_not_found', 'folder_conflict', 'limit_reached'],
  })
    .input(inProject({ name: FolderName, parentId: FolderParent }))
    .output(dataOf(MediaFolder)),

  get: management({
    openapi: managementRoute('GET', '/media/folders/{id}', {
      summary: 'Get a media folder',
      description: 'Returns one folder.',
      tags,
    }),
    resource: 'media',
    action: 'read',
    errors: ['media_folder_not_found'],
  })
    .input(inProject({ id }))
    .output(dataOf(MediaFolder)),

  update: management({
    openapi: managementRoute('PUT', '/media/folders/{id}', {
      summary: 'Update a media folder',
      description: 'Renames or moves a folder. Its assets keep their URLs.',
      tags,
    }),
    resource: 'media',
    action: 'update',
    errors: [
      'media_folder_not_found',
      'folder_conflict',
      'folder_cycle',
      'limit_reached',
      'no_update_fields',
    ],
  })
    .input(inProject({ id, name: FolderName.optional(), parentId: FolderParent }))
    .output(dataOf(MediaFolder)),

  delete: management({
    openapi: managementRoute('DELETE', '/media/folders/{id}', {
      summary: 'Delete a media folder',
      description: 'Deletes an empty folder. Fails with 409 if it has assets or folders.',
      tags,
    }),
    resource: 'media',
    action: 'delete',
    confirmation: 'always',
    errors: ['media_folder_not_found', 'folder_not_empty'],
  })
    .input(inProject({ id }))
    .output(dataOf(Deleted)),
};
