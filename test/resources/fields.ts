import { createType } from '../support/factories/content.js';
import { unique } from '../support/factories/project.js';
import { inProject, type Scene } from '../support/scene.js';
import { builders, members, type Table } from './row.js';

const emptyType = async ({ app, project }: Scene) => {
  const apiName = `kind${unique()}`;
  await createType(app, project, { apiName, fields: [{ apiName: 'spare', type: 'text' }] });
  return apiName;
};

export const fields: Table<'fields'> = {
  list: { access: members('read'), example: inProject(() => ({ contentTypeApiName: 'article' })) },
  create: {
    access: builders('update'),
    example: inProject(() => ({ contentTypeApiName: 'article', apiName: `extra${unique()}`, type: 'text' })),
    event: 'content_type.updated',
  },
  get: {
    access: members('read'),
    example: inProject(() => ({ contentTypeApiName: 'article', fieldApiName: 'title' })),
  },
  update: {
    access: builders('update'),
    example: inProject(() => ({
      contentTypeApiName: 'article',
      fieldApiName: 'body',
      name: `Body ${unique()}`,
    })),
    event: 'content_type.updated',
  },
  delete: {
    access: builders('update'),
    example: inProject(async (scene) => ({
      contentTypeApiName: await emptyType(scene),
      fieldApiName: 'spare',
    })),
    event: 'content_type.updated',
  },
  rename: {
    access: builders('update'),
    example: inProject(async (scene) => ({
      contentTypeApiName: await emptyType(scene),
      fieldApiName: 'spare',
      apiName: 'spareNow',
    })),
    event: 'content_type.updated',
  },
};
