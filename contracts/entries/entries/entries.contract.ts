import { entryBatch } from './batch.contract.js';
import { entryBlocks } from './blocks.contract.js';
import { entryBulk } from '../bulk/bulk.contract.js';
import { entryComments } from '../comments/comments.contract.js';
import { entryCopies } from './copies.contract.js';
import { entryDrafts } from './drafts.contract.js';
import { entryPreview } from '../previews/preview.contract.js';
import { entryPresence } from './presence.contract.js';
import { entryPublication } from './publication.contract.js';
import { entryReferences } from './references.contract.js';
import { entrySchedules } from '../schedules/schedules.contract.js';
import { entryTools } from './tools.contract.js';
import { entryVersions } from './versions.contract.js';
import { dataOf } from '../../envelopes.js';
import { inPath, LocaleCode } from '../../primitives.js';
import { management } from '../../procedure.js';
import { EntryValidation } from './entry-validation.js';
import { inProject, managementRoute } from '../../routes.js';
import { EntryWorkflow, transitionInput, workflowLocale } from './entry-workflow.js';

const tags = ['Entries', 'Workflows'];
const id = inPath('Id of the entry.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');

const entryWorkflow = {
  getWorkflow: management({
    openapi: managementRoute('GET', '/entries/{id}/workflow', {
      summary: 'Get the workflow state',
      description:
        'Returns the state of an entry, the transitions from it with the reason why one is not possible, pending approvals and the history.',
      tags,
    }),
    resource: 'entries',
    action: 'read',
    errors: ['entry_not_found', 'locale_not_found'],
  })
    .input(inProject({ id, locale: workflowLocale }))
    .output(dataOf(EntryWorkflow)),

  transition: management({
    openapi: managementRoute('POST', '/entries/{id}/workflow', {
      summary: 'Make a workflow transition',
      description:
        'Moves the entry to another state. If the transition needs approvals, the call counts as the approval of the caller, and the state changes with the last one. Fails with 409 `invalid_transition` and the possible states if there is no such transition.',
      tags,
    }),
    mcp: {
      tool: 'transition_workflow',
      title: 'Transition workflow',
      description:
        'Moves an entry to another workflow state, or assigns it along. An impossible state lists the possible ones.',
    },
    resource: 'entries',
    action: 'transition',
    events: ['entry.workflow_changed', 'entry.approved', 'entry.assigned'],
    errors: [
      'entry_not_found',
      'locale_not_found',
      'type_not_localized',
      'user_not_found',
      'version_conflict',
      'invalid_transition',
    ],
  })
    .input(inProject({ id, ...transitionInput }))
    .output(dataOf(EntryWorkflow)),
};

const entryValidation = {
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

export const entries = {
  ...entryDrafts,
  ...entryPublication,
  ...entrySchedules,
  ...entryCopies,
  ...entryBlocks,
  ...entryPreview,
  ...entryValidation,
  ...entryReferences,
  ...entryVersions,
  ...entryWorkflow,
  ...entryComments,
  ...entryPresence,
  ...entryBulk,
  ...entryBatch,
  ...entryTools,
};
