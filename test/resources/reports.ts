import { inProject } from '../support/scene.js';
import { allow, at, type Table } from './row.js';

const readers = allow('owner', 'admin', 'developer', 'editor', 'viewer');
const row = {
  access: readers('read'),
  example: inProject(() => ({ format: 'csv' })),
  foreignIds: [at('site', 'siteId', 0)],
};

export const reports: Table<'reports'> = {
  publishingActivity: row,
  contentHealth: row,
  schemaUsage: row,
  userActivity: row,
  agentActivity: row,
  emptySearches: row,
};
