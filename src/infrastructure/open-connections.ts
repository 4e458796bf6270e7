import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A request body that is arriving. */
interface ArrivingBody {
  readonly request: IncomingMessage;
  /** Bytes of the connection when the body last made progress. */
  bytes: number;
  /** Milliseconds since the epoch. */
  since: number;
  /** Found without progress by the last check. Bytes that had arrived by then have been read since. */
  isOverdue: boolean;
}

interface ConnectionState {
  /** Milliseconds since the epoch; counts only while no response is in progress. */
  idleSince: number;
  /** Found idle for too long by the last check. A request that had arrived by then has been read since. */
  isOverdue: boolean;
  /** Finished or not. */
  latest: ServerResponse | undefined;
  body: ArrivingBody | undefined;
  /** Pipelined requests that wait for the response before theirs. */
  waiting: number;
}

/** How long draining connections may be idle. */
interface IdleGrace {
  readonly usedMs: number;
  /** Without a request so far. The kernel accepts a connection before a busy client sends. */
  readonly newMs: number;
}

/** Rule limits/connections. */
const MOST_WAITING = 100;

/** Progress of a body: less is as good as nothing. */
const LEAST_BYTES = 4096;

const isResponding = ({ latest }: ConnectionState): boolean =>
  latest !== undefined && !latest.writableFinished;

export class OpenConnections {
  isDraining = false;
  acceptedCount = 0;
  readonly #states = new Map<Socket, ConnectionState>();

  accepted(socket: Socket): void {
    this.acceptedCount += 1;
    this.#states.set(socket, {
      idleSince: Date.now(),
      isOverdue: false,
      latest: undefined,
      body: undefined,
      waiting: 0,
    });
    socket.once('close', () => this.#states.delete(socket));
  }

  /** @returns the response in progress that this one must wait for */
  responding(response: ServerResponse, socket: Socket): ServerResponse | undefined {
    const state = this.#states.get(socket);
    if (state === undefined) return undefined;
    const previous = state.latest;
    state.latest = response;
    if (this.isDraining) this.#closeAfter(response, state);
    return previous === undefined || previous.writableFinished ? undefined : previous;
  }

  /** Serves after the previous response, so no work is done ahead of what the client reads. */
  serveAfter(previous: ServerResponse, socket: Socket, serve: () => void): void {
    const state = this.#states.get(socket);
    if (state === undefined || socket.destroyed) return;
    state.waiting += 1;
    if (state.waiting > MOST_WAITING) {
      socket.destroy();
      return;
    }
    previous.once('close', () => {
      state.waiting -= 1;
      if (!socket.destroyed) serve();
    });
  }

  /** Times out sockets with unread bytes. Node counts every partly written byte as activity. */
  watchWrites(timeoutMs: number): void {
    for (const socket of this.#states.keys())
      if (socket.writableLength > 0 && socket.timeout !== timeoutMs) socket.setTimeout(timeoutMs);
  }

  /**
   * Connections whose request body makes no progress, found by two checks. A body that the service does not read
   * waits for the service, not for the client.
   */
  stalledBodies(timeoutMs: number): Socket[] {
    const now = Date.now();
    return [...this.#states].flatMap(([socket, state]) => {
      const request = state.latest?.req;
      if (request === undefined || request.complete) {
        state.body = undefined;
        return [];
      }
      const { body } = state;
      const bytes = socket.bytesRead;
      if (body?.request !== request || bytes - body.bytes >= LEAST_BYTES || request.readableLength > 0) {
        state.body = { request, bytes, since: now, isOverdue: false };
        return [];
      }
      const wasOverdue = body.isOverdue;
      body.isOverdue = now - body.since >= timeoutMs;
      return wasOverdue && body.isOverdue ? [socket] : [];
    });
  }

  /** Closes a connection without activity, unless its request is still being worked on. */
  timedOut(socket: Socket): void {
    if (socket.writableLength > 0 || !this.isResponding(socket)) socket.destroy();
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

  /**
   * Closes connections that two checks have found idle. A process that got no processor time has not read what
   * arrived, and closing then would reset the request.
   */
  closeIdle({ usedMs, newMs }: IdleGrace): void {
    const now = Date.now();
    for (const [socket, state] of this.#states) {
      const grace = state.latest === undefined ? newMs : usedMs;
      const isIdle = !isResponding(state) && state.idleSince <= now - grace;
      if (isIdle && state.isOverdue) socket.destroySoon();
      state.isOverdue = isIdle;
    }
  }

  /** Responses in progress of which nothing has been sent. */
  get unanswered(): ServerResponse[] {
    return [...this.#states.values()].flatMap((state) =>
      state.latest !== undefined && isResponding(state) && !state.latest.headersSent ? [state.latest] : [],
    );
  }

  /** @returns the responses that it aborts */
  closeAll(): ServerResponse[] {
    const states = [...this.#states];
    for (const [socket] of states) socket.destroy();
    return states.flatMap(([, state]) => (state.latest && isResponding(state) ? [state.latest] : []));
  }
}
