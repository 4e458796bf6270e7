import { AppError } from '../../../../contracts/errors.js';
import { toAppError } from '../../../../contracts/procedure.js';
import type { Clock } from '../../../infrastructure/clock.js';
import {
  addressOf,
  systemScope,
  toDatabaseFailure,
  type UnitOfWork,
  type UnitOfWorkFactory,
  type WorkScope,
} from '../../../persistence/work/unit-of-work.js';
import type { JobRunner } from '../../../infrastructure/job-runner.js';
import { PeriodicTask } from '../../../infrastructure/job-runner.js';
import { DueJobRepository, type DueJob } from './due-job.repository.js';
import type { JobRegistry } from './job-registry.js';
import { ScheduledJobRepository, type JobFailure, type TakenJob } from './scheduled-job.repository.js';

interface JobRunParts {
  readonly units: UnitOfWorkFactory;
  readonly clock: Clock;
  readonly registry: Pick<JobRegistry, 'run' | 'releases'>;
  newId(): string;
  /** Whether to stop before the next job. */
  isStopping?(): boolean;
  /** Receives failures that no input caused. */
  onError(error: unknown): void;
}

const BATCH = 100;
/** Pauses before the second, third and fourth attempt: three retries (rule publication/schedules). */
const retrySeconds = [30, 120, 600] as const;

const platform = systemScope();

/** A job's actor is its creator, whose permissions were checked when it was created. */
const jobScope = (due: DueJob, requestId: string): WorkScope => ({
  ...systemScope({ requestId, address: addressOf(due) }),
  actor: due.createdBy,
  metadata: { jobId: due.id },
});

/** Thrown to undo a job's work: it was canceled while it ran. */
class Superseded extends Error {}

function failureOf(error: unknown): JobFailure {
  const unavailable = new AppError('service_unavailable');
  const { code, message, details } = toDatabaseFailure(error) === undefined ? toAppError(error) : unavailable;
  return details === undefined ? { code, message } : { code, message, details };
}

/** Failures of the content's rules are final; failures of the service are retried. */
const isFinal = (error: unknown, attempts: number): boolean =>
  (error instanceof AppError && error.status < 500) || attempts >= retrySeconds.length;

/** Postpones the job, or marks it as failed and emits the event. */
async function noteFailure(
  work: UnitOfWork,
  job: TakenJob,
  { error, registry }: { error: unknown; registry: JobRunParts['registry'] },
): Promise<void> {
  const jobs = work.use(ScheduledJobRepository);
  const failure = failureOf(error);
  if (!isFinal(error, job.attempts)) {
    const at = new Date(work.now.getTime() + (retrySeconds[job.attempts] ?? 0) * 1000);
    if (await jobs.putOff(job.id, at, failure)) work.wake(at);
    return;
  }
  if (!(await jobs.fail(job.id, failure))) return;
  if (job.kind === 'release') {
    await registry.releases.fail(work, job, failure);
    return;
  }
  jobs.noteFailure(job, failure);
  const { id: jobId, kind, entryId, siteId, locale } = job;
  const scheduledAt = job.scheduledAt.toISOString();
  work.emit({
    type: 'entry.schedule_failed',
    data: {
      ...(await jobs.describe(entryId)),
      entryId,
      siteId,
      locale,
      jobId,
      kind,
      scheduledAt,
      error: failure.code,
    },
  });
}

/**
 * Runs due jobs at least once each, in one transaction with the mark that they are done: whatever is tried again was
 * rolled back.
 */
class JobRuns {
  constructor(private readonly parts: JobRunParts) {}

  /** Runs every job that is due now, of any tenant; returns how many were tried. */
  async runDue(): Promise<number> {
    let tried = 0;
    for (let batch = await this.#due(undefined); batch.length > 0; batch = await this.#due(batch.at(-1))) {
      for (const due of batch) {
        if (this.parts.isStopping?.() === true) return tried;
        await this.#run(due);
        tried += 1;
      }
    }
    return tried;
  }

  #due(after: DueJob | undefined): Promise<DueJob[]> {
    const { units, clock } = this.parts;
    const now = clock();
    return units.run({ scope: platform, isReadOnly: true, lock: 'none' }, (work) =>
      work.use(DueJobRepository).list(now, { after, limit: BATCH }),
    );
  }

  async #run(due: DueJob): Promise<void> {
    const scope = jobScope(due, this.parts.newId());
    const { registry } = this.parts;
    const attempt: { job?: TakenJob } = {};
    try {
      await this.#inScope(scope, async (work) => {
        const jobs = work.use(ScheduledJobRepository);
        const job = await jobs.take(due.id);
        if (job === undefined) return;
        attempt.job = job;
        if (!due.isTenantActive) throw new AppError('tenant_inactive');
        await registry.run(work, job);
        if (!(await jobs.succeed(job.id))) throw new Superseded();
      });
    } catch (error) {
      if (error instanceof Superseded) return;
      if (!(error instanceof AppError)) this.parts.onError(error);
      const { job } = attempt;
      if (job === undefined) return;
      await this.#inScope(scope, (work) => noteFailure(work, job, { error, registry })).catch(
        this.parts.onError,
      );
    }
  }

  #inScope<T>(scope: WorkScope, work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    return this.parts.units.run({ scope, isReadOnly: false, lock: 'content' }, work);
  }
}

interface BackgroundParts {
  readonly registry: JobRegistry;
  /** Wakes when jobs are due. */
  readonly runner: JobRunner;
  /** Whether this process runs jobs and tasks of the service, beside its own. */
  readonly runsJobs: boolean;
  readonly units: UnitOfWorkFactory;
  readonly clock: Clock;
  newId(): string;
  /** Receives failures that no input caused. */
  onError(error: unknown): void;
}

/** Runs what a registry holds. Several processes may do so: each job is claimed in the database. */
export class BackgroundJobs {
  readonly #runs: JobRuns;
  readonly #tasks: readonly PeriodicTask[];

  constructor(private readonly parts: BackgroundParts) {
    const { registry, runner, runsJobs, onError } = parts;
    this.#runs = new JobRuns({ ...parts, isStopping: () => runner.isStopping });
    this.#tasks = registry.tasks
      .filter(({ level }) => runsJobs || level === 'process')
      .map(({ seconds, run }) => new PeriodicTask({ seconds, run, onError }));
  }

  async start(): Promise<void> {
    await this.parts.runner.start({ runsJobs: this.parts.runsJobs });
    for (const task of this.#tasks) task.start();
  }

  /** Starts nothing more; resolves when running jobs and tasks have ended. */
  async stop(): Promise<void> {
    await Promise.all([this.parts.runner.stop(), ...this.#tasks.map((task) => task.stop())]);
  }

  /** Runs every job that is due now, of any tenant; returns how many were tried. */
  runDue(): Promise<number> {
    return this.#runs.runDue();
  }
}
