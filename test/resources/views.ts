import { must } from '../support/call.js';
import { inProject, type Scene } from '../support/scene.js';
import { members, type Table } from './row.js';

const input = { name: 'Drafts', resource: 'entries', filters: { status: ['draft'] }, visibility: 'shared' };

const view = ({ app, project: { management, keys } }: Scene) =>
  must(app, { method: 'POST', path: `${management}/views`, key: keys.management, body: input });

export const views: Table<'views'> = {
  list: { access: members('read'), example: inProject(() => ({})) },
  create: { access: members('create'), example: inProject(() => input) },
  get: { access: members('read'), example: inProject(async (scene) => ({ id: (await view(scene)).id })) },
  update: {
    access: members('update'),
    example: inProject(async (scene) => ({ id: (await view(scene)).id, name: 'My drafts' })),
  },
  delete: {
    access: members('delete'),
    example: inProject(async (scene) => ({ id: (await view(scene)).id })),
  },
};
