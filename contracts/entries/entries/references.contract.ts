import { listOf } from '../../envelopes.js';
import { inPath, paging } from '../../primitives.js';
import { management } from '../../procedure.js';
import { EntryReference } from './entry-reference.js';
import { inProject, managementRoute } from '../../routes.js';

export const entryReferences = {
  listReferences: management({
    openapi: managementRoute('GET', '/entries/{id}/references', {
      summary: 'List references to an entry',
      description: 'Returns the drafts that refer to this entry by field and locale, newest entries first.',
      tags: ['Entries'],
    }),
    mcp: {
      tool: 'find_references',
      title: 'Find references',
      description:
        'Lists the entries that refer to an entry, with the field and locale of each. Use this before unpublishing or deleting.',
      readOnly: true,
    },
    resource: 'entries',
    action: 'read',
    errors: ['entry_not_found'],
  })
    .input(inProject({ id: inPath('Id of the entry.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'), ...paging }))
    .output(listOf(EntryReference)),
};
