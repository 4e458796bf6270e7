import type { Actor } from '../../../contracts/resources/actor.js';
import type { SavedView } from '../../../contracts/resources/saved-view.js';
import type { SavedViewRow } from './view.repository.js';

export function presentView(row: SavedViewRow): SavedView {
  return {
    id: row.id,
    name: row.name,
    resource: row.resource as SavedView['resource'],
    filters: row.filters as SavedView['filters'],
    columns: row.columns,
    orderBy: row.orderBy,
    visibility: row.visibility as SavedView['visibility'],
    isDefault: row.isDefault,
    createdBy: row.createdBy as Actor,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
