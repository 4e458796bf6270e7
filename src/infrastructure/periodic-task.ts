export interface PeriodicTaskOptions {
  /** Between the end of one run and the start of the next. */
  readonly seconds: number;
  run(): Promise<unknown>;
  onError(error: unknown): void;
}

/** Delay of the first run. */
const FIRST_SECONDS = 1;

/** Runs a task at an interval without overlap. Failures are reported and do not end it. */
export class PeriodicTask {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(private readonly options: PeriodicTaskOptions) {}

  /** The first run is soon, so that short-lived processes reach it. */
  start(): void {
    this.#runIn(FIRST_SECONDS);
  }

  /** Starts no further run; resolves when the current one has ended. */
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
      await this.options.run();
    } catch (error) {
      this.options.onError(error);
    }
    this.#runIn(this.options.seconds);
  }
}
