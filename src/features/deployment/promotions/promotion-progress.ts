/** Items take two passes: they are compared, then written. */
const PASSES = 2;

/** Counts the items that a promotion has done. */
export class PromotionProgress {
  #done = 0;
  #items = 0;

  /** @param note told outside of the transaction, which shows nothing before its end */
  constructor(private readonly note: (done: number, total: number) => Promise<void>) {}

  async start(items: number): Promise<void> {
    this.#items = items;
    await this.note(0, items * PASSES);
  }

  /** @param most the last batch has fewer */
  async compared(most: number): Promise<void> {
    this.#done = Math.min(this.#done + most, this.#items);
    await this.note(this.#done, this.#items * PASSES);
  }

  async wrote(items: number): Promise<void> {
    this.#done += items;
    await this.note(this.#done, this.#items * PASSES);
  }
}
