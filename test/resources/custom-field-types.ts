import { must } from '../support/call.js';
import { unique } from '../support/factories/project.js';
import { inProject, type Scene } from '../support/scene.js';
import { builders, members, type Table } from './row.js';

const customType = async ({ app, project }: Scene) => {
  const apiName = `kind${unique()}`;
  const body = { apiName, name: 'Kind', jsonSchema: { type: 'object' } };
  const path = `${project.management}/custom-field-types`;
  await must(app, { method: 'POST', path, key: project.keys.management, body });
  return apiName;
};

export const customFieldTypes: Table<'customFieldTypes'> = {
  list: { access: members('read'), example: inProject(() => ({})) },
  create: {
    access: builders('create'),
    example: inProject(() => ({ apiName: `kind${unique()}`, name: 'Kind', jsonSchema: { type: 'object' } })),
  },
  get: {
    access: members('read'),
    example: inProject(async (scene) => ({ apiName: await customType(scene) })),
  },
  update: {
    access: builders('update'),
    example: inProject(async (scene) => ({ apiName: await customType(scene), name: 'Renamed' })),
  },
  delete: {
    access: builders('delete'),
    example: inProject(async (scene) => ({ apiName: await customType(scene) })),
  },
};
