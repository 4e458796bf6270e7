import { must } from '../support/call.js';
import { unique } from '../support/factories/project.js';
import { inProject, type Scene } from '../support/scene.js';
import { at, builders, members, type Table } from './row.js';

const input = () => ({
  name: `Workflow ${unique()}`,
  states: [
    { key: 'draft', name: 'Draft', isInitial: true },
    { key: 'approved', name: 'Approved', allowsPublish: true },
  ],
  transitions: [{ from: 'draft', to: 'approved' }],
});

const workflow = ({ app, project: { management, keys } }: Scene) =>
  must<{ slug: string }>(app, {
    method: 'POST',
    path: `${management}/workflows`,
    key: keys.management,
    body: input(),
  });

const slugOf = async (scene: Scene) => ({ workflowSlug: (await workflow(scene)).slug });

export const workflows: Table<'workflows'> = {
  list: { access: members('read'), example: inProject(() => ({})) },
  create: {
    access: builders('create'),
    example: inProject(input),
    event: 'workflow.created',
    foreignIds: [
      at('site', 'siteIds', 0),
      at('role', 'states', 0, 'editableBy', 0),
      at('role', 'transitions', 0, 'roleIds', 0),
    ],
  },
  get: { access: members('read'), example: inProject(slugOf) },
  update: {
    access: builders('update'),
    example: inProject(async (scene) => ({ ...(await slugOf(scene)), name: 'Editorial' })),
    event: 'workflow.updated',
    foreignIds: [at('site', 'siteIds', 0)],
  },
  delete: {
    access: builders('delete'),
    example: inProject(slugOf),
    event: 'workflow.deleted',
  },
};
