import { z } from 'zod';
import { dataOf } from '../envelopes.js';
import { inProject, management, managementRoute } from '../operation.js';
import { inPath, LocaleCode } from '../primitives.js';

/** What publishing a draft would refuse. */
const EntryValidation = z
  .object({
    id: z.string(),
    locale: z.string(),
    version: z.int().meta({ description: 'Version of the entry that was looked at.' }),
    isPublishable: z.boolean(),
    issues: z
      .array(
        z.object({
          path: z.array(z.union([z.string(), z.number()])).readonly(),
          code: z.string(),
          message: z.string(),
        }),
      )
      .meta({ description: 'Everything to mend before the draft can be published.' }),
  })
  .meta({ id: 'EntryValidation', description: 'Whether a draft is complete.' });
export type EntryValidation = z.infer<typeof EntryValidation>;

/** Checks the draft of one locale as publishing it would, and changes nothing. */
export const validateEntry = management({
  openapi: managementRoute('GET', '/entries/{id}/validation', {
    summary: 'Check a draft',
    description:
      'Checks the draft of one locale as publishing it would, and lists everything that has to be mended. Nothing changes.',
    tags: ['Entries'],
  }),
  mcp: {
    tool: 'validate_entry',
    title: 'Validate entry',
    description:
      'Checks the draft of one locale as publish_entry would and lists every issue with the field it concerns. Nothing changes.',
    readOnly: true,
  },
  resource: 'entries',
  action: 'read',
  errors: ['entry_not_found', 'locale_not_found'],
})
  .input(
    inProject({
      id: inPath('Id of the entry.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'),
      locale: LocaleCode.optional().meta({ description: 'Locale; the default of the site when absent.' }),
    }),
  )
  .output(dataOf(EntryValidation));
