import { contentTypes as contracts } from '../../contracts/management/content-types.contract.js';
import { checkContentTypeDelete } from '../features/content-types/check-content-type-delete.js';
import { createContentType } from '../features/content-types/create-content-type.js';
import { deleteContentType } from '../features/content-types/delete-content-type.js';
import { getContentType } from '../features/content-types/get-content-type.js';
import { listContentTypes } from '../features/content-types/list-content-types.js';
import { updateContentType } from '../features/content-types/update-content-type.js';
import { renameContentType } from '../features/content-types/rename-content-type.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const contentTypes = bind(contracts, {
  list: query(listContentTypes),
  create: mutation(createContentType, { lock: 'schema' }),
  get: query(getContentType),
  update: mutation(updateContentType, { lock: 'schema' }),
  delete: mutation(deleteContentType, { lock: 'schema' }),
  checkDelete: query(checkContentTypeDelete),
  rename: mutation(renameContentType, { lock: 'schema' }),
});
