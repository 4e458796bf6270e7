import { must } from '../support/call.js';
import { inProject, type Scene } from '../support/scene.js';
import { allow, type Table } from './row.js';

const readers = allow('owner', 'admin', 'developer', 'editor', 'viewer');
const writers = allow('owner', 'admin', 'developer', 'editor');

const input = {
  name: 'Entries by type',
  source: 'entries',
  metrics: [{ op: 'count' }],
  groupBy: ['contentTypeApiName'],
  visibility: 'shared',
};

const report = ({ app, project: { management, keys } }: Scene) =>
  must(app, { method: 'POST', path: `${management}/custom-reports`, key: keys.management, body: input });
const ofReport = (more: object = {}) =>
  inProject(async (scene) => ({ id: (await report(scene)).id, ...more }));

export const customReports: Table<'customReports'> = {
  list: { access: readers('read'), example: inProject(() => ({})) },
  create: { access: writers('create'), example: inProject(() => input) },
  get: { access: readers('read'), example: ofReport() },
  update: { access: writers('update'), example: ofReport({ name: 'Types' }) },
  delete: { access: writers('delete'), example: ofReport() },
  run: { access: readers('read'), example: ofReport({ format: 'csv' }) },
};
