import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { views } from '../../../../contracts/access/views/views.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { SavedView, ViewedResource } from '../../../../contracts/access/views/saved-view.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { listedFilters, parseSettings, replaceDefault, assertOwner, presentView } from './view.policy.js';
import { ViewRepository, type SavedViewRow } from './view.repository.js';
import { type Deleted, listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import { definedKeys, hasChanges } from '../../shared/lists.js';
import { withKnownTypes } from '../../shared/known-types.js';
import { authorize } from '../../../access/authorize.js';
import { CatalogRepository } from '../../environments/catalog/index.js';

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

export async function deleteView(
  work: UnitOfWork,
  { id }: InputOf<typeof views.delete>,
): Promise<{ data: Deleted }> {
  const repository = work.use(ViewRepository);
  const view = await repository.lock(id);
  assertOwner(work, view);
  await repository.remove(view);
  return { data: { id: view.id, deleted: true } };
}

export async function getView(
  work: UnitOfWork,
  { id }: InputOf<typeof views.get>,
): Promise<{ data: SavedView }> {
  return { data: presentView(await work.use(ViewRepository).find(id)) };
}

export async function listViews(
  work: UnitOfWork,
  { resource, ...query }: InputOf<typeof views.list>,
): Promise<{ data: SavedView[]; meta: PageMeta }> {
  const { items, total } = await work.use(ViewRepository).ofResource(resource, query);
  return listEnvelope({ items: items.map(presentView), total }, query);
}

export async function updateView(
  work: UnitOfWork,
  { projectSlug: _project, id, ...input }: InputOf<typeof views.update>,
): Promise<{ data: SavedView }> {
  const { filters, ...others } = definedKeys(input);
  const repository = work.use(ViewRepository);
  const before = await repository.lock(id);
  assertOwner(work, before);
  const { resource } = presentView(before);
  const changes = { ...others, ...(filters && { filters: listedFilters(resource, filters) }) };
  if (!hasChanges(before, changes)) return { data: presentView(before) };
  const after = { ...before, ...changes, updatedAt: work.now };
  parseSettings(resource, after);
  await replaceDefault(work, after);
  await repository.save(before, after);
  return { data: presentView(after) };
}

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
