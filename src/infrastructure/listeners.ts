import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import process from 'node:process';
import { hasErrorCode } from './errno.js';
import type { Logger } from './logger.js';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

export interface ListenAddress {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly log: Pick<Logger, 'error' | 'warn'>;
}

/** Connections that may wait to be accepted. A client beyond them connects again after a second. */
const BACKLOG = 4096;

/**
 * Node accepts one connection per listener and turn of the event loop, and turns are long under load: 1,000 connections
 * at once take 13 turns, with 16 listeners 70.
 */
const LISTENERS = 128;

function startupFailure(error: Error, { host, port }: ListenAddress): Error {
  if (hasErrorCode(error, 'EADDRINUSE')) return new Error(`Port ${port} is taken: set PORT to another one.`);
  if (hasErrorCode(error, 'EACCES')) {
    return new Error(`Port ${port} may not be opened by this user: set PORT to another one.`);
  }
  if (hasErrorCode(error, 'EADDRNOTAVAIL') || hasErrorCode(error, 'ENOTFOUND')) {
    return new Error(`${host} is not an address of this machine: set HOST to another one.`);
  }
  return error;
}

/** Without a trailing slash. */
export function urlOf(server: net.Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}

/**
 * Logs later failures.
 * @throws Error, in one line that names the setting to change
 */
export async function listenOn(
  server: net.Server,
  options: ListenAddress,
  { reusePort = false } = {},
): Promise<void> {
  const { host, port } = options;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(startupFailure(error, options));
    });
    server.listen({ host, port, backlog: BACKLOG, reusePort }, resolve);
  });
  server.removeAllListeners('error');
  server.on('error', (error) => {
    options.log.error({ err: error }, 'http server failed');
  });
}

/** Listeners that share a port would not notice one of another process. */
async function assertFree(options: ListenAddress): Promise<void> {
  if (options.port === 0) return;
  const probe = net.createServer();
  await listenOn(probe, options);
  const closed = once(probe, 'close');
  probe.close();
  await closed;
}

/**
 * Opens several listeners on one port where the system can (Linux); the server serves the connections of all of them.
 * @returns the listeners besides the server
 * @throws Error, in one line that names the setting to change
 */
export async function listenWidely(server: net.Server, options: ListenAddress): Promise<net.Server[]> {
  if (process.platform !== 'linux') {
    await listenOn(server, options);
    return [];
  }
  await assertFree(options);
  await listenOn(server, options, { reusePort: true });
  const { port } = server.address() as AddressInfo;
  const accept = (socket: Socket): void => {
    server.emit('connection', socket);
  };
  const others = Array.from({ length: LISTENERS - 1 }, () =>
    net.createServer({ allowHalfOpen: true, noDelay: true }, accept),
  );
  await Promise.all(others.map((other) => listenOn(other, { ...options, port }, { reusePort: true })));
  return others;
}

/** The event loop accepts pending connections at least once per pause. */
const PAUSE_MS = 5;
/** Consecutive pauses without a new connection. */
const QUIET_PAUSES = 10;

/**
 * Resolves in a turn of the event loop without pending connections. Closing a listener resets every connection in
 * its accept queue, so the caller accepts connections without serving them until then: clients that wait for a
 * response send no more.
 * @param accepted the number of connections so far
 * @param maxMs then the first turn without an arrival is taken
 */
export async function emptyAcceptQueue(accepted: () => number, maxMs: number): Promise<void> {
  let quiet = 0;
  for (let pauses = 0; pauses * PAUSE_MS < maxMs && quiet < QUIET_PAUSES; pauses += 1) {
    const before = accepted();
    await delay(PAUSE_MS);
    quiet = accepted() === before ? quiet + 1 : 0;
  }
  // Node accepts one connection per turn.
  for (let turns = 0; turns < 1000; turns += 1) {
    const before = accepted();
    await nextTurn();
    if (accepted() === before) return;
  }
}
