import { must } from '../support/call.js';
import { unique } from '../support/factories/project.js';
import { inProject, type Scene } from '../support/scene.js';
import { editors, editorsAndViewers, at, type Table } from './row.js';

const redirect = ({ app, project: { management, keys, siteId } }: Scene) =>
  must(app, {
    method: 'POST',
    path: `${management}/redirects`,
    key: keys.management,
    body: { siteId, source: `/old-${unique()}`, target: '/new' },
  });

export const redirects: Table<'redirects'> = {
  list: {
    access: editorsAndViewers('read'),
    example: inProject(async (scene) => {
      await redirect(scene);
      return {};
    }),
    foreignIds: [at('site', 'siteId', 0)],
  },
  create: {
    access: editors('create'),
    example: inProject(({ project }) => ({
      siteId: project.siteId,
      source: `/old-${unique()}`,
      target: '/new',
    })),
    event: 'redirect.created',
  },
  get: {
    access: editorsAndViewers('read'),
    example: inProject(async (scene) => ({ id: (await redirect(scene)).id })),
  },
  update: {
    access: editors('update'),
    example: inProject(async (scene) => ({ id: (await redirect(scene)).id, target: `/new-${unique()}` })),
    event: 'redirect.updated',
  },
  delete: {
    access: editors('delete'),
    example: inProject(async (scene) => ({ id: (await redirect(scene)).id })),
    event: 'redirect.deleted',
  },
  import: {
    access: editors('create'),
    example: inProject(({ project }) => ({
      siteId: project.siteId,
      csv: `source,target\r\n/old-${unique()},/new\r\n`,
    })),
    event: 'redirect.imported',
  },
  export: {
    access: editorsAndViewers('read'),
    example: inProject(async (scene) => {
      await redirect(scene);
      return {};
    }),
    foreignIds: [at('site', 'siteId', 0)],
  },
};
