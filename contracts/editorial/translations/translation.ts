import { z } from 'zod';
import { limits } from '../../limits.js';
import { Id, InstantInput, Timestamp } from '../../primitives.js';

/** Rule translations/status. */
const translationStatuses = ['missing', 'in_progress', 'needs_review', 'complete', 'stale'] as const;
export const TranslationStatus = z.enum(translationStatuses).meta({
  description:
    '`missing`: not written. `in_progress`: written since it was last complete. `complete`: published, or set by a reviewer. `stale`: complete, but the source was published with other content since, or marked stale.',
  example: 'stale',
});
export type TranslationStatus = z.infer<typeof TranslationStatus>;

const translationPriorities = ['low', 'normal', 'high'] as const;
export const TranslationPriority = z
  .enum(translationPriorities)
  .meta({ description: 'Priority of the work.', example: 'high' });
export type TranslationPriority = z.infer<typeof TranslationPriority>;

const staleReasons = ['source_changed', 'marked'] as const;

const localeKeys = {
  locale: z.string(),
  status: TranslationStatus,
  assigneeId: z.string().nullable(),
  priority: TranslationPriority,
  dueAt: Timestamp.nullable(),
  note: z.string().nullable(),
  progress: z
    .number()
    .min(0)
    .max(1)
    .meta({ description: 'Share of the filled source fields that the translation fills.', example: 0.5 }),
  publishedAt: Timestamp.nullable(),
  sourceVersion: z
    .int()
    .nullable()
    .meta({ description: 'Latest version of the source that a field was made from.' }),
  outdatedFields: z.array(z.string()).meta({
    description:
      'Fields, or values of blocks (`sections[<id>].title`), whose source was published with other content since.',
  }),
  staleReason: z
    .enum(staleReasons)
    .nullable()
    .meta({ description: 'Why it is outdated. Null if it is not.' }),
  staleComment: z.string().nullable().meta({ description: 'Why the translation was marked stale.' }),
  updatedAt: Timestamp,
};

export const TranslationLocale = z
  .object(localeKeys)
  .meta({ id: 'TranslationLocale', description: 'The translation of an entry into one locale.' });
export type TranslationLocale = z.infer<typeof TranslationLocale>;

const OutdatedField = z.object({
  field: z.string(),
  sourceVersion: z
    .int()
    .nullable()
    .meta({ description: 'Version of the source that the field was made from. Null if it had no value.' }),
  then: z.unknown().meta({ description: 'Value of the source at that version; null if there was none.' }),
  now: z.unknown().meta({ description: 'Published value of the source; null if there is none.' }),
});
export type OutdatedField = z.infer<typeof OutdatedField>;

const entryKeys = {
  entryId: z.string(),
  title: z.string(),
  contentTypeApiName: z.string(),
  siteId: z.string(),
  sourceLocale: z.string().meta({ description: 'Default locale of the site.' }),
};

export const Translation = z
  .object({ ...entryKeys, locales: z.array(TranslationLocale) })
  .meta({ id: 'Translation', description: 'Status of an entry in every locale of its site but the source.' });
export type Translation = z.infer<typeof Translation>;

export const TranslationDetail = z
  .object({
    ...entryKeys,
    locales: z.array(z.object({ ...localeKeys, outdated: z.array(OutdatedField) })),
  })
  .meta({
    id: 'TranslationDetail',
    description: 'A translation with the source of outdated fields then and now.',
  });
export type TranslationDetail = z.infer<typeof TranslationDetail>;

export const TranslationCounts = z
  .object({
    missing: z.int(),
    inProgress: z.int(),
    needsReview: z.int(),
    complete: z.int(),
    stale: z.int(),
  })
  .meta({ id: 'TranslationCounts', description: 'Number of translations in each status.' });
export type TranslationCounts = z.infer<typeof TranslationCounts>;

const coverageKeys = {
  total: z.int(),
  ...TranslationCounts.shape,
  coverage: z.number().min(0).max(1).meta({ description: 'Share of complete translations.', example: 0.75 }),
};

export const TranslationStats = z
  .object({
    sourceLocale: z.string().nullable().meta({ description: 'Null if the sites differ.' }),
    totalEntries: z.int(),
    byLocale: z.array(z.object({ locale: z.string(), ...coverageKeys })),
    byContentType: z.array(z.object({ contentTypeApiName: z.string(), ...coverageKeys })),
  })
  .meta({ id: 'TranslationStats', description: 'Coverage by locale and by content type.' });
export type TranslationStats = z.infer<typeof TranslationStats>;

const Note = z.string().max(limits.commentLength).meta({ description: 'Note to the translator.' });

/** `missing` cannot be set: it is what is not written. */
export const translationChange = {
  status: z.enum(['in_progress', 'needs_review', 'complete', 'stale']).optional().meta({
    description: 'Status set by hand. `complete` accepts the current source for every field.',
    example: 'complete',
  }),
  assigneeId: Id.nullish().meta({ description: 'Member who translates; null removes the assignment.' }),
  priority: TranslationPriority.optional(),
  dueAt: InstantInput.nullish(),
  note: Note.nullish(),
};
