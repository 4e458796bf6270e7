import { must } from '../support/call.js';
import { unique } from '../support/factories/project.js';
import { inProject, type Scene } from '../support/scene.js';
import { builders, members, type Table } from './row.js';

const slug = () => `env-${unique()}`;

const environment = ({ app, project: { management, keys } }: Scene) =>
  must<{ slug: string }>(app, {
    method: 'POST',
    path: `${management}/environments`,
    key: keys.management,
    body: { slug: slug(), name: 'Staging', from: null },
  });

const slugOf = async (scene: Scene) => ({ environmentSlug: (await environment(scene)).slug });

export const environments: Table<'environments'> = {
  list: { access: members('read'), example: inProject(() => ({})) },
  create: {
    access: builders('create'),
    example: inProject(() => ({ slug: slug(), name: 'Staging' })),
    event: 'environment.created',
  },
  get: { access: members('read'), example: inProject(slugOf) },
  update: {
    access: builders('update'),
    example: inProject(async (scene) => ({ ...(await slugOf(scene)), name: 'Preview', isProtected: true })),
  },
  delete: { access: builders('delete'), example: inProject(slugOf), event: 'environment.deleted' },
  select: { access: members('read'), example: inProject(() => ({ slug: 'main' })) },
};
