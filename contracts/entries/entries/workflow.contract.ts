import { dataOf } from '../../envelopes.js';
import { inPath } from '../../primitives.js';
import { management } from '../../procedure.js';
import { EntryWorkflow, transitionInput, workflowLocale } from './entry-workflow.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Entries', 'Workflows'];
const id = inPath('Id of the entry.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');

export const entryWorkflow = {
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
