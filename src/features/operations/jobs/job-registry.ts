import type { z } from 'zod';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { JobFailure, ReleaseJob, TakenJob, WaitingJob } from './scheduled-job.repository.js';

/** Does what a kind of job is for, inside the job's own unit of work. */
export type JobHandler = (work: UnitOfWork, job: WaitingJob) => Promise<unknown>;

/** A handler whose payload is parsed before it runs: rows may have been written by an earlier release. */
export function jobHandler<S extends z.ZodType>(
  payload: S,
  run: (work: UnitOfWork, job: WaitingJob, options: z.infer<S>) => Promise<unknown>,
): JobHandler {
  return (work, job) => run(work, job, payload.parse(job.options));
}

/** Jobs of releases; `fail` is called in the unit of work that marks the job as failed. */
export interface ReleaseJobs {
  run(work: UnitOfWork, job: ReleaseJob): Promise<unknown>;
  fail(work: UnitOfWork, job: ReleaseJob, failure: JobFailure): Promise<unknown>;
}

/** Work that is repeated for as long as the process runs. */
interface RecurringTask {
  readonly name: string;
  /** Between the end of one run and the start of the next. */
  readonly seconds: number;
  /** `process`: each process runs it on its own data. `service`: processes that run jobs, on shared data. */
  readonly level: 'process' | 'service';
  run(): Promise<unknown>;
}

/** Everything that runs outside requests: job handlers by kind, and recurring tasks. */
export class JobRegistry {
  readonly #handlers = new Map<string, JobHandler>();
  #releases: ReleaseJobs | undefined;
  readonly #tasks = new Map<string, RecurringTask>();

  /** @throws Error where a kind has a handler already */
  handle(handlers: Readonly<Record<string, JobHandler>>): this {
    for (const [kind, handler] of Object.entries(handlers)) {
      if (this.#handlers.has(kind)) throw new Error(`Two handlers for jobs of kind ${kind}.`);
      this.#handlers.set(kind, handler);
    }
    return this;
  }

  handleReleases(releases: ReleaseJobs): this {
    this.#releases = releases;
    return this;
  }

  /** @throws Error without handlers of releases, which fails the job */
  get releases(): ReleaseJobs {
    if (this.#releases === undefined) throw new Error('No handlers for jobs of releases.');
    return this.#releases;
  }

  /** @throws Error as {@link handlerOf} and {@link releases} */
  run(work: UnitOfWork, job: TakenJob): Promise<unknown> {
    return job.kind === 'release' ? this.releases.run(work, job) : this.handlerOf(job.kind)(work, job);
  }

  /** @throws Error where a task of the name exists already */
  repeat(task: RecurringTask): this {
    if (this.#tasks.has(task.name)) throw new Error(`Two recurring tasks named ${task.name}.`);
    this.#tasks.set(task.name, task);
    return this;
  }

  /** @throws Error for a kind without a handler, which fails the job */
  handlerOf(kind: string): JobHandler {
    const handler = this.#handlers.get(kind);
    if (handler === undefined) throw new Error(`No handler for jobs of kind ${kind}.`);
    return handler;
  }

  get tasks(): readonly RecurringTask[] {
    return [...this.#tasks.values()];
  }
}
