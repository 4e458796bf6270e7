import { z } from 'zod';
import { limits } from '../../limits.js';
import { Name, Timestamp } from '../../primitives.js';
import { Actor } from '../../actor.js';

/** Resources whose lists take a view. */
export const viewedResources = ['entries', 'media', 'translations'] as const;
export type ViewedResource = (typeof viewedResources)[number];

/** Columns that every list of entries has; the others are fields of the type, named alone or after `fields.`. */
export const entryColumns = ['title', 'type', 'status', 'locales', 'updatedAt'] as const;

const viewVisibilities = ['private', 'shared'] as const;

const Filters = z.record(z.string(), z.unknown()).meta({
  description:
    'Filters of the list, under the names of its parameters. Lists of values may be text with commas.',
  example: { contentTypeApiName: ['article'], status: ['draft'] },
});
const Columns = z
  .array(z.string().min(1).max(limits.nameLength))
  .max(limits.columnsPerView)
  .meta({ description: 'Names of the columns to show, in their order.', example: ['title', 'status'] });
const OrderBy = z.string().max(limits.nameLength).meta({
  description: 'Sort key and direction of the list. Null means the default of the list.',
  example: 'updatedAt:desc',
});
const Visibility = z
  .enum(viewVisibilities)
  .meta({ description: 'Who sees the view: its creator, or every member.', example: 'shared' });
const IsDefault = z.boolean().meta({
  description: 'Whether it is the default view of its creator for the resource. Replaces the previous one.',
});

/** Rule lists/views. */
export const SavedView = z
  .object({
    id: z.string(),
    name: z.string(),
    resource: z.enum(viewedResources).meta({ description: 'The list that the view applies to.' }),
    filters: Filters,
    columns: Columns,
    orderBy: OrderBy.nullable(),
    visibility: Visibility,
    isDefault: IsDefault,
    createdBy: Actor,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'SavedView', description: 'Filters, columns and order of a list, saved under a name.' });
export type SavedView = z.infer<typeof SavedView>;

export const savedViewInput = {
  name: Name,
  resource: z.enum(viewedResources).meta({ description: 'The list that the view applies to.' }),
  filters: Filters.optional(),
  columns: Columns.optional(),
  orderBy: OrderBy.nullish(),
  visibility: Visibility.optional(),
  isDefault: IsDefault.optional(),
};

/** Excludes `resource`, which decides what the filters mean. */
export const savedViewChange = {
  name: Name.optional(),
  filters: Filters.optional(),
  columns: Columns.optional(),
  orderBy: OrderBy.nullish(),
  visibility: Visibility.optional(),
  isDefault: IsDefault.optional(),
};
