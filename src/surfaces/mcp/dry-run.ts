import { z } from 'zod';
import type { CallContext } from '../../procedures/index.js';

/** One thing that a call would change. */
const RehearsedChange = z.object({
  action: z.string().meta({ description: 'The thing and the verb, such as `entry.publish`.' }),
  target: z.object({ type: z.string(), id: z.string(), name: z.string() }),
  locale: z.string().nullable(),
  changedFields: z.array(z.string()),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
});

/** What stands beside `data` in the reply of a call that was only tried. */
export const rehearsalShape = {
  dryRun: z.literal(true).optional().meta({ description: 'Nothing was changed: this is what would be.' }),
  changes: z.array(RehearsedChange).optional().meta({ description: 'What the call would change.' }),
};

/** The reply of a call that was run for real and rolled back. */
export interface RehearsedReply {
  readonly dryRun: true;
  readonly changes: z.infer<typeof RehearsedChange>[];
  readonly [key: string]: unknown;
}

/**
 * Runs a call and takes everything back: the answer as it would be, and the changes in the form of their
 * audit records.
 * @throws what the call itself would throw
 */
export async function rehearse(context: CallContext, call: () => Promise<unknown>): Promise<RehearsedReply> {
  const rehearsal = context.rehearse();
  try {
    const answer = (await call()) as object;
    const changes = rehearsal.changes.map(({ action, target, locale, changedFields, before, after }) => ({
      action,
      target,
      locale: locale ?? null,
      changedFields: [...changedFields],
      before,
      after,
    }));
    return { ...answer, dryRun: true, changes };
  } finally {
    context.perform();
  }
}
