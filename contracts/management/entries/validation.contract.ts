import { dataOf } from '../../envelopes.js';
import { inPath, LocaleCode } from '../../primitives.js';
import { management } from '../../procedure.js';
import { EntryValidation } from '../../resources/entry-validation.js';
import { inProject, managementRoute } from '../../routes.js';

export const entryValidation = {
  validate: management({
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
    .output(dataOf(EntryValidation)),
};
