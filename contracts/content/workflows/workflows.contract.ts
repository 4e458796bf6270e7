import { crudOf } from '../../crud.js';
import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { inPath, nameContains, orderBy, paging } from '../../primitives.js';
import { Workflow, workflowChange, workflowInput } from './workflow.js';
import { inProject } from '../../routes.js';

const tags = ['Workflows'];
const workflowSlug = inPath('Slug of the workflow.', 'editorial');
const pathAliases = { workflowSlug: 'slug' };
const named = [
  'content_type_not_found',
  'site_not_found',
  'role_not_found',
  'workflow_state_in_use',
] as const;

const crud = crudOf({
  path: '/workflows',
  key: 'workflowSlug',
  resource: 'workflows',
  tags,
  notFound: 'workflow_not_found',
  pathAliases,
});

export const workflows = {
  list: crud
    .list({
      summary: 'List workflows',
      description: 'Returns the workflows of the project.',
    })
    .input(
      inProject({
        ...paging,
        orderBy: orderBy(['createdAt', 'updatedAt', 'name', 'slug'], 'updatedAt:desc'),
        q: nameContains,
      }),
    )
    .output(listOf(Workflow)),

  create: crud
    .create({
      summary: 'Create a workflow',
      description:
        'Creates a workflow. It needs one initial state from which every state can be reached, and no cycle of states from which publishing cannot be reached. A content type uses the workflow that its `workflowSlug` names, else the one whose `contentTypes` name it, else the default one.',
      events: ['workflow.created'],
      errors: [...named, 'slug_conflict', 'reserved_slug', 'limit_reached'],
    })
    .input(inProject(workflowInput))
    .output(dataOf(Workflow)),

  get: crud
    .get({
      summary: 'Get a workflow',
      description: 'Returns one workflow.',
    })
    .input(inProject({ workflowSlug }))
    .output(dataOf(Workflow)),

  update: crud
    .update({
      summary: 'Update a workflow',
      description:
        'Updates the given properties; lists are replaced. Fails with 409 `workflow_state_in_use` if entries are in a state that no longer exists for them.',
      confirmation: 'always',
      events: ['workflow.updated'],
      errors: [...named],
    })
    .input(inProject({ workflowSlug, ...workflowChange }))
    .output(dataOf(Workflow)),

  delete: crud
    .delete({
      summary: 'Delete a workflow',
      description:
        'Deletes a workflow. Fails with 409 `workflow_in_use` if it is the default one, if a content type names it, or if entries are in one of its states other than the initial one. The others continue in the workflow that applies to them then.',
      events: ['workflow.deleted'],
      errors: ['workflow_in_use'],
    })
    .input(inProject({ workflowSlug }))
    .output(dataOf(Deleted)),
};
