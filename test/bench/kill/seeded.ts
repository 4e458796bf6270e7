/** Random numbers reproducible from a seed (mulberry32). */
export class Seeded {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An item of a non-empty list. */
  one<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)] as T;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }
}
