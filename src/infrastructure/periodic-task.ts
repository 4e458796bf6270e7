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
