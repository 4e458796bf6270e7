import { must } from '../support/call.js';
import { unique } from '../support/factories/project.js';
import { inProject, type Scene } from '../support/scene.js';
import { makers, mediaChangers, members, type Table } from './row.js';

const folder = ({ app, project: { management, keys } }: Scene) =>
  must(app, {
    method: 'POST',
    path: `${management}/media/folders`,
    key: keys.management,
    body: { name: unique() },
  });

export const mediaFolders: Table<'mediaFolders'> = {
  list: {
    access: members('read'),
    example: inProject(async (scene) => ({ parentId: (await folder(scene)).id })),
  },
  create: {
    access: makers('create'),
    example: inProject(async (scene) => ({ name: unique(), parentId: (await folder(scene)).id })),
  },
  get: {
    access: members('read'),
    example: inProject(async (scene) => ({ id: (await folder(scene)).id })),
  },
  update: {
    access: mediaChangers('update'),
    example: inProject(async (scene) => ({ id: (await folder(scene)).id, name: unique() })),
  },
  delete: {
    access: makers('delete'),
    example: inProject(async (scene) => ({ id: (await folder(scene)).id })),
  },
};
