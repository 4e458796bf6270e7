import type { JobHandler } from './job-handler.js';

/** Work that is repeated for as long as the process runs. */
export interface RecurringTask {
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
  readonly #tasks = new Map<string, RecurringTask>();

  /** @throws Error where a kind has a handler already */
  handle(handlers: Readonly<Record<string, JobHandler>>): this {
    for (const [kind, handler] of Object.entries(handlers)) {
      if (this.#handlers.has(kind)) throw new Error(`Two handlers for jobs of kind ${kind}.`);
      this.#handlers.set(kind, handler);
    }
    return this;
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
