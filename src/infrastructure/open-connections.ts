import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface ConnectionState {
  /** Milliseconds since the epoch; counts only while no response is in progress. */
  idleSince: number;
  /** Finished or not. */
  latest: ServerResponse | undefined;
}

const isResponding = ({ latest }: ConnectionState): boolean =>
  latest !== undefined && !latest.writableFinished;

export class OpenConnections {
  isDraining = false;
  acceptedCount = 0;
  readonly #states = new Map<Socket, ConnectionState>();

  accepted(socket: Socket): void {
    this.acceptedCount += 1;
    this.#states.set(socket, { idleSince: Date.now(), latest: undefined });
    socket.once('close', () => this.#states.delete(socket));
  }

  responding(response: ServerResponse, socket: Socket): void {
    const state = this.#states.get(socket);
    if (state === undefined) return;
    state.latest = response;
    if (this.isDraining) this.#closeAfter(response, state);
  }

  isResponding(socket: Socket): boolean {
    const state = this.#states.get(socket);
    return state !== undefined && isResponding(state);
  }

  startDraining(): void {
    if (this.isDraining) return;
    this.isDraining = true;
    for (const state of this.#states.values()) {
      state.idleSince = Date.now();
      if (state.latest !== undefined && isResponding(state)) this.#closeAfter(state.latest, state);
    }
  }

  #closeAfter(response: ServerResponse, state: ConnectionState): void {
    if (!response.headersSent) response.setHeader('Connection', 'close');
    response.once('close', () => {
      state.idleSince = Date.now();
    });
  }

  get areAllClosed(): boolean {
    return this.#states.size === 0;
  }

  closeIdle(forMs: number): void {
    const limit = Date.now() - forMs;
    for (const [socket, state] of this.#states) {
      if (!isResponding(state) && state.idleSince <= limit) socket.destroySoon();
    }
  }

  /** @returns the number of aborted responses */
  closeAll(): number {
    const states = [...this.#states];
    const aborted = states.filter(([, state]) => isResponding(state)).length;
    for (const [socket] of states) socket.destroy();
    return aborted;
  }
}
