import { z } from 'zod';

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
