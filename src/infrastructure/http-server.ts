import http from 'node:http';
import net from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { emptyAcceptQueue, listenWidely, urlOf, type ListenAddress } from './listeners.js';
import {
  reasonOf,
  refuseConnection,
  refuseStopping,
  TIMEOUT,
  shedConnections,
  type LoadShedding,
  type Refusal,
} from './http-refusal.js';
import { OpenConnections } from './open-connections.js';

interface ServeOptions extends Pick<ListenAddress, 'log'> {
  readonly limits?: ProgressLimits | undefined;
  /** Unset: node:http receives every request. */
  readonly shedding?: LoadShedding | undefined;
}

export type ListenOptions = ServeOptions & ListenAddress;

export interface ProgressLimits {
  /** How long unread bytes may make no progress. */
  readonly writeMs: number;
  /** How long the body of a request may make no progress. */
  readonly bodyMs: number;
  /** How long a request may take to arrive, with progress. */
  readonly requestMs: number;
}

/** Serves connections that another process accepted. */
export interface ConnectionServer {
  take(socket: Socket): void;
  readonly isDraining: boolean;
  /** Adds `Connection: close` to every response; new connections are still accepted. */
  beginDrain(): void;
  /**
   * Serves the accept queue, stops listening and lets started requests finish; aborts the rest at the timeout.
   * Resolves when no connection is open.
   */
  drain(timeoutSeconds: number): Promise<void>;
}

export interface RunningServer extends Omit<ConnectionServer, 'take'> {
  /** Without a trailing slash. */
  readonly url: string;
}

/** Bytes of the URL, and of all headers. */
const MAXIMUM_URL = 16 * 1024;
const MAXIMUM_HEADERS = 16 * 1024;

const serverOptions: http.ServerOptions = {
  connectionsCheckingInterval: 1000,
  maxHeaderSize: MAXIMUM_URL + MAXIMUM_HEADERS,
  // Load balancers commonly keep a connection for 60 seconds, and should close it first.
  keepAliveTimeout: 65_000,
  // Checked in `createServer`: Node would respond with an empty body.
  requireHostHeader: false,
  optimizeEmptyRequests: true,
};

/** How long a draining server waits for a request already on its way, to respond instead of resetting it. */
const idleGrace = { usedMs: 500, newMs: 2000 };

/** Rule limits/connections. */
const defaultLimits: ProgressLimits = { writeMs: 30_000, bodyMs: 30_000, requestMs: 3_600_000 };
const HEADERS_MS = 10_000;

/** How long requests are held while the accept queue is emptied. */
const maxHoldMs = 1000;

/** Separators of a header. */
const HEADER_SIGNS = 4;

/**
 * Why a request cannot be served. RFC 9112 §3.2: exactly one `Host`; HTTP/1.0 may omit it. Node keeps the first and
 * drops the others.
 */
function faultOf({ httpVersion, rawHeaders, url = '' }: http.IncomingMessage): Refusal | undefined {
  let hosts = 0;
  let bytes = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    bytes += name.length + (rawHeaders[index + 1] ?? '').length + HEADER_SIGNS;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (url.length > MAXIMUM_URL) return 'url';
  if (bytes > MAXIMUM_HEADERS) return 'headers';
  return hosts > 1 || (hosts === 0 && httpVersion === '1.1') ? 'malformed' : undefined;
}

/** See {@link emptyAcceptQueue}. */
class HeldRequests {
  isHolding = false;
  #held: (() => void)[] = [];

  add(request: http.IncomingMessage, serve: () => void): void {
    this.#held.push(() => {
      if (!request.socket.destroyed) serve();
    });
  }

  release(): void {
    this.isHolding = false;
    for (const serve of this.#held.splice(0)) serve();
  }
}

interface DrainableServer {
  readonly server: http.Server;
  /** Further listeners of its port. */
  readonly others: net.Server[];
  readonly connections: OpenConnections;
  readonly held: HeldRequests;
}

/**
 * Costs nothing per request: only connections with unread bytes at the time of a check get a timeout, and bodies are
 * compared with the last check.
 */
function limitProgress({ server, connections }: DrainableServer, { writeMs, bodyMs }: ProgressLimits): void {
  const check = setInterval(
    () => {
      connections.watchWrites(writeMs);
      for (const socket of connections.stalledBodies(bodyMs))
        server.emit('clientError', Object.assign(new Error('stalled body'), { code: TIMEOUT }), socket);
    },
    Math.min(1000, writeMs, bodyMs),
  ).unref();
  server.once('close', () => {
    clearInterval(check);
  });
  server.on('timeout', (socket: Socket) => {
    connections.timedOut(socket);
  });
}

