import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { views } from '../../../contracts/management/views.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { SavedView } from '../../../contracts/resources/saved-view.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { listedFilters, parseSettings, replaceDefault } from './view.policy.js';
import { presentView } from './view.presenter.js';
import { ViewRepository, type SavedViewRow } from './view.repository.js';

export async function createView(
  work: UnitOfWork,
  input: InputOf<typeof views.create>,
): Promise<{ data: SavedView }> {
  const repository = work.use(ViewRepository);
  if ((await repository.count()) >= limits.viewsPerProject)
    throw new AppError('limit_reached', { limit: limits.viewsPerProject });
  const { tenantId, projectId, actor } = work.scope;
  const row: SavedViewRow = {
    tenantId: tenantId ?? '',
    projectId: projectId ?? '',
    id: work.newId(),
    name: input.name,
    resource: input.resource,
    filters: listedFilters(input.resource, input.filters ?? {}),
    columns: input.columns ?? [],
    orderBy: input.orderBy ?? null,
    visibility: input.visibility ?? 'private',
    isDefault: input.isDefault ?? false,
    ownerId: repository.ownerId,
    createdBy: actor,
    createdAt: work.now,
    updatedAt: work.now,
  };
  parseSettings(input.resource, row);
  await replaceDefault(work, row);
  await repository.insert(row);
  return { data: presentView(row) };
}
