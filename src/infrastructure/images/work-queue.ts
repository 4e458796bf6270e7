/** Too many wait, or for too long. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

export interface QueueLimits {
  readonly concurrency: number;
  readonly waiting: number;
  /** Unset: no limit. */
  readonly waitMilliseconds?: number | undefined;
}

interface Waiting {
  start(): void;
  readonly timer: NodeJS.Timeout | undefined;
}

/** Runs few pieces of work at once; the others wait in line, bounded in number and time. */
export class WorkQueue {
  #running = 0;
  readonly #line: Waiting[] = [];

  constructor(private readonly limits: QueueLimits) {}

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#line.length;
  }

  /** @throws QueueFull */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #enter(): Promise<void> {
    const { concurrency, waiting, waitMilliseconds } = this.limits;
    if (this.#running < concurrency) {
      this.#running += 1;
      return Promise.resolve();
    }
    if (this.#line.length >= waiting) return Promise.reject(new QueueFull());
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#line.splice(this.#line.indexOf(waiter), 1);
        reject(new QueueFull());
      };
      const timer = waitMilliseconds === undefined ? undefined : setTimeout(giveUp, waitMilliseconds);
      const waiter = { start: resolve, timer };
      this.#line.push(waiter);
    });
  }

  /** The place passes to the next in line. */
  #leave(): void {
    const next = this.#line.shift();
    if (next === undefined) {
      this.#running -= 1;
      return;
    }
    clearTimeout(next.timer);
    next.start();
  }
}
