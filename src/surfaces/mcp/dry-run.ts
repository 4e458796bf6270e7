import { z } from 'zod';
import { rehearsedReply, type CallContext, type RehearsedReply } from '../../procedures/index.js';

const RehearsedChange = z.object({
  action: z.string().meta({ description: 'Target type and verb, such as `entry.publish`.' }),
  target: z.object({ type: z.string(), id: z.string(), name: z.string() }),
  locale: z.string().nullable(),
  changedFields: z.array(z.string()),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
});

/** Keys beside `data` in the result of a dry run. */
export const rehearsalShape = {
  dryRun: z
    .literal(true)
    .optional()
    .meta({ description: 'Nothing was changed. `data` and `changes` show the effect of the call.' }),
  changes: z.array(RehearsedChange).optional().meta({ description: 'Changes that the call would make.' }),
};

/** Executes a call, rolls it back and returns its output with the changes in the form of audit records. */
export async function rehearse(context: CallContext, call: () => Promise<unknown>): Promise<RehearsedReply> {
  const rehearsal = context.rehearse();
  try {
    return rehearsedReply((await call()) as object, rehearsal);
  } finally {
    context.perform();
  }
}
