import { z } from 'zod';
import { Timestamp } from '../primitives.js';
import { Actor } from './actor.js';

/** What made a version (decisions 2.29). */
export const ChangeType = z
  .enum(['create', 'update', 'restore', 'copy_locale', 'import', 'rename'])
  .meta({ description: 'What made the version.' });
export type ChangeType = z.infer<typeof ChangeType>;

const Publication = z
  .object({ locale: z.string(), kind: z.enum(['publish', 'unpublish']), at: Timestamp, by: Actor })
  .meta({ id: 'EntryPublication', description: 'A locale of a version going live or offline.' });

const version = {
  versionNum: z.int().meta({ description: 'The version of the entry after the change.' }),
  createdAt: Timestamp,
  createdBy: Actor,
  changeType: ChangeType,
  locale: z.string().nullable().meta({ description: 'The locale that changed; null where several did.' }),
  locales: z.array(z.string()).meta({ description: 'Every locale that changed.' }),
  comment: z.string().nullable(),
  changedFields: z
    .array(z.string())
    .meta({ description: 'apiNames of the fields that changed; `_slug` for the slug.' }),
  isPublished: z.boolean().meta({ description: 'Whether it is live in some locale.' }),
  publications: z
    .array(Publication)
    .meta({ description: 'When it went live and offline, oldest first; of very many the latest.' }),
};

/** An item of an entry's history (decisions 2.9). */
export const EntryVersion = z
  .object(version)
  .meta({ id: 'EntryVersion', description: 'A version of an entry.' });
export type EntryVersion = z.infer<typeof EntryVersion>;

/** A version with the content of the whole entry as it left it. */
export const EntrySnapshot = z
  .object({
    ...version,
    snapshot: z.object({
      slug: z.string().meta({ description: 'Slug of the default locale, else of the first one.' }),
      slugs: z.record(z.string(), z.string()).meta({ description: 'Slugs by locale.' }),
      fields: z.record(z.string(), z.record(z.string(), z.unknown())).meta({
        description: 'Values by locale and field, as they were written.',
        example: { en: { title: 'The upper lock' } },
      }),
    }),
  })
  .meta({ id: 'EntrySnapshot', description: 'A version of an entry with its content.' });
export type EntrySnapshot = z.infer<typeof EntrySnapshot>;

/** What differs between two versions of an entry. */
export const VersionDiff = z
  .object({
    from: z.int(),
    to: z.int(),
    changes: z.array(
      z.object({
        locale: z
          .string()
          .nullable()
          .meta({ description: 'Null for a field that is the same in every locale.' }),
        field: z.string().meta({ description: 'apiName of the field; `_slug` for the slug.' }),
        from: z.unknown().meta({ description: 'The value in `from`; null where it was not set.' }),
        to: z.unknown().meta({ description: 'The value in `to`; null where it was not set.' }),
      }),
    ),
  })
  .meta({ id: 'VersionDiff', description: 'What differs between two versions.' });
export type VersionDiff = z.infer<typeof VersionDiff>;
