/** PendingReplies that were sent away and their answers, by number. */
export class PendingReplies {
  readonly #open = new Map<number, (value: unknown) => void>();
  #last = 0;

  /**
   * Sends a question away.
   * @returns its answer; undefined where none has come within the time
   */
  ask(send: (id: number) => void, milliseconds: number): Promise<unknown> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve) => {
      const end = (value: unknown): void => {
        clearTimeout(timer);
        this.#open.delete(id);
        resolve(value);
      };
      const timer = setTimeout(end, milliseconds, undefined);
      this.#open.set(id, end);
      send(id);
    });
  }

  /** Takes an answer; one that comes too late is nobody's. */
  answer(id: number, value: unknown): void {
    this.#open.get(id)?.(value);
  }
}
