/** What to do how often. */
export interface PeriodicTaskOptions {
  /** Between the end of one run and the beginning of the next. */
  readonly seconds: number;
  run(): Promise<unknown>;
  onError(error: unknown): void;
}

/** Does something again and again, never twice at once. A run that fails is told of and followed by the next. */
export class PeriodicTask {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(private readonly options: PeriodicTaskOptions) {}

  start(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#run();
    }, this.options.seconds * 1000).unref();
  }

  /** Begins no further run; resolves when the one that is under way has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      await this.options.run();
    } catch (error) {
      this.options.onError(error);
    }
    this.start();
  }
}
