import { must } from '../support/call.js';
import { createEntry } from '../support/factories/content.js';
import { unique } from '../support/factories/project.js';
import { inProject, type Scene } from '../support/scene.js';
import { at, editors, members, type Table } from './row.js';

interface Given {
  readonly id: string;
  readonly items: readonly { readonly id: string }[];
}

const post = <T = { id: string }>({ app, project }: Scene, suffix: string, body: object = {}) =>
  must<T>(app, {
    method: 'POST',
    path: `${project.management}/releases${suffix}`,
    key: project.keys.management,
    body,
  });

const empty = (scene: Scene) => post(scene, '', { name: `Release ${unique()}` });

const item = async ({ app, project }: Scene) => {
  const fields = { title: `Draft ${unique()}` };
  const { id: entryId } = await createEntry(app, project, { contentTypeApiName: 'article', fields });
  return { kind: 'entry', entryId, locale: 'en', action: 'publish' };
};

const filled = async (scene: Scene) => {
  const { id } = await empty(scene);
  return post<Given>(scene, `/${id}/items`, { items: [await item(scene)] });
};

const published = async (scene: Scene) => {
  const { id } = await filled(scene);
  await post(scene, `/${id}/publish`);
  return { id };
};

const idOf = async (made: Promise<{ id: string }>) => ({ id: (await made).id });

export const releases: Table<'releases'> = {
  list: {
    access: members('read'),
    example: inProject(async (scene) => {
      await empty(scene);
      return {};
    }),
  },
  create: {
    access: editors('create'),
    example: inProject(() => ({ name: `Release ${unique()}` })),
    event: 'release.created',
    foreignIds: [at('role', 'requiresApproval', 'roleIds', 0)],
  },
  get: { access: members('read'), example: inProject((scene) => idOf(filled(scene))) },
  update: {
    access: editors('update'),
    example: inProject(async (scene) => ({ ...(await idOf(empty(scene))), name: `Release ${unique()}` })),
  },
  delete: { access: editors('delete'), example: inProject((scene) => idOf(empty(scene))) },
  addItems: {
    access: editors('update'),
    example: inProject(async (scene) => ({ ...(await idOf(empty(scene))), items: [await item(scene)] })),
  },
  removeItem: {
    access: editors('update'),
    example: inProject(async (scene) => {
      const { id, items } = await filled(scene);
      return { id, itemId: items[0]?.id };
    }),
  },
  validate: { access: members('read'), example: inProject((scene) => idOf(filled(scene))) },
  publish: {
    access: editors('publish'),
    example: inProject((scene) => idOf(filled(scene))),
    event: 'release.published',
  },
  schedule: {
    access: editors('publish'),
    example: inProject(async (scene) => ({
      ...(await idOf(filled(scene))),
      scheduledAt: '2099-01-01T00:00:00Z',
    })),
    event: 'release.scheduled',
  },
  rollback: {
    access: editors('publish'),
    example: inProject((scene) => idOf(published(scene))),
    event: 'release.rolled_back',
  },
  reopen: {
    access: editors('update'),
    example: inProject(async (scene) => {
      const { id } = await published(scene);
      await post(scene, `/${id}/rollback`);
      return { id };
    }),
  },
  approve: {
    access: editors('none'),
    example: inProject((scene) => idOf(filled(scene))),
  },
};
