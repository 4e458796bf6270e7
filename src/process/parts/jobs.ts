import { setTimeout as pause } from 'node:timers/promises';
import type { Connections } from './connections.js';
import { AuditSealer } from '../../features/audit/index.js';
import { scheduledWorks } from '../../features/entries/index.js';
import type { RedirectHits } from '../../features/redirects/index.js';
import { JobRuns } from '../../features/schedules/index.js';
import type { WebhookDispatcher } from '../../features/webhooks/index.js';
import { forgetPast } from './retention.js';
import { newId } from '../../infrastructure/ids.js';
import { JobRunner } from '../../infrastructure/job-runner.js';
import { PeriodicTask } from '../../infrastructure/periodic-task.js';
import { JOB_SCHEMA } from '../../persistence/migrations/job-schema.js';
import type { Services } from '../../procedures/index.js';

/** What a process is for: requests, what is done in the background, or both. */
export type Role = 'api' | 'worker' | 'all';

/** What was scheduled and is done by this process. */
export interface Jobs {
  /** Begins to run jobs as they become due; a process that only serves or writes leaves it. */
  start(): Promise<void>;
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

/** What happens beside requests. Any number of processes may do it: each task is claimed in the database. */
export interface Background extends Jobs {
  readonly runner: JobRunner;
  /** Begins nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** What the background works with. */
export interface BackgroundParts {
  readonly connections: Connections;
  /** Its own from the start, since services wake it. */
  readonly runner: JobRunner;
  readonly services: Services;
  readonly redirectHits: RedirectHits;
  readonly dispatcher: WebhookDispatcher;
  readonly role: Role;
  onError(error: unknown): void;
}

const SEAL_SECONDS = 10;
const USES_SECONDS = 5;
const PRUNE_SECONDS = 3600;

/** The clock of jobs. Its due jobs are looked for by {@link backgroundOver}, which is made later. */
export const jobRunnerOver = (
  { jobPool }: Connections,
  options: { runDue(): Promise<unknown>; onError(error: unknown): void },
): JobRunner => new JobRunner({ database: jobPool, schema: JOB_SCHEMA, ...options });

/**
 * What a process does beside requests. Each writes what it has counted of its own requests; a process with the role
 * `api` leaves the rest, jobs, webhooks, sealing and pruning, to others.
 */
export function backgroundOver(parts: BackgroundParts): Background {
  const { connections, runner, services, redirectHits, dispatcher, role, onError } = parts;
  const { units, clock } = services;
  const isStopping = () => runner.isStopping;
  const runs = new JobRuns({ units, clock, works: scheduledWorks, newId, isStopping, onError });
  const sealer = new AuditSealer({ units, newId, pause });
  const prune = async (): Promise<void> => {
    await connections.counter?.prune();
    await dispatcher.prune();
    await forgetPast(units);
  };
  const isShared = role !== 'api';
  const every = (seconds: number, run: () => Promise<unknown>) => new PeriodicTask({ seconds, run, onError });
  const chores = [
    every(USES_SECONDS, () => services.keyUses.flush()),
    ...(isShared
      ? [
          every(SEAL_SECONDS, () => sealer.seal()),
          every(PRUNE_SECONDS, prune),
          every(PRUNE_SECONDS, () => sealer.prune()),
        ]
      : []),
  ];
  return {
    runner,
    start: async () => {
      await runner.start({ runsJobs: isShared });
      if (isShared) dispatcher.start();
      for (const chore of chores) chore.start();
    },
    stop: async () => {
      await Promise.all([runner.stop(), dispatcher.stop(), ...chores.map((chore) => chore.stop())]);
    },
    runDue: () => runs.runDue(),
    countRedirectHits: () => redirectHits.flush(),
    sealAudit: () => sealer.seal(),
    noteKeyUses: () => services.keyUses.flush(),
    tellWebhooks: () => dispatcher.runDue(),
    prune,
  };
}
