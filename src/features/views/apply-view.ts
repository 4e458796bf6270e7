import { AppError } from '../../../contracts/errors.js';
import type { ViewedResource } from '../../../contracts/resources/saved-view.js';
import { authorize } from '../../access/authorize.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { withKnownTypes } from '../shared/index.js';
import { parseSettings } from './view.policy.js';
import { ViewRepository } from './view.repository.js';

interface ListInput {
  readonly viewId?: string | undefined;
  readonly orderBy?: string | undefined;
}

/**
 * Completes the input of a list by its saved view: what the request sets wins.
 * @throws AppError 404 `view_not_found`, also for a view of another list; 403 without permission to read views; 422
 * if the list no longer accepts the view's filters
 */
export async function applyView<I extends ListInput>(
  work: UnitOfWork,
  resource: ViewedResource,
  input: I,
): Promise<I> {
  if (input.viewId === undefined) return input;
  authorize(work, 'views.read');
  const view = await work.use(ViewRepository).find(input.viewId);
  if (view.resource !== resource) throw new AppError('view_not_found');
  const { filters: stored, orderBy } = parseSettings(resource, view);
  const filters = withKnownTypes(await work.use(CatalogRepository).current(), stored);
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  return { ...(orderBy !== null && { orderBy }), ...filters, ...given } as I;
}
