/** From the leader to a member. `connection` carries a socket. */
export type ToMember =
  | { readonly type: 'connection'; readonly id: number }
  /** Readiness fails and responses close their connections; connections still arrive. */
  | { readonly type: 'begin-drain' }
  /** No further connection: finish and exit. */
  | { readonly type: 'drain' }
  /** A value of one member for all. */
  | { readonly type: 'share'; readonly value: unknown }
  | { readonly type: 'ask'; readonly id: number }
  /** The reply to `ask-all`. */
  | { readonly type: 'all-answers'; readonly id: number; readonly value: unknown };

/** From a member to the leader. */
export type FromMember =
  | { readonly type: 'ready' }
  | { readonly type: 'received'; readonly id: number }
  /** The member cannot start; one line. */
  | { readonly type: 'failed'; readonly reason: string }
  /** The member received a signal. */
  | { readonly type: 'leaving' }
  | { readonly type: 'share'; readonly value: unknown }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  /** Asks the leader for the merged replies of all members. */
  | { readonly type: 'ask-all'; readonly id: number };

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
