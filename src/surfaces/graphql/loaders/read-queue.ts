/** Per request, which must not occupy the whole pool. */
const CONCURRENT_READS = 4;

/** Limits concurrent reads, first in, first out. */
export class ReadQueue {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  async run<T>(read: () => Promise<T>): Promise<T> {
    if (this.#running >= CONCURRENT_READS) await new Promise<void>((start) => this.#waiting.push(start));
    else this.#running += 1;
    try {
      return await read();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
