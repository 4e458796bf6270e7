import { z } from 'zod';
import { dataOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { inPath, LocaleCode } from '../../primitives.js';
import { management } from '../../procedure.js';
import { inProject, managementRoute } from '../../routes.js';

const pathLength = z.string().min(1).max(limits.presencePathLength);

/** Rule access/presence. */
export const EntryPresence = z
  .object({
    entryId: z.string(),
    people: z
      .array(
        z.object({
          userId: z.string(),
          name: z.string(),
          locale: z.string().nullable(),
          path: z.string().nullable().meta({ description: 'Field or block that they are in.' }),
        }),
      )
      .meta({ description: `Other users on the entry, at most ${String(limits.presencePeopleShown)}.` }),
    total: z.int().meta({ description: 'Number of other users.' }),
  })
  .meta({ id: 'EntryPresence', description: 'Who else is on an entry.' });
export type EntryPresence = z.infer<typeof EntryPresence>;

export const entryPresence = {
  announce: management({
    openapi: managementRoute('POST', '/entries/{id}/presence', {
      summary: 'Announce yourself on an entry',
      description: `Announces you to other users on the entry, and returns who they are. Repeat it every ${String(limits.presenceRepeatSeconds)} seconds: without, you are no longer shown after ${String(limits.presenceSeconds)}. While you are announced, the event stream \`me/events\` sends \`presence\` with what this returns. Marks, and locks nothing; leaves no record. API keys are refused.`,
      tags: ['Entries'],
    }),
    resource: 'entries',
    action: 'read',
    sessionOnly: true,
    changesNothing: true,
    errors: ['entry_not_found'],
  })
    .input(
      inProject({
        id: inPath('Id of the entry.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'),
        client: z
          .string()
          .regex(/^[\w-]{1,40}$/)
          .default('main')
          .meta({ description: 'Names the window of a user who has several.', example: 'main' }),
        locale: LocaleCode.nullable()
          .optional()
          .meta({ description: 'Locale that is edited.', example: 'en' }),
        path: pathLength
          .nullable()
          .optional()
          .meta({ description: 'Field or block that the user is in.', example: 'title' }),
        isLeaving: z
          .boolean()
          .optional()
          .meta({ description: 'Ends the presence of this window at once.', example: false }),
      }),
    )
    .output(dataOf(EntryPresence)),
};
