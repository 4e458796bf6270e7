import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { inPath, nameContains, orderBy, paging } from '../../primitives.js';
import { management } from '../../procedure.js';
import { Workflow, workflowChange, workflowInput } from './workflow.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Workflows'];
const workflowSlug = inPath('Slug of the workflow.', 'editorial');
const pathAliases = { workflowSlug: 'slug' };
const named = [
  'content_type_not_found',
  'site_not_found',
  'role_not_found',
  'workflow_state_in_use',
] as const;

export const workflows = {
  list: management({
    openapi: managementRoute('GET', '/workflows', {
      summary: 'List workflows',
      description: 'Returns the workflows of the project.',
      tags,
    }),
    resource: 'workflows',
    action: 'read',
  })
    .input(
      inProject({
        ...paging,
        orderBy: orderBy(['createdAt', 'updatedAt', 'name', 'slug'], 'updatedAt:desc'),
        q: nameContains,
      }),
    )
    .output(listOf(Workflow)),

  create: management({
    openapi: managementRoute('POST', '/workflows', {
      summary: 'Create a workflow',
      description:
        'Creates a workflow. It needs one initial state from which every state can be reached, and no cycle of states from which publishing cannot be reached. A content type uses the workflow that its `workflowSlug` names, else the one whose `contentTypes` name it, else the default one.',
      tags,
      success: { status: 201, location: '/workflows/{slug}' },
    }),
    resource: 'workflows',
    action: 'create',
    events: ['workflow.created'],
    errors: [...named, 'slug_conflict', 'reserved_slug', 'limit_reached'],
  })
    .input(inProject(workflowInput))
    .output(dataOf(Workflow)),

  get: management({
    openapi: managementRoute('GET', '/workflows/{workflowSlug}', {
      summary: 'Get a workflow',
      description: 'Returns one workflow.',
      tags,
      pathAliases,
    }),
    resource: 'workflows',
    action: 'read',
    errors: ['workflow_not_found'],
  })
    .input(inProject({ workflowSlug }))
    .output(dataOf(Workflow)),

  update: management({
    openapi: managementRoute('PUT', '/workflows/{workflowSlug}', {
      summary: 'Update a workflow',
      description:
        'Updates the given properties; lists are replaced. Fails with 409 `workflow_state_in_use` if entries are in a state that no longer exists for them.',
      tags,
      pathAliases,
    }),
    resource: 'workflows',
    action: 'update',
    confirmation: 'always',
    events: ['workflow.updated'],
    errors: [...named, 'workflow_not_found', 'no_update_fields'],
  })
    .input(inProject({ workflowSlug, ...workflowChange }))
    .output(dataOf(Workflow)),

  delete: management({
    openapi: managementRoute('DELETE', '/workflows/{workflowSlug}', {
      summary: 'Delete a workflow',
      description:
        'Deletes a workflow. Fails with 409 `workflow_in_use` if it is the default one, if a content type names it, or if entries are in one of its states other than the initial one. The others continue in the workflow that applies to them then.',
      tags,
      pathAliases,
    }),
    resource: 'workflows',
    action: 'delete',
    confirmation: 'always',
    events: ['workflow.deleted'],
    errors: ['workflow_not_found', 'workflow_in_use'],
  })
    .input(inProject({ workflowSlug }))
    .output(dataOf(Deleted)),
};
