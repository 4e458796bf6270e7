import { waitingClient } from '../waiting-client.js';

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
}

/**
 * Runs few pieces of work at once; the others wait in line, bounded in number and time. A request leaves the line when
 * its client leaves.
 */
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

  /** @throws QueueFull, ClientLeft */
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
    const left = waitingClient()?.signal;
    if (left?.aborted === true) return Promise.reject(left.reason as Error);
    return new Promise((resolve, reject) => {
      const giveUp = (error: Error): void => {
        this.#line.splice(this.#line.indexOf(waiter), 1);
        stop();
        reject(error);
      };
      const leave = (): void => {
        giveUp(left?.reason as Error);
      };
      const timer =
        waitMilliseconds === undefined
          ? undefined
          : setTimeout(() => giveUp(new QueueFull()), waitMilliseconds);
      const stop = (): void => {
        clearTimeout(timer);
        left?.removeEventListener('abort', leave);
      };
      const waiter = {
        start: () => {
          stop();
          resolve();
        },
      };
      left?.addEventListener('abort', leave);
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
    next.start();
  }
}
