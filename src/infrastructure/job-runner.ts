import type { PgBoss } from 'pg-boss';

/** A connection pool, as far as the queue needs one. */
interface JobDatabase {
  execute(sql: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>;
}

/** How to run jobs. */
export interface JobRunnerOptions {
  readonly database: JobDatabase;
  readonly schema: string;
  /** Looks for what is due and does it. Called often, and never twice at once. */
  runDue(): Promise<unknown>;
  onError(error: unknown): void;
}

const QUEUE = 'due-jobs';
/** At the latest, what is due is found with the next minute: a lost wake-up costs no more than that. */
const EVERY_MINUTE = '* * * * *';
const POLL_SECONDS = 1;
const STOP_MILLISECONDS = 5000;
/** The queue calls every minute. */
const SILENCE_MILLISECONDS = 180_000;
/** How pg-boss says so. */
const TABLES_DIFFER = /not installed|requires migrations/;

/**
 * The clock of the jobs: it says when to look for what is due, and our own table says what that is. So
 * nothing is lost or done twice when this queue and that table disagree, as after a restore, and a job
 * is put off or canceled by changing its row alone. Several processes may run one each.
 */
export class JobRunner {
  #boss: PgBoss | undefined;
  #runsJobs = false;
  #isStopping = false;
  #running: Promise<unknown> | undefined;
  #stopped: Promise<void> | undefined;
  #lastLook = 0;

  constructor(private readonly options: JobRunnerOptions) {}

  /** Whether no further job shall be begun. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** `off` where this process runs no jobs, `failing` where the queue has not called for too long. */
  get state(): 'off' | 'ok' | 'failing' {
    if (this.#boss === undefined || !this.#runsJobs) return 'off';
    return Date.now() - this.#lastLook < SILENCE_MILLISECONDS ? 'ok' : 'failing';
  }

  /**
   * Begins to run jobs, those that became due meanwhile first; without `runsJobs` only tells those who run some
   * when to look.
   * @throws Error in one line that says what to do, where the queue's tables are not those of this release
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
        'The job queue’s tables are not up to date: run `npm run migrate`, or set DATABASE_MIGRATE=1.',
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

  /** Sees to it that due jobs are looked at then; without a running queue the next minute's look finds them. */
  wake(at: Date): void {
    if (this.#isStopping) return;
    this.#boss?.send(QUEUE, null, { startAfter: at }).catch(this.options.onError);
  }

  /** Begins no further job and waits for the one that runs. Later calls wait for the same end. */
  stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    await this.#running?.catch(() => undefined);
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
