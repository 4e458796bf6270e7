import { z } from 'zod';
import { Description, Id, Name, ScopeSlug, Timestamp } from '../../primitives.js';
import { Actor } from '../../actor.js';
import { PageMeta } from '../../envelopes.js';

/** What belongs to an environment, in the order in which it is promoted. */
export const promotedKinds = [
  'customFieldType',
  'workflow',
  'contentType',
  'mediaFolder',
  'media',
  'entry',
  'treeNode',
  'redirect',
] as const;

const Side = z
  .enum(['source', 'target', 'both'])
  .meta({ description: 'Where it changed since the environments were equal. `both` is a conflict.' });

export const DifferentValue = z
  .object({
    locale: z.string().nullable().meta({ description: 'Null for what is the same in every locale.' }),
    field: z.string().nullable().meta({
      description:
        'Name of the field or property, such as `title`, `slug`, `status` or `fields.title.required`. Null: the whole item or locale exists on one side only.',
      example: 'title',
    }),
    changedIn: Side,
    base: z.unknown().meta({ description: 'Value when both were equal; null if there was none.' }),
    source: z.unknown().meta({ description: 'Value in the source; null if there is none.' }),
    target: z.unknown().meta({ description: 'Value in the target; null if there is none.' }),
  })
  .meta({ id: 'DifferentValue', description: 'A value that differs between two environments.' });
export type DifferentValue = z.infer<typeof DifferentValue>;

/** Rule environments/comparison. */
export const EnvironmentDifference = z
  .object({
    kind: z.enum(promotedKinds).meta({ description: 'Kind of the item.' }),
    id: z.string(),
    name: z.string(),
    change: z
      .enum(['created', 'updated', 'deleted', 'none'])
      .meta({ description: 'What a promotion does to the target. `none`: only the target changed.' }),
    isConflict: z.boolean().meta({ description: 'Whether both sides changed the same value.' }),
    values: z.array(DifferentValue),
  })
  .meta({ id: 'EnvironmentDifference', description: 'An item that differs between two environments.' });
export type EnvironmentDifference = z.infer<typeof EnvironmentDifference>;

const Counts = z
  .object({
    created: z.int(),
    updated: z.int(),
    deleted: z.int(),
    none: z.int(),
    conflicts: z.int().meta({ description: 'Items among them with a conflict.' }),
  })
  .meta({ description: 'Items that differ, by change.' });
export type DifferenceCounts = z.infer<typeof Counts>;

export const EnvironmentDifferences = z.object({
  data: z.array(EnvironmentDifference),
  meta: PageMeta.extend({ counts: Counts }),
});

const EnvironmentStatus = z.enum(['ready', 'creating', 'promoting', 'failed']).meta({
  description:
    '`creating` until its content is copied; `promoting` while a job promotes into it or rolls back. An environment that is not `ready` or `promoting` cannot be used. `failed`: the copy failed; delete it.',
});

export const Environment = z
  .object({
    id: Id,
    slug: ScopeSlug,
    name: z.string(),
    description: z.string().nullable(),
    isDefault: z.boolean(),
    isProtected: z.boolean().meta({
      description: 'Keys must confirm calls that are public or irreversible; it cannot be deleted.',
    }),
    baseEnvironment: z.string().nullable().meta({
      description: 'Slug of the environment it was created from; null without one, or if that was deleted.',
      example: 'main',
    }),
    status: EnvironmentStatus,
    progress: z.object({ done: z.int(), total: z.int() }).nullable().meta({
      description:
        'Steps of its creation, or of the promotion or rollback that changes it; null when there is none.',
    }),
    entryCount: z.int().meta({ description: 'Entries that are not deleted.', example: 1200 }),
    isSelected: z.boolean().meta({ description: 'Whether calls of the caller use it by default.' }),
    createdAt: Timestamp,
    createdBy: Actor,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'Environment',
    description: 'A separate version of the content types and content of a project.',
  });
export type Environment = z.infer<typeof Environment>;

const isProtected = z.boolean().meta({ description: 'Whether keys confirm what is public or irreversible.' });

export const environmentInput = {
  slug: ScopeSlug,
  name: Name,
  description: Description.nullish(),
  from: ScopeSlug.nullish().meta({
    description: 'Environment to copy, by default the default one; null creates an empty environment.',
    example: 'main',
  }),
  copyContent: z.boolean().default(true).meta({
    description:
      'Whether to copy entries, their history, pages, redirects and media assets, in addition to content types, custom field types and workflows.',
  }),
  isProtected: isProtected.optional(),
};

export const environmentChange = {
  name: Name.optional(),
  description: Description.nullish(),
  isProtected: isProtected.optional(),
};
