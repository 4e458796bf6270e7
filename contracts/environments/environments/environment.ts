import { z } from 'zod';
import { Description, Id, Name, ScopeSlug, Timestamp } from '../../primitives.js';
import { Actor } from '../../actor.js';

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
