import type { Rehearsal } from '../persistence/work/unit-of-work.js';

interface RehearsedChange extends Pick<
  Rehearsal['changes'][number],
  'action' | 'target' | 'before' | 'after'
> {
  readonly locale: string | null;
  readonly changedFields: readonly string[];
}

/** Result of a call that was executed and rolled back, with its changes in the form of audit records. */
export interface RehearsedReply {
  readonly dryRun: true;
  readonly changes: readonly RehearsedChange[];
  readonly [key: string]: unknown;
}

export function rehearsedReply(output: object, rehearsal: Rehearsal): RehearsedReply {
  const changes = rehearsal.changes.map(({ action, target, locale, changedFields, before, after }) => ({
    action,
    target,
    locale: locale ?? null,
    changedFields: [...changedFields],
    before,
    after,
  }));
  return { ...output, dryRun: true, changes };
}