function createServer(
  handler: http.RequestListener,
  { limits = defaultLimits, shedding }: Pick<ServeOptions, 'limits' | 'shedding'>,
): DrainableServer {
  const connections = new OpenConnections();
  const held = new HeldRequests();
  const serve: http.RequestListener = (request, response) => {
    const fault = faultOf(request);
    if (fault !== undefined) refuseConnection(request.socket, fault);
    else if (held.isHolding) {
      held.add(request, () => {
        handler(request, response);
      });
    } else handler(request, response);
  };
  const onRequest: http.RequestListener = (request, response) => {
    const { socket } = request;
    const previous = connections.responding(response, socket);
    if (previous === undefined) serve(request, response);
    else {
      connections.serveAfter(previous, socket, () => {
        serve(request, response);
      });
    }
  };
  const { requestMs: requestTimeout } = limits;
  const headersTimeout = Math.min(HEADERS_MS, requestTimeout);
  const server = http.createServer({ ...serverOptions, headersTimeout, requestTimeout }, onRequest);
  if (shedding !== undefined) shedConnections(server, shedding, () => held.isHolding);
  server.on('connection', (socket) => {
    connections.accepted(socket);
  });
  // An unknown expectation may be ignored; Node would respond with 417 and an empty body.
  server.on('checkExpectation', onRequest);
  server.on('connect', (_request, socket) => {
    refuseConnection(socket, 'malformed');
  });
  server.on('clientError', (error, socket) => {
    // Bytes written now would corrupt the response in progress.
    if (connections.isResponding(socket as Socket)) socket.destroy();
    else refuseConnection(socket, reasonOf(error));
  });
  const parts = { server, connections, held, others: [] };
  limitProgress(parts, limits);
  return parts;
}

/** How long the clients of refused requests may read, of the time of a drain. */
const refusalGrace = { mostMs: 500, share: 0.25 };

/** @returns the number of requests that did not finish */
async function drainServer(
  { server, others, connections, held }: DrainableServer,
  timeoutMs: number,
): Promise<number> {
  const deadline = Date.now() + timeoutMs;
  const grace = {
    usedMs: Math.min(idleGrace.usedMs, timeoutMs / 2),
    newMs: Math.min(idleGrace.newMs, timeoutMs / 2),
  };
  connections.startDraining();
  if (server.listening) {
    held.isHolding = true;
    await emptyAcceptQueue(() => connections.acceptedCount, Math.min(maxHoldMs, timeoutMs / 2));
  }
  // http's own `close` resets requests on idle connections.
  for (const one of [server, ...others]) net.Server.prototype.close.call(one);
  held.release();
  const refusal = deadline - Math.min(refusalGrace.mostMs, timeoutMs * refusalGrace.share);
  const unfinished = new Set<http.ServerResponse>();
  while (!connections.areAllClosed) {
    const now = Date.now();
    if (now >= refusal)
      for (const response of connections.unanswered) {
        unfinished.add(response);
        refuseStopping(response);
      }
    if (now >= deadline) {
      for (const response of connections.closeAll()) unfinished.add(response);
      break;
    }
    connections.closeIdle(grace);
    await delay(20);
  }
  return unfinished.size;
}

function stoppable(parts: DrainableServer, log: ListenOptions['log']): Omit<ConnectionServer, 'take'> {
  let drained: Promise<void> | undefined;
  return {
    get isDraining() {
      return parts.connections.isDraining;
    },
    beginDrain: () => {
      parts.connections.startDraining();
    },
    drain: (timeoutSeconds) =>
      (drained ??= drainServer(parts, timeoutSeconds * 1000).then((aborted) => {
        if (aborted > 0) log.warn({ requests: aborted }, 'requests did not finish in time and were aborted');
      })),
  };
}

/** Has the same limits as {@link listen}. */
export function serveConnections(handler: http.RequestListener, options: ServeOptions): ConnectionServer {
  const parts = createServer(handler, options);
  const { server } = parts;
  // Node checks for slow requests only after this event.
  server.emit('listening');
  const take = (socket: Socket): void => {
    server.emit('connection', socket);
    socket.resume();
  };
  return Object.assign(stoppable(parts, options.log), { take });
}

/**
 * Serves HTTP with limits on slow and oversized requests.
 * @throws Error, in one line that names the setting to change
 */
export async function listen(handler: http.RequestListener, options: ListenOptions): Promise<RunningServer> {
  const parts = createServer(handler, options);
  parts.others.push(...(await listenWidely(parts.server, options)));
  return Object.assign(stoppable(parts, options.log), { url: urlOf(parts.server) });
}
