import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';

/** The client closed the connection before its response was complete. */
export class ClientLeft extends Error {
  override readonly name = 'ClientLeft';

  constructor() {
    super('the client closed the connection');
  }
}

/** The client of a request that is being handled. */
export class WaitingClient {
  #controller: AbortController | undefined;

  constructor(
    private readonly response: Pick<ServerResponse, 'closed' | 'writableFinished' | 'once'>,
    /** Whether the request counts towards `MAX_REQUESTS_AT_ONCE`. */
    readonly takesSlot: boolean,
  ) {}

  /** Aborted with {@link ClientLeft} when the client leaves. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = (this.#controller = new AbortController());
      const leave = (): void => {
        if (!this.response.writableFinished) controller.abort(new ClientLeft());
      };
      if (this.response.closed) leave();
      else this.response.once('close', leave);
    }
    return this.#controller.signal;
  }
}

const clients = new AsyncLocalStorage<WaitingClient | undefined>();

/** Runs work for a client; what it waits for ends when the client leaves. */
export const forClient = <T>(client: WaitingClient, work: () => T): T => clients.run(client, work);

/** Runs work that several clients share, or that outlives the request that starts it. */
export const forNoClient = <T>(work: () => T): T => clients.run(undefined, work);

/** Undefined in work that no client waits for. */
export const waitingClient = (): WaitingClient | undefined => clients.getStore();
