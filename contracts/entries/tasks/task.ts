import { z } from 'zod';
import { Timestamp } from '../../primitives.js';

export const TaskKind = z.enum(['transition', 'approval', 'translation', 'mention']);
export type TaskKind = z.infer<typeof TaskKind>;

/** Rule entries/tasks. */
export const Task = z
  .object({
    kind: TaskKind.meta({
      description:
        '`transition`: an assigned entry. `approval`: an entry that a role of the user approves. `translation`: an assigned one. `mention`: a comment in an open thread.',
    }),
    entryId: z.string(),
    title: z.string(),
    contentTypeApiName: z.string(),
    siteId: z.string(),
    locale: z.string().nullable().meta({ description: 'Null if it is about every locale.' }),
    state: z
      .string()
      .nullable()
      .meta({ description: 'State in the workflow, or status of the translation; null for mentions.' }),
    dueAt: Timestamp.nullable(),
    commentId: z.string().nullable(),
  })
  .meta({ id: 'Task', description: 'Work that waits for a user.' });
export type Task = z.infer<typeof Task>;
