import type { Clock } from '../../../infrastructure/clock.js';
import type { JobRunner } from '../../../infrastructure/job-runner.js';
import { PeriodicTask } from '../../../infrastructure/periodic-task.js';
import type { UnitOfWorkFactory } from '../../../persistence/work/unit-of-work.js';
import type { JobRegistry } from './job-registry.js';
import { JobRuns } from './job-runs.js';

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
