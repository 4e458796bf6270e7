import { inProject } from '../support/scene.js';
import { builders, type Table } from './row.js';

export const audit: Table<'audit'> = {
  listLogs: { access: builders('read'), example: inProject(() => ({})) },
  listEvents: {
    access: builders('read'),
    example: inProject(() => ({ targetType: 'content_type' })),
    quietPositions: ['targetId'],
  },
  exportEvents: {
    access: builders('read'),
    example: inProject(() => ({ targetType: 'content_type' })),
    quietPositions: ['targetId'],
  },
  verify: { access: builders('read'), example: inProject(() => ({})) },
};
