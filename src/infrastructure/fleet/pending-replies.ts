export class PendingReplies {
  readonly #open = new Map<number, (value: unknown) => void>();
  #last = 0;

  /** @returns the reply, or undefined if none comes in time */
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

  /** Late replies are ignored. */
  answer(id: number, value: unknown): void {
    this.#open.get(id)?.(value);
  }
}
