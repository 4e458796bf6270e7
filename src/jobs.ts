import type { AuditSealer } from './features/audit/index.js';
import type { RedirectHits } from './features/redirects/index.js';
import type { JobRuns } from './features/schedules/index.js';
import type { WebhookDispatcher } from './features/webhooks/index.js';
import type { JobRunner } from './infrastructure/job-runner.js';
import type { PeriodicTask } from './infrastructure/periodic-task.js';
import type { Services } from './procedures/index.js';

/** What a process does beside answering requests. */
export interface Background {
  readonly services: Services;
  readonly redirectHits: RedirectHits;
  readonly runs: JobRuns;
  readonly runner: JobRunner;
  readonly sealer: AuditSealer;
  readonly dispatcher: WebhookDispatcher;
  prune(): Promise<void>;
  /** What the process does from time to time beside its jobs. */
  readonly chores: readonly PeriodicTask[];
  /** What every process that answers requests writes down of them from time to time. */
  readonly notes: readonly PeriodicTask[];
}

/** What was scheduled and is done by this process. */
export interface Jobs {
  /** Begins to run jobs as they become due; a process that only serves or writes leaves it. */
  start(): Promise<void>;
  /** Begins to write down what requests leave in memory; part of `start`. */
  serve(): void;
  /** Runs what is due by the process's clock, now; answers how many were tried. */
  runDue(): Promise<number>;
  /** Writes how often redirects were followed, now. */
  countRedirectHits(): Promise<void>;
  /** Seals the audit records that have been written, now; answers how many. */
  sealAudit(): Promise<number>;
  /** Writes when keys were last used, now. */
  noteKeyUses(): Promise<void>;
  /** Delivers to webhooks what is due by the process's clock, now; answers how many calls were made. */
  tellWebhooks(): Promise<number>;
  /** Forgets what is past its time. */
  prune(): Promise<void>;
}

/** The background of a process as others start and hurry it. */
export const jobsOf = ({
  services,
  redirectHits,
  runs,
  runner,
  sealer,
  dispatcher,
  chores,
  notes,
  prune,
}: Background): Jobs => ({
  start: async () => {
    await runner.start();
    dispatcher.start();
    for (const chore of [...chores, ...notes]) chore.start();
  },
  serve: () => {
    for (const note of notes) note.start();
  },
  runDue: () => runs.runDue(),
  countRedirectHits: () => redirectHits.flush(),
  sealAudit: () => sealer.seal(),
  noteKeyUses: () => services.keyUses.flush(),
  tellWebhooks: () => dispatcher.runDue(),
  prune,
});
