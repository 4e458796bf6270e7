import { must } from '../support/call.js';
import { unique } from '../support/factories/project.js';
import { inProject, type Scene } from '../support/scene.js';
import { builders, at, type Table } from './row.js';

const apiKey = ({ app, project: { management, keys } }: Scene) =>
  must(app, {
    method: 'POST',
    path: `${management}/api-keys`,
    key: keys.management,
    body: { name: 'Key', type: 'delivery' },
  });

export const apiKeys: Table<'apiKeys'> = {
  list: { access: builders('read'), example: inProject(() => ({})) },
  create: {
    access: builders('create'),
    example: inProject(() => ({ name: 'Key', type: 'delivery' })),
    event: 'api_key.created',
    foreignIds: [at('site', 'siteIds', 0)],
  },
  get: { access: builders('read'), example: inProject(async (scene) => ({ id: (await apiKey(scene)).id })) },
  update: {
    access: builders('update'),
    example: inProject(async (scene) => ({ id: (await apiKey(scene)).id, name: `Key ${unique()}` })),
  },
  rotate: {
    access: builders('update'),
    example: inProject(async (scene) => ({ id: (await apiKey(scene)).id, overlapSeconds: 60 })),
  },
  revoke: {
    access: builders('delete'),
    example: inProject(async (scene) => ({ id: (await apiKey(scene)).id })),
    event: 'api_key.revoked',
  },
};
