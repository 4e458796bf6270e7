import { contentTypes as contracts } from '../../contracts/management/content-types.contract.js';
import {
  checkContentTypeDelete,
  createContentType,
  deleteContentType,
  getContentType,
  listContentTypes,
  updateContentType,
} from '../features/content-types/index.js';
import { renameContentType } from '../features/renames/index.js';
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
