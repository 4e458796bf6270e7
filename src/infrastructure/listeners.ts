import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import process from 'node:process';
import { hasErrorCode } from './errno.js';
import type { Logger } from './logger.js';

export interface ListenAddress {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly log: Pick<Logger, 'error' | 'warn'>;
}

/** Connections that may wait to be accepted. A client beyond them connects again after a second. */
const BACKLOG = 4096;

/** Node accepts one connection per listener and turn of the event loop, and turns are long under load. */
const LISTENERS = 16;

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
