import { z } from 'zod';
import { Timestamp } from '../../primitives.js';
import { Actor } from '../../actor.js';

export const TranslationExport = z
  .object({
    xliff: z.string().meta({
      example:
        '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de">…</xliff>',
    }),
    fileName: z.string(),
  })
  .meta({ description: 'An entry as an XLIFF 2.0 file.' });
export type TranslationExport = z.infer<typeof TranslationExport>;

const ImportedUnit = z.object({
  unit: z.string().meta({ description: 'Id of the unit in the file.' }),
  field: z.string().meta({ description: 'Field or, in a block, `sections[<id>].title`.' }),
  outcome: z.enum(['applied', 'untranslated', 'stale_source', 'invalid']).meta({
    description:
      '`stale_source`: the source has changed since the export. `invalid`: see `message`; `removed_block` if the entry no longer has the block. A field is applied only with all its units.',
  }),
  code: z.string().nullable(),
  message: z.string().nullable(),
});
export type ImportedUnit = z.infer<typeof ImportedUnit>;

export const TranslationImportReport = z
  .object({
    entryId: z.string(),
    locale: z.string(),
    version: z.int().meta({ description: 'Version of the entry after the import.' }),
    appliedFields: z.array(z.string()),
    units: z.array(ImportedUnit),
  })
  .meta({ id: 'TranslationImportReport', description: 'Outcome for each unit of the source.' });
export type TranslationImportReport = z.infer<typeof TranslationImportReport>;

const sampleId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';

export const TranslationJobStatus = z.enum(['queued', 'running', 'done', 'failed']).meta({
  description: '`done`: every file was handled; some may have failed. `failed`: see `error`.',
  example: 'done',
});
export type TranslationJobStatus = z.infer<typeof TranslationJobStatus>;

export const TranslationJobState = z
  .object({ jobId: z.string().meta({ example: sampleId }), status: TranslationJobStatus })
  .meta({ id: 'TranslationJobState', description: 'A job that exports or imports translations.' });
export type TranslationJobState = z.infer<typeof TranslationJobState>;

const FileStatus = z.enum(['waiting', 'done', 'failed']);

const failure = {
  code: z.string().nullable().meta({ description: 'Why the file failed.', example: 'source_missing' }),
  message: z.string().nullable(),
};

const ExportedFile = z.object({
  entryId: z.string(),
  name: z.string().meta({ description: 'Path in the archive.', example: `${sampleId}-de.xlf` }),
  status: FileStatus,
  ...failure,
});

const count = (description: string) => z.int().meta({ description, example: 1 });

const ImportedFile = z.object({
  name: z.string().meta({ description: 'Path in the archive.', example: `${sampleId}-de.xlf` }),
  entryId: z.string().nullable(),
  locale: z.string().nullable(),
  status: FileStatus,
  ...failure,
  applied: count('Units that were applied.'),
  untranslated: count('Units without a target.'),
  staleSource: count('Units whose source has changed since the export.'),
  invalid: count('Units that are missing, incomplete or have other codes than their source.'),
});

const jobKeys = {
  ...TranslationJobState.shape,
  total: z.int().meta({ description: 'Number of files.', example: 2 }),
  done: z.int().meta({ description: 'Files that succeeded.', example: 1 }),
  failed: z.int().meta({ description: 'Files that failed.', example: 1 }),
  error: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .meta({ description: 'Why the job failed.' }),
  createdAt: Timestamp,
  createdBy: Actor,
  completedAt: Timestamp.nullable(),
  expiresAt: Timestamp.meta({ description: 'When the job and its archive are deleted.' }),
};

export const TranslationExportJob = z
  .object({
    ...jobKeys,
    source: z
      .enum(['published', 'draft'])
      .meta({ description: 'Whether published values or drafts are exported.' }),
    sourceLocale: z.string().nullable(),
    targetLocale: z.string().meta({ example: 'de' }),
    url: z
      .string()
      .nullable()
      .meta({
        description: 'Signed URL of the archive, which works for an hour. Null until the job is done.',
        example: `https://www.example.com/media/demo/exports/${sampleId}/demo-de.zip?exp=1767225600&sig=Yb2…`,
      }),
    size: z.int().nullable().meta({ description: 'Bytes of the archive.', example: 40_960 }),
    files: z.array(ExportedFile),
  })
  .meta({ id: 'TranslationExportJob', description: 'An export of several entries.' });
export type TranslationExportJob = z.infer<typeof TranslationExportJob>;

export const TranslationImportJob = z
  .object({
    ...jobKeys,
    applyStale: z.boolean(),
    size: z.int().meta({ description: 'Bytes of the archive.', example: 40_960 }),
    files: z.array(ImportedFile),
  })
  .meta({ id: 'TranslationImportJob', description: 'An import of several XLIFF files.' });
export type TranslationImportJob = z.infer<typeof TranslationImportJob>;
