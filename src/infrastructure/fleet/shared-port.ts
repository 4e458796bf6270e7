import net from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { startupFailure, urlOf, type ListenOptions } from '../http-server.js';

/** A port whose connections somebody else answers. */
export interface SharedPort {
  readonly url: string;
  readonly port: number;
  /** Takes no new connections; what has come before was handed on. */
  close(): Promise<void>;
}

/**
 * Listens and hands every connection on, unread.
 * @throws Error, in one line that names the setting to change, when it cannot listen there
 */
export async function openSharedPort(
  take: (socket: net.Socket) => void,
  options: ListenOptions,
): Promise<SharedPort> {
  const server = net.createServer({ pauseOnConnect: true, noDelay: true }, take);
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
  return {
    url: urlOf(server),
    port: (server.address() as net.AddressInfo).port,
    close: async () => {
      // Right after the connections that are there have been taken, so that closing resets as few as can be.
      await turn();
      server.close();
    },
  };
}
