import { must } from '../support/call.js';
import { unique } from '../support/factories/project.js';
import { inProject, type Scene } from '../support/scene.js';
import { leads, builders, type Table } from './row.js';

const ipRule = ({ app, project: { management, keys } }: Scene) =>
  must(app, {
    method: 'POST',
    path: `${management}/ip-allowlist`,
    key: keys.management,
    body: { cidr: '203.0.113.7' },
  });

export const ipAllowlist: Table<'ipAllowlist'> = {
  list: { access: builders('read'), example: inProject(() => ({})) },
  create: {
    access: leads('create'),
    example: inProject(() => ({ cidr: '203.0.113.0/24', label: 'Office' })),
  },
  set: { access: leads('update'), example: inProject(() => ({ appliesTo: ['mcp'] })) },
  get: { access: builders('read'), example: inProject(async (scene) => ({ id: (await ipRule(scene)).id })) },
  update: {
    access: leads('update'),
    example: inProject(async (scene) => ({ id: (await ipRule(scene)).id, label: unique() })),
  },
  delete: {
    access: leads('delete'),
    example: inProject(async (scene) => ({ id: (await ipRule(scene)).id })),
  },
};
