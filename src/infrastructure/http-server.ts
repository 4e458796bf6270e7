import http from 'node:http';
import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { hasErrorCode } from './errno.js';
import { refuseConnection } from './http-refusal.js';
import type { Logger } from './logger.js';
import { quietTurn } from './idle-turn.js';

/** Where to listen. */
export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly log: Pick<Logger, 'error' | 'warn'>;
}

/** A server that answers the connections it is given. */
export interface ConnectionServer {
  /** Answers the requests of a connection. */
  take(socket: Socket): void;
  /** From the first call of `beginDrain` or `drain` on. */
  readonly isDraining: boolean;
  /** From now on every answer says `Connection: close`; new connections are still taken. */
  beginDrain(): void;
  /**
   * Takes no new connections, lets the requests that have begun finish and tells every client to close, so that
   * none sees a reset. Cuts what is left when the time is over. Resolves when no connection is open.
   */
  drain(timeoutSeconds: number): Promise<void>;
}

/** A server that takes requests. */
export interface RunningServer extends Omit<ConnectionServer, 'take'> {
  /** How this machine reaches it, without a final slash. */
  readonly url: string;
}

const serverOptions: http.ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16 * 1024,
  // Longer than the minute for which load balancers commonly keep a connection: they should be the ones to close.
  keepAliveTimeout: 65_000,
  // Node would answer a missing Host with an empty body; the check is made here instead.
  requireHostHeader: false,
  // Requests without a body, nearly all, have none of a stream's events either.
  optimizeEmptyRequests: true,
};

/**
 * How long a draining server waits for the next request on a connection that is idle. It may be under way already:
 * answered with `Connection: close`, it ends the connection without a reset.
 */
const idleGraceMs = 500;

/** What node keeps on a connection: the response that is under way on it. */
interface AnsweringSocket {
  readonly _httpMessage?: http.ServerResponse | null;
}

/** The response under way on a connection. Asked of node, so that nothing is noted with each request. */
const underWay = (socket: Socket): http.ServerResponse | undefined =>
  (socket as AnsweringSocket)._httpMessage ?? undefined;

/** The connections of a server. */
class Connections {
  isDraining = false;
  openedCount = 0;
  /** Since when, in ms of the epoch, nothing is being answered on a connection, unless a response is. */
  readonly #idleSince = new Map<Socket, number>();

