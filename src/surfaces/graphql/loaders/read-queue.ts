/** Reads of one request that may be under way at once: fifty collections must not fill the pool. */
const READS_AT_ONCE = 4;

/** Lets the reads of one request through a few at a time, in the order in which they come. */
export class ReadQueue {
  #underWay = 0;
  readonly #waiting: (() => void)[] = [];

  async run<T>(read: () => Promise<T>): Promise<T> {
    if (this.#underWay >= READS_AT_ONCE) await new Promise<void>((go) => this.#waiting.push(go));
    else this.#underWay += 1;
    try {
      return await read();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#underWay -= 1;
      else next();
    }
  }
}
