import { views as contracts } from '../../contracts/management/views.contract.js';
import { createView } from '../features/views/create-view.js';
import { deleteView } from '../features/views/delete-view.js';
import { getView } from '../features/views/get-view.js';
import { listViews } from '../features/views/list-views.js';
import { updateView } from '../features/views/update-view.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const views = bind(contracts, {
  list: query(listViews),
  create: mutation(createView),
  get: query(getView),
  update: mutation(updateView),
  delete: mutation(deleteView),
});
