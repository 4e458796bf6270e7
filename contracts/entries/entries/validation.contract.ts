import { dataOf } from '../../envelopes.js';
import { inPath, LocaleCode } from '../../primitives.js';
import { management } from '../../procedure.js';
import { EntryValidation } from './entry-validation.js';
import { inProject, managementRoute } from '../../routes.js';

export const entryValidation = {
  validate: management({
    openapi: managementRoute('GET', '/entries/{id}/validation', {
      summary: 'Validate a draft',
      description:
        'Validates the draft of one locale with the same checks as publishing and lists all issues that must be fixed, and links to entries that are not published as warnings. Changes nothing.',
      tags: ['Entries'],
    }),
    mcp: {
      tool: 'validate_entry',
      title: 'Validate entry',
      description:
        'Validates the draft of one locale as publish_entry does and lists every issue with its field.',
      readOnly: true,
    },
    resource: 'entries',
    action: 'read',
    errors: ['entry_not_found', 'locale_not_found'],
  })
    .input(
      inProject({
        id: inPath('Id of the entry.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'),
        locale: LocaleCode.optional().meta({
          description: 'Locale. Defaults to the default locale of the site.',
        }),
      }),
    )
    .output(dataOf(EntryValidation)),
};
