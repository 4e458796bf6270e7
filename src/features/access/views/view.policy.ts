import { z } from 'zod';
import { AppError, invalidInput, issuesOf } from '../../../../contracts/errors.js';
import { entryFilters, entryOrder } from '../../../../contracts/entries/entries/drafts.contract.js';
import { mediaFilters, mediaOrder } from '../../../../contracts/media/media/media.contract.js';
import {
  translationFilters,
  translationOrder,
} from '../../../../contracts/editorial/translations/translations.contract.js';
import type { ViewedResource, SavedView } from '../../../../contracts/access/views/saved-view.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { commaList } from '../../shared/lists.js';
import { ViewRepository, type SavedViewRow } from './view.repository.js';
import type { Actor } from '../../../../contracts/actor.js';

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
export function listedFilters(resource: ViewedResource, filters: Readonly<Record<string, unknown>>) {
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
export function parseSettings(resource: ViewedResource, { filters, orderBy }: ViewSettings): ViewSettings {
  const parsed = settings[resource].safeParse({ filters, orderBy });
  if (!parsed.success) throw invalidInput(...issuesOf(parsed.error));
  return { filters: parsed.data.filters, orderBy: parsed.data.orderBy ?? null };
}

/** @throws AppError 403 `not_view_owner` */
export function assertOwner(work: UnitOfWork, { ownerId }: SavedViewRow): void {
  if (ownerId !== work.scope.actor.id) throw new AppError('not_view_owner');
}

/** Makes room for a new default view. */
export async function replaceDefault(work: UnitOfWork, view: SavedViewRow): Promise<void> {
  if (!view.isDefault) return;
  const views = work.use(ViewRepository);
  const previous = await views.default(view);
  if (previous === undefined || previous.id === view.id) return;
  await views.save(previous, { ...previous, isDefault: false, updatedAt: work.now });
}

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
