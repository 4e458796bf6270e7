import { z } from 'zod';
import { AppError, invalidInput, issuesOf } from '../../../../contracts/errors.js';
import { entryFilters, entryOrder } from '../../../../contracts/entries/entries/drafts.contract.js';
import { mediaFilters, mediaOrder } from '../../../../contracts/media/media/media.contract.js';
import {
  translationFilters,
  translationOrder,
} from '../../../../contracts/editorial/translations/translations.contract.js';
import type { ViewedResource, SavedView } from '../../../../contracts/access/views/saved-view.js';
import type { Actor } from '../../../../contracts/actor.js';
import { limits } from '../../../../contracts/limits.js';
import type { views } from '../../../../contracts/access/views/views.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { listEnvelope, type Deleted, type PageMeta } from '../../../../contracts/envelopes.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { authorize } from '../../../access/authorize.js';
import { commaList, definedKeys, hasChanges } from '../../shared/lists.js';
import { withKnownTypes } from '../../shared/known-types.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { ViewRepository, type SavedViewRow } from './view.repository.js';

/** What a view of each list may set. */
const settings = {
  entries: z.strictObject({ filters: z.strictObject(entryFilters), orderBy: entryOrder.nullable() }),
  media: z.strictObject({ filters: z.strictObject(mediaFilters), orderBy: mediaOrder.nullable() }),
  translations: z.strictObject({
    filters: z.strictObject(translationFilters),
    orderBy: translationOrder.nullable(),
  }),
} as const satisfies Record<ViewedResource, z.ZodObject>;

/** Lists of values; text with commas becomes a list, as it does in a query string. */
function listedFilters(resource: ViewedResource, filters: Readonly<Record<string, unknown>>) {
  const { shape } = settings[resource].shape.filters;
  const isList = (key: string): boolean =>
    (shape as Readonly<Record<string, z.ZodOptional>>)[key]?.unwrap() instanceof z.ZodArray;
  return Object.fromEntries(
    Object.entries(filters).map(([key, value]) => [key, isList(key) ? commaList(value) : value]),
  );
}

interface ViewSettings {
  readonly filters: object;
  readonly orderBy: string | null;
}

/**
 * The settings of a view as parameters of its list.
 * @throws AppError 422 for what the list does not accept
 */
function parseSettings(resource: ViewedResource, { filters, orderBy }: ViewSettings): ViewSettings {
  const parsed = settings[resource].safeParse({ filters, orderBy });
  if (!parsed.success) throw invalidInput(...issuesOf(parsed.error));
  return { filters: parsed.data.filters, orderBy: parsed.data.orderBy ?? null };
}

/** @throws AppError 403 `not_view_owner` */
function assertOwner(work: UnitOfWork, { ownerId }: SavedViewRow): void {
  if (ownerId !== work.scope.actor.id) throw new AppError('not_view_owner');
}

/** Makes room for a new default view. */
async function replaceDefault(work: UnitOfWork, view: SavedViewRow): Promise<void> {
  if (!view.isDefault) return;
  const views = work.use(ViewRepository);
  const previous = await views.default(view);
  if (previous === undefined || previous.id === view.id) return;
  await views.save(previous, { ...previous, isDefault: false, updatedAt: work.now });
}

function presentView(row: SavedViewRow): SavedView {
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
