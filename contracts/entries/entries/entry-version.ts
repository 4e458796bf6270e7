import { z } from 'zod';
import { Timestamp } from '../../primitives.js';
import { Actor } from '../../actor.js';

/** Rule entries/versions. */
export const ChangeType = z
  .enum(['create', 'update', 'restore', 'copy_locale', 'import', 'rename'])
  .meta({ description: 'What created the version.' });
export type ChangeType = z.infer<typeof ChangeType>;

const Publication = z
  .object({
    locale: z.string(),
    kind: z
      .enum(['publish', 'unpublish'])
      .meta({ description: 'Whether the locale was published or unpublished.' }),
    at: Timestamp,
    by: Actor,
    comment: z
      .string()
      .nullable()
      .meta({ description: 'Comment of the call that published or unpublished.' }),
  })
  .meta({ id: 'EntryPublication', description: 'A period in which a locale of the version was published.' });

const version = {
  versionNum: z.int().meta({ description: 'Version of the entry after the change.' }),
  createdAt: Timestamp,
  createdBy: Actor,
  changeType: ChangeType,
  locale: z.string().nullable().meta({ description: 'The locale that changed. Null if several changed.' }),
  locales: z.array(z.string()).meta({ description: 'All locales that changed.' }),
  comment: z.string().nullable(),
  changedFields: z
    .array(z.string())
    .meta({ description: 'API names of the changed fields, `_slug` for the slug.' }),
  isPublished: z.boolean().meta({ description: 'Whether the version is published in any locale.' }),
  publications: z.array(Publication).meta({
    description: 'When the version was published and unpublished, oldest first. Limited to the latest ones.',
  }),
};

/** An item of an entry's history (rule entries/versions). */
export const EntryVersion = z
  .object(version)
  .meta({ id: 'EntryVersion', description: 'A version of an entry.' });
export type EntryVersion = z.infer<typeof EntryVersion>;

/** Content of all locales. */
export const EntrySnapshot = z
  .object({
    ...version,
    snapshot: z
      .object({
        slug: z.string().meta({ description: 'Slug in the default locale, otherwise in the first locale.' }),
        slugs: z.record(z.string(), z.string()).meta({ description: 'Slugs by locale.' }),
        fields: z.record(z.string(), z.record(z.string(), z.unknown())).meta({
          description: 'Values by locale and field, as written.',
          example: { en: { title: 'The upper lock' } },
        }),
      })
      .meta({ description: 'Content of the version.' }),
  })
  .meta({ id: 'EntrySnapshot', description: 'A version of an entry with its content.' });
export type EntrySnapshot = z.infer<typeof EntrySnapshot>;

export const VersionDiff = z
  .object({
    from: z.int().meta({ description: 'Number of the older version.' }),
    to: z.int().meta({ description: 'Number of the newer version.' }),
    changes: z.array(
      z.object({
        locale: z.string().nullable().meta({ description: 'Null for a field shared by all locales.' }),
        field: z.string().meta({ description: 'API name of the field, `_slug` for the slug.' }),
        from: z.unknown().meta({ description: 'Value in `from`. Null if not set.' }),
        to: z.unknown().meta({ description: 'Value in `to`. Null if not set.' }),
      }),
    ),
  })
  .meta({ id: 'VersionDiff', description: 'Differences between two versions.' });
export type VersionDiff = z.infer<typeof VersionDiff>;
