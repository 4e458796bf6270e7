import { createType } from '../support/factories/content.js';
import { unique } from '../support/factories/project.js';
import { inProject, type Scene } from '../support/scene.js';
import { builders, members, type Table } from './row.js';

const emptyType = async ({ app, project }: Scene) => {
  const apiName = `kind${unique()}`;
  await createType(app, project, { apiName, fields: [{ apiName: 'spare', type: 'text' }] });
  return apiName;
};

export const contentTypes: Table<'contentTypes'> = {
  list: { access: members('read'), example: inProject(() => ({})) },
  create: {
    access: builders('create'),
    example: inProject(() => ({
      apiName: `kind${unique()}`,
      name: 'Kind',
      fields: [{ apiName: 'title', type: 'text' }],
    })),
    event: 'content_type.created',
  },
  get: { access: members('read'), example: inProject(() => ({ apiName: 'article' })) },
  update: {
    access: builders('update'),
    example: inProject(() => ({ apiName: 'article', name: `Article ${unique()}` })),
    event: 'content_type.updated',
  },
  delete: {
    access: builders('delete'),
    example: inProject(async (scene) => ({ apiName: await emptyType(scene) })),
    event: 'content_type.deleted',
  },
  checkDelete: { access: members('read'), example: inProject(() => ({ apiName: 'article' })) },
  rename: {
    access: builders('update'),
    example: inProject(async (scene) => ({
      contentTypeApiName: await emptyType(scene),
      apiName: `kind${unique()}`,
    })),
    event: 'content_type.updated',
  },
};