  opened(socket: Socket): void {
    this.openedCount += 1;
    this.#idleSince.set(socket, Date.now());
    socket.once('close', () => this.#idleSince.delete(socket));
  }

  begun(response: http.ServerResponse, socket: Socket): void {
    if (this.isDraining) this.#isLast(response, socket);
  }

  startDraining(): void {
    this.isDraining = true;
    const now = Date.now();
    for (const socket of this.#idleSince.keys()) {
      this.#idleSince.set(socket, now);
      const response = underWay(socket);
      if (response !== undefined) this.#isLast(response, socket);
    }
  }

  /** Tells the client to close, and notes when the response has ended. */
  #isLast(response: http.ServerResponse, socket: Socket): void {
    if (!response.headersSent) response.setHeader('Connection', 'close');
    response.once('close', () => {
      if (this.#idleSince.has(socket)) this.#idleSince.set(socket, Date.now());
    });
  }

  get areAllClosed(): boolean {
    return this.#idleSince.size === 0;
  }

  /** Closes the connections on which nothing has been answered for so long. */
  closeIdle(forMs: number): void {
    const limit = Date.now() - forMs;
    for (const [socket, since] of this.#idleSince) {
      if (underWay(socket) === undefined && since <= limit) socket.destroySoon();
    }
  }

  /** @returns how many responses were cut */
  closeAll(): number {
    const sockets = [...this.#idleSince.keys()];
    const cut = sockets.filter((socket) => underWay(socket) !== undefined).length;
    for (const socket of sockets) socket.destroy();
    return cut;
  }
}

function isHostMissing({ httpVersion, headers }: http.IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.host === undefined;
}

function createServer(handler: http.RequestListener, connections: Connections): http.Server {
  const onRequest: http.RequestListener = (request, response) => {
    if (isHostMissing(request)) {
      refuseConnection(request.socket);
      return;
    }
    connections.begun(response, request.socket);
    handler(request, response);
  };
  const server = http.createServer(serverOptions, onRequest);
  server.on('connection', (socket) => {
    connections.opened(socket);
  });
  // An expectation we do not know is ignored, which HTTP permits; Node would answer 417 with an empty body.
  server.on('checkExpectation', onRequest);
  server.on('connect', (_request, socket) => {
    refuseConnection(socket);
  });
  server.on('clientError', (error, socket) => {
    // Bytes written now would land in the middle of the response that is under way.
    if (underWay(socket as Socket) !== undefined) socket.destroy();
    else refuseConnection(socket, error);
  });
  return server;
}

/** What to change where a port cannot be listened on; any other error as it is. */
function startupFailure(error: Error, { host, port }: ListenOptions): Error {
  if (hasErrorCode(error, 'EADDRINUSE')) return new Error(`Port ${port} is taken: set PORT to another one.`);
  if (hasErrorCode(error, 'EACCES')) {
    return new Error(`Port ${port} may not be opened by this user: set PORT to another one.`);
  }
  if (hasErrorCode(error, 'EADDRNOTAVAIL') || hasErrorCode(error, 'ENOTFOUND')) {
    return new Error(`${host} is not an address of this machine: set HOST to another one.`);
  }
  return error;
}

/** How this machine reaches a server that listens, without a final slash. */
export function urlOf(server: net.Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}

async function drainServer(
  server: http.Server,
  connections: Connections,
  timeoutMs: number,
): Promise<number> {
  connections.startDraining();
  if (server.listening) await quietTurn(() => connections.openedCount);
  // http's own `close` would cut idle connections at once, with requests that are under way on them.
  net.Server.prototype.close.call(server);
  const deadline = Date.now() + timeoutMs;
  while (!connections.areAllClosed) {
    if (Date.now() >= deadline) return connections.closeAll();
    connections.closeIdle(Math.min(idleGraceMs, timeoutMs / 2));
    await delay(20);
  }
  return 0;
}

function stoppable(
  server: http.Server,
  connections: Connections,
  log: ListenOptions['log'],
): Omit<ConnectionServer, 'take'> {
  let drained: Promise<void> | undefined;
  return {
    get isDraining() {
      return connections.isDraining;
    },
    beginDrain: () => {
      connections.startDraining();
    },
    drain: (timeoutSeconds) =>
      (drained ??= drainServer(server, connections, timeoutSeconds * 1000).then((cut) => {
        if (cut > 0) log.warn({ requests: cut }, 'Requests did not finish in time and were cut.');
      })),
  };
}

/** Serves HTTP on connections that another process has taken, with the same limits as {@link listen}. */
export function serveConnections(
  handler: http.RequestListener,
  { log }: Pick<ListenOptions, 'log'>,
): ConnectionServer {
  const connections = new Connections();
  const server = createServer(handler, connections);
  // Node begins to watch for slow requests when a server listens; this one never does.
  server.emit('listening');
  const take = (socket: Socket): void => {
    server.emit('connection', socket);
    socket.resume();
  };
  return Object.assign(stoppable(server, connections, log), { take });
}

/**
 * Begins to listen; failures from then on are told to the log.
 * @throws Error, in one line that names the setting to change, when it cannot listen there
 */
export async function listenOn(server: net.Server, options: ListenOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(startupFailure(error, options));
    });
    server.listen(options.port, options.host, resolve);
  });
  server.removeAllListeners('error');
  server.on('error', (error) => {
    options.log.error({ err: error }, 'The HTTP server reports an error.');
  });
}

/**
 * Serves HTTP with limits on slow and oversized requests.
 * @throws Error, in one line that names the setting to change, when it cannot listen there
 */
export async function listen(handler: http.RequestListener, options: ListenOptions): Promise<RunningServer> {
  const connections = new Connections();
  const server = createServer(handler, connections);
  await listenOn(server, options);
  return Object.assign(stoppable(server, connections, options.log), { url: urlOf(server) });
}
