import { z } from 'zod';
import { dataOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { keysIn, Id, inPath, InstantInput, LocaleCode } from '../../primitives.js';
import { management } from '../../procedure.js';
import { FileInput } from '../../media/media/media-file.js';
import { TranslationPriority, TranslationStatus } from './translation.js';
import { TranslationExportJob, TranslationImportJob, TranslationJobState } from './translation-job.js';
import { inProject, managementRoute } from '../../routes.js';
import { applyStale, source } from './translation-exchange.contract.js';

const tags = ['Translations'];
const resource = 'translations';
const sampleId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';
const jobId = inPath('Id of the job.', sampleId);
const files = String(limits.translationJobFiles);

const several = <S extends z.ZodType>(item: S, description: string, example: string) =>
  z
    .array(item)
    .min(1)
    .max(100)
    .optional()
    .meta({ description, example: [example] });

const filter = z
  .strictObject({
    contentTypeApiName: several(z.string(), 'Entries of these content types.', 'article'),
    siteId: several(Id, 'Entries of these sites.', sampleId),
    status: several(TranslationStatus, 'Translations with one of these statuses.', 'missing'),
    assigneeId: several(Id, 'Translations assigned to one of these users.', sampleId),
    priority: several(TranslationPriority, 'Translations with one of these priorities.', 'high'),
    dueBefore: InstantInput.optional().meta({
      description: 'Translations due before this time.',
      example: '2027-01-01T00:00:00Z',
    }),
  })
  .meta({
    description: `Translations into the target locale to export, at most ${files}, oldest entries first. Filters as in the list.`,
    example: { status: ['missing'] },
  });

/** Jobs on archives of XLIFF files (rules translations/archives and translations/xliff). */
export const translationJobs = {
  startExport: management({
    openapi: managementRoute('POST', '/translations/export', {
      summary: 'Start an export of translations',
      description:
        'Starts a job that writes a ZIP archive with an XLIFF 2.0 file for each entry, with the rights of the caller. Name entries or a filter.',
      tags,
      startsJob: true,
      bodyRule: {
        if: keysIn('entryIds'),
        then: { not: keysIn('filter') },
        else: keysIn('filter'),
        examples: [{ entryIds: [sampleId], targetLocale: 'de' }],
      },
    }),
    resource,
    action: 'read',
    events: ['translation.exported'],
    errors: ['site_not_found', 'content_type_not_found', 'locale_not_found', 'limit_reached'],
  })
    .input(
      inProject({
        entryIds: z
          .array(Id)
          .min(1)
          .max(limits.translationJobFiles)
          .optional()
          .meta({ description: 'Entries to export. Duplicates are ignored.', example: [sampleId] }),
        filter: filter.optional(),
        sourceLocale: LocaleCode.optional().meta({
          description: 'Refuse entries whose site has another default locale.',
          example: 'en',
        }),
        targetLocale: LocaleCode.meta({ description: 'Locale to translate into.', example: 'de' }),
        source,
      }),
    )
    .output(dataOf(TranslationJobState)),

  getExport: management({
    openapi: managementRoute('GET', '/translations/exports/{jobId}', {
      summary: 'Get an export of translations',
      description:
        'Returns the state of an export, the outcome of each entry and a signed URL of the archive. Callers that cannot read every entry find only their own jobs.',
      tags,
    }),
    resource,
    action: 'read',
    errors: ['job_not_found'],
  })
    .input(inProject({ jobId }))
    .output(dataOf(TranslationExportJob)),

  startImport: management({
    openapi: managementRoute('POST', '/translations/import', {
      summary: 'Start an import of translations',
      description: [
        `Starts a job that imports the XLIFF files (.xlf, .xliff) of a ZIP archive with the rights of the caller, at most ${files}.`,
        'Send `multipart/form-data` with the part `file` last, or JSON with the content in Base64.',
        'A file names its entry and locale; one that fails does not stop the others.',
      ].join(' '),
      tags,
      startsJob: true,
      upload: { part: 'file', maximumBytes: limits.translationArchiveBytes },
    }),
    resource,
    action: 'update',
    events: ['entry.updated', 'translation.updated', 'translation.imported'],
    errors: ['limit_reached', 'payload_too_large', 'storage_unavailable', 'storage_full'],
  })
    .input(inProject({ applyStale, file: FileInput }))
    .output(dataOf(TranslationJobState)),

  getImport: management({
    openapi: managementRoute('GET', '/translations/imports/{jobId}', {
      summary: 'Get an import of translations',
      description:
        'Returns the state of an import and the outcome of each file. Callers that cannot read every entry find only their own jobs.',
      tags,
    }),
    resource,
    action: 'read',
    errors: ['job_not_found'],
  })
    .input(inProject({ jobId }))
    .output(dataOf(TranslationImportJob)),
};
