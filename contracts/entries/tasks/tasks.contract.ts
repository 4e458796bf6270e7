import { z } from 'zod';
import { listOf } from '../../envelopes.js';
import { anyOf, orderBy, paging } from '../../primitives.js';
import { management } from '../../procedure.js';
import { Task, TaskKind } from './task.js';
import { inProject, managementRoute } from '../../routes.js';

export const tasks = {
  list: management({
    openapi: managementRoute('GET', '/tasks', {
      summary: 'List the tasks of a user',
      description:
        'Returns what waits for a user, or to API keys for any: assigned entries and translations, approvals, and mentions in open threads. Soonest due first by default; what has no due time comes last. Counts and returns at most 1,000 tasks.',
      tags: ['Tasks'],
    }),
    mcp: {
      tool: 'list_tasks',
      toolset: 'editorial',
      title: 'List tasks',
      description: 'Lists what waits for users, or for one of them, soonest due first.',
      readOnly: true,
    },
    resource: 'entries',
    action: 'read',
    errors: ['user_not_found'],
  })
    .input(
      inProject({
        ...paging,
        orderBy: orderBy(['dueAt'], 'dueAt:asc'),
        assigneeId: z
          .union([z.literal('me'), z.uuid()])
          .optional()
          .meta({
            description: 'Id of a user. Defaults to the caller, for API keys to every user.',
            example: 'me',
          }),
        kind: anyOf(TaskKind, 'Filter by kind.', 'approval'),
      }),
    )
    .output(listOf(Task)),
};
