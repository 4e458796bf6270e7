import type { views } from '../../../contracts/management/views.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { SavedView } from '../../../contracts/resources/saved-view.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { presentView } from './view.presenter.js';
import { ViewRepository } from './view.repository.js';

export async function getView(
  work: UnitOfWork,
  { id }: InputOf<typeof views.get>,
): Promise<{ data: SavedView }> {
  return { data: presentView(await work.use(ViewRepository).find(id)) };
}
