import { must } from '../support/call.js';
import { unique } from '../support/factories/project.js';
import { inProject } from '../support/scene.js';
import { at, membersAndScoped, type Table } from './row.js';

export const tasks: Table<'tasks'> = {
  list: {
    access: membersAndScoped('read'),
    example: inProject(async ({ app, project: { management, keys } }) => {
      const { id } = await must(app, {
        method: 'POST',
        path: `${management}/users`,
        key: keys.management,
        body: { email: `${unique()}@example.com` },
      });
      return { assigneeId: id };
    }),
    foreignIds: [at('user', 'assigneeId')],
  },
};
