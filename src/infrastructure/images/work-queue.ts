import { waitingClient } from '../work-context.js';

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
  readonly share: string;
  start(): void;
}

/** The share of work that names none. */
const COMMON = '';

/**
 * Runs few pieces of work at once; the others wait, bounded in number and time. Those who share the queue take turns,
 * and none of them takes more than half of the places in which to wait. A request leaves when its client leaves.
 */
export class WorkQueue {
  #running = 0;
  /** In the order of their turns. */
  readonly #lines = new Map<string, Waiting[]>();
  #waiting = 0;

  constructor(private readonly limits: QueueLimits) {}

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * @param share whose work it is, such as a tenant
   * @throws QueueFull, ClientLeft
   */
  async run<T>(work: () => Promise<T>, share = COMMON): Promise<T> {
    await this.#enter(share);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #enter(share: string): Promise<void> {
    const { concurrency, waitMilliseconds } = this.limits;
    if (this.#running < concurrency) {
      this.#running += 1;
      return Promise.resolve();
    }
    if (!this.#hasPlace(share)) return Promise.reject(new QueueFull());
    const left = waitingClient()?.signal;
    if (left?.aborted === true) return Promise.reject(left.reason as Error);
    return new Promise((resolve, reject) => {
      const giveUp = (error: Error): void => {
        this.#remove(waiter);
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
      const waiter: Waiting = {
        share,
        start: () => {
          stop();
          resolve();
        },
      };
      left?.addEventListener('abort', leave);
      this.#add(waiter);
    });
  }

  #hasPlace(share: string): boolean {
    const { waiting } = this.limits;
    if (this.#waiting >= waiting) return false;
    return share === COMMON || (this.#lines.get(share)?.length ?? 0) < Math.ceil(waiting / 2);
  }

  #add(waiter: Waiting): void {
    const line = this.#lines.get(waiter.share) ?? [];
    line.push(waiter);
    this.#lines.set(waiter.share, line);
    this.#waiting += 1;
  }

  #remove(waiter: Waiting): void {
    const line = this.#lines.get(waiter.share) ?? [];
    line.splice(line.indexOf(waiter), 1);
    if (line.length === 0) this.#lines.delete(waiter.share);
    this.#waiting -= 1;
  }

  /** The place passes to the first of the share whose turn it is. */
  #leave(): void {
    const [turn] = this.#lines;
    const next = turn?.[1][0];
    if (turn === undefined || next === undefined) {
      this.#running -= 1;
      return;
    }
    this.#remove(next);
    const [share, line] = turn;
    // The share goes behind all others.
    if (this.#lines.delete(share)) this.#lines.set(share, line);
    next.start();
  }
}
