import { mediaFolders as contracts } from '../../contracts/management/media-folders.contract.js';
import { createFolder } from '../features/media/folders/create-folder.js';
import { deleteFolder } from '../features/media/folders/delete-folder.js';
import { getFolder } from '../features/media/folders/get-folder.js';
import { listFolders } from '../features/media/folders/list-folders.js';
import { updateFolder } from '../features/media/folders/update-folder.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const mediaFolders = bind(contracts, {
  list: query(listFolders),
  create: mutation(createFolder),
  get: query(getFolder),
  update: mutation(updateFolder),
  delete: mutation(deleteFolder),
});
