import { must } from '../support/call.js';
import { unique } from '../support/factories/project.js';
import { inProject, type Scene } from '../support/scene.js';
import { builders, type Table } from './row.js';

/** No process listens here: connections are refused. */
const DEAF_TARGET = 'http://127.0.0.1:1/hook';

const webhook = async ({ app, project: { management, keys } }: Scene) => {
  const body = { name: 'Hook', url: DEAF_TARGET, events: ['*'] };
  return must(app, { method: 'POST', path: `${management}/webhooks`, key: keys.management, body });
};

const delivery = async (scene: Scene) => {
  const { id } = await webhook(scene);
  const { management, keys } = scene.project;
  const path = `${management}/webhooks/${id}/test`;
  const { deliveryId } = await must<{ deliveryId: string }>(scene.app, {
    method: 'POST',
    path,
    key: keys.management,
    body: {},
  });
  return { id, deliveryId };
};

export const webhooks: Table<'webhooks'> = {
  list: {
    access: builders('read'),
    example: inProject(async (scene) => {
      await webhook(scene);
      return {};
    }),
  },
  create: {
    access: builders('create'),
    example: inProject(() => ({ name: 'Hook', url: DEAF_TARGET, events: ['entry.*'] })),
  },
  get: { access: builders('read'), example: inProject(async (scene) => ({ id: (await webhook(scene)).id })) },
  update: {
    access: builders('update'),
    example: inProject(async (scene) => ({ id: (await webhook(scene)).id, name: `Hook ${unique()}` })),
  },
  delete: {
    access: builders('delete'),
    example: inProject(async (scene) => ({ id: (await webhook(scene)).id })),
  },
  adopt: {
    access: builders('none'),
    example: inProject(async (scene) => ({ id: (await webhook(scene)).id })),
  },
  rotateSecret: {
    access: builders('update'),
    example: inProject(async (scene) => ({ id: (await webhook(scene)).id, overlapSeconds: 60 })),
  },
  test: {
    access: builders('update'),
    example: inProject(async (scene) => ({ id: (await webhook(scene)).id, event: 'entry.published' })),
  },
  listDeliveries: {
    access: builders('read'),
    example: inProject(async (scene) => ({ id: (await delivery(scene)).id })),
  },
  redeliver: { access: builders('update'), example: inProject(delivery) },
};
