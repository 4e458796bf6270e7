import { listEnvelope, type PageMeta } from '../../../contracts/envelopes.js';
import type { views } from '../../../contracts/management/views.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { SavedView } from '../../../contracts/resources/saved-view.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { presentView } from './view.presenter.js';
import { ViewRepository } from './view.repository.js';

export async function listViews(
  work: UnitOfWork,
  { resource, ...query }: InputOf<typeof views.list>,
): Promise<{ data: SavedView[]; meta: PageMeta }> {
  const { items, total } = await work.use(ViewRepository).ofResource(resource, query);
  return listEnvelope({ items: items.map(presentView), total }, query);
}
