import type { PgBoss } from 'pg-boss';
import { settled } from './promises.js';
import { withTimeLimit } from './time-limit.js';

export interface PeriodicTaskOptions {
  /** Between the end of one run and the start of the next. */
  readonly seconds: number;
  run(): Promise<unknown>;
  onError(error: unknown): void;
}

const FIRST_SECONDS = 1;

/** Longer than any run takes: a hung run must not prevent all later ones. */
const RUN_MS = 15 * 60_000;

/** Runs a task at an interval without overlap, unless a run hangs. Failures are reported and do not end it. */
export class PeriodicTask {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(private readonly options: PeriodicTaskOptions) {}

  start(): void {
    this.#runIn(FIRST_SECONDS);
  }

  /** Resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #runIn(seconds: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#run();
    }, seconds * 1000).unref();
  }

  async #run(): Promise<void> {
    try {
      await withTimeLimit(RUN_MS, this.options.run());
    } catch (error) {
      this.options.onError(error);
    }
    this.#runIn(this.options.seconds);
  }
}

interface JobDatabase {
  execute(sql: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>;
}

export interface JobRunnerOptions {
  readonly database: JobDatabase;
  readonly schema: string;
  /** Finds due jobs and runs them. Never called concurrently. */
  runDue(): Promise<unknown>;
  onError(error: unknown): void;
}

const QUEUE = 'due-jobs';
/** Bounds the delay of a lost wake-up to one minute. */
const EVERY_MINUTE = '* * * * *';
const POLL_SECONDS = 1;
const STOP_MILLISECONDS = 5000;
/** Three missed calls of the queue. */
const SILENCE_MILLISECONDS = 180_000;
/** Messages of pg-boss. */
const TABLES_DIFFER = /not installed|requires migrations/;

/**
 * The queue decides when to look for due jobs, our own table which jobs are due. So nothing is lost or repeated
 * when they disagree, as after a restore. Several processes may run one each.
 */
export class JobRunner {
  #boss: PgBoss | undefined;
  #runsJobs = false;
  #isStopping = false;
  #running: Promise<unknown> | undefined;
  #stopped: Promise<void> | undefined;
  #lastLook = 0;

  constructor(private readonly options: JobRunnerOptions) {}

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** `off`: this process runs no jobs; `failing`: no call of the queue for three minutes. */
  get state(): 'off' | 'ok' | 'failing' {
    if (this.#boss === undefined || !this.#runsJobs) return 'off';
    return Date.now() - this.#lastLook < SILENCE_MILLISECONDS ? 'ok' : 'failing';
  }

  /**
   * Without `runsJobs` it only wakes the processes that run jobs.
   * @throws Error with instructions if the queue's tables belong to another release
   */
  async start({ runsJobs }: { runsJobs: boolean } = { runsJobs: true }): Promise<void> {
    const { database, schema, onError } = this.options;
    const { PgBoss } = await import('pg-boss');
    if (this.#isStopping) return;
    const boss = new PgBoss({
      db: { executeSql: async (sql, values) => database.execute(sql, values) },
      schema,
      migrate: false,
      ...(!runsJobs && { supervise: false, schedule: false }),
    });
    boss.on('error', onError);
    await boss.start().catch((error: unknown) => {
      if (!(error instanceof Error) || !TABLES_DIFFER.test(error.message)) throw error;
      throw new Error(
        'The tables of the job queue are outdated. Run `npm run migrate` or set DATABASE_MIGRATE=1.',
      );
    });
    this.#boss = boss;
    this.#runsJobs = runsJobs;
    this.#lastLook = Date.now();
    await boss.createQueue(QUEUE, { retryLimit: 0, deleteAfterSeconds: 3600, expireInSeconds: 600 });
    if (!runsJobs) return;
    await boss.schedule(QUEUE, EVERY_MINUTE);
    await boss.work(QUEUE, { pollingIntervalSeconds: POLL_SECONDS, batchSize: 100 }, () => this.#look());
    await boss.send(QUEUE);
  }

  /** Looks for due jobs at this time; without a running queue the next minute finds them. */
  wake(at: Date): void {
    if (this.#isStopping) return;
    this.#boss?.send(QUEUE, null, { startAfter: at }).catch(this.options.onError);
  }

  /** Starts no further job and waits for the running one. */
  stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    await settled(this.#running);
    await this.#boss?.stop({ graceful: true, timeout: STOP_MILLISECONDS, close: false });
    this.#boss = undefined;
  }

  async #look(): Promise<void> {
    this.#lastLook = Date.now();
    if (this.#isStopping) return;
    this.#running = this.options.runDue();
    await this.#running;
  }
}
