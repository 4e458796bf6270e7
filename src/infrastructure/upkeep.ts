/** Something to be done again and again beside the requests. */
export interface UpkeepTask {
  readonly everySeconds: number;
  run(): Promise<void>;
  /** Whether it is done once more when the process stops. */
  readonly isDoneAtStop?: boolean;
}

/** Does small things at intervals; each waits for itself, and a failure waits for the next time. */
export class Upkeep {
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(
    private readonly tasks: readonly UpkeepTask[],
    private readonly onError: (error: unknown) => void,
  ) {}

  start(): void {
    for (const task of this.tasks) {
      let isRunning = false;
      const timer = setInterval(() => {
        if (isRunning) return;
        isRunning = true;
        void this.#do(task).finally(() => {
          isRunning = false;
        });
      }, task.everySeconds * 1000);
      this.#timers.push(timer.unref());
    }
  }

  /** Does everything once, now. */
  async runAll(): Promise<void> {
    await Promise.all(this.tasks.map((task) => this.#do(task)));
  }

  /** Begins nothing more, and does what must not be left undone. */
  async stop(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    await Promise.all(this.#running);
    await Promise.all(this.tasks.filter(({ isDoneAtStop }) => isDoneAtStop).map((task) => this.#do(task)));
  }

  async #do(task: UpkeepTask): Promise<void> {
    const run = task.run().catch(this.onError);
    this.#running.add(run);
    await run;
    this.#running.delete(run);
  }
}
