import { z } from 'zod';
import { dataOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { inPath } from '../../primitives.js';
import { management } from '../../procedure.js';
import { TranslationExport, TranslationImportReport } from './translation-job.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Translations'];
const resource = 'translations';
const mediaType = 'application/xliff+xml';
const entryId = inPath('Id of the entry.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');
const locale = inPath('Locale of the translation.', 'de');

export const source = z.enum(['published', 'draft']).default('published').meta({
  description: 'Source to translate: what is published, or the current draft.',
  example: 'published',
});

export const applyStale = z.boolean().default(false).meta({
  description: 'Also apply fields whose source has changed since the export. They remain outdated.',
  example: false,
});

/** Exchange with translation tools (rule translations/xliff). */
export const translationExchange = {
  export: management({
    openapi: managementRoute('GET', '/translations/{entryId}/{locale}/export', {
      summary: 'Export a translation as XLIFF',
      description:
        'Returns an XLIFF 2.0 file with a unit for each string and each block of rich text. Marks are `pc`, placeholders and line breaks `ph`; both must stay.',
      tags,
      textResponse: { mediaType, key: 'xliff', fileName: 'fileName' },
    }),
    resource,
    action: 'read',
    errors: ['entry_not_found', 'locale_not_found', 'type_not_localized', 'source_locale', 'source_missing'],
  })
    .input(
      inProject({
        entryId,
        locale,
        format: z
          .enum(['xliff'])
          .default('xliff')
          .meta({ description: 'Format of the file.', example: 'xliff' }),
        source,
      }),
    )
    .output(dataOf(TranslationExport)),

  import: management({
    openapi: managementRoute('POST', '/translations/{entryId}/{locale}/import', {
      summary: 'Import a translation from XLIFF',
      description:
        'Writes the targets of an exported XLIFF 2.0 file to the draft of the locale and sets the status `needs_review`. Units that lost a code, are missing or whose source has changed are reported and not applied.',
      tags,
      textBody: { mediaType, key: 'xliff', part: 'file', maximumBytes: limits.xliffImportBytes },
    }),
    resource,
    action: 'update',
    events: ['entry.updated', 'translation.updated'],
    errors: [
      'entry_not_found',
      'locale_not_found',
      'type_not_localized',
      'source_locale',
      'version_conflict',
      'slug_conflict',
      'slug_reserved',
      'unknown_field',
      'schema_too_complex',
    ],
  })
    .input(
      inProject({
        entryId,
        locale,
        xliff: z.string().max(limits.xliffImportBytes).meta({
          description: 'The XLIFF file. Document types are refused.',
          example:
            '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de">…</xliff>',
        }),
        applyStale,
      }),
    )
    .output(dataOf(TranslationImportReport)),

  suggest: management({
    openapi: managementRoute('POST', '/translations/{entryId}/{locale}/suggest', {
      summary: 'Fill missing fields by machine translation',
      description:
        'Asks the translation engine for the fields that have no value in the locale, checks its marks and placeholders as an import does, and sets the status `needs_review`. Without an engine: 501 `not_configured`.',
      tags,
    }),
    resource,
    action: 'update',
    events: ['entry.updated', 'translation.updated'],
    errors: [
      'entry_not_found',
      'locale_not_found',
      'type_not_localized',
      'source_locale',
      'source_missing',
      'version_conflict',
      'slug_conflict',
      'slug_reserved',
      'schema_too_complex',
      'not_configured',
      'translation_failed',
      'translation_unavailable',
      'translation_timeout',
    ],
  })
    .input(inProject({ entryId, locale, source }))
    .output(dataOf(TranslationImportReport)),
};
