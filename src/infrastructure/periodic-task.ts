/** What to do how often. */
export interface PeriodicTaskOptions {
  /** Between the end of one run and the beginning of the next. */
  readonly seconds: number;
  run(): Promise<unknown>;
  onError(error: unknown): void;
}

/** From the start to the first run. */
const FIRST_SECONDS = 1;

/** Does something again and again, never twice at once. A run that fails is told of and followed by the next. */
export class PeriodicTask {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(private readonly options: PeriodicTaskOptions) {}

  /** Begins soon: a process that never lives long gets to it as well. */
  start(): void {
    this.#runIn(FIRST_SECONDS);
  }

  /** Begins no further run; resolves when the one that is under way has ended. */
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
