import { must } from '../support/call.js';
import { unique } from '../support/factories/project.js';
import { inProject, inSite, type Scene } from '../support/scene.js';
import { editors, members, at, type Table } from './row.js';

const folder = ({ app, project }: Scene) =>
  must(app, {
    method: 'POST',
    path: `${project.management}/tree/nodes`,
    key: project.keys.management,
    body: { siteId: project.siteId, slug: unique() },
  });

export const tree: Table<'tree'> = {
  get: {
    access: members('read'),
    example: inSite(async (scene) => {
      await folder(scene);
      return {};
    }),
    foreignIds: [at('node', 'parentId')],
  },
  getGlobal: {
    access: members('read'),
    example: inProject(() => ({})),
    foreignIds: [at('node', 'parentId')],
  },
  listNodes: {
    access: members('read'),
    example: inSite(async (scene) => {
      await folder(scene);
      return {};
    }),
  },
  createNode: {
    access: editors('create'),
    example: inProject(({ project }) => ({ siteId: project.siteId, name: 'Folder', slug: unique() })),
    event: 'tree.node_created',
    foreignIds: [at('node', 'parentId'), at('entry', 'entryId')],
  },
  getNode: {
    access: members('read'),
    example: inProject(async (scene) => ({ id: (await folder(scene)).id })),
  },
  updateNode: {
    access: editors('update'),
    example: inProject(async (scene) => ({ id: (await folder(scene)).id, name: `Name ${unique()}` })),
    event: 'tree.node_updated',
  },
  deleteNode: {
    access: editors('delete'),
    example: inProject(async (scene) => ({ id: (await folder(scene)).id })),
    event: 'tree.node_deleted',
  },
  moveNode: {
    access: editors('update'),
    example: inProject(async (scene) => {
      const [parent, node] = [await folder(scene), await folder(scene)];
      return { id: node.id, parentId: parent.id };
    }),
    event: 'tree.node_moved',
    foreignIds: [at('node', 'beforeId'), at('node', 'afterId')],
  },
};
