import net from 'node:net';
import { listenOn, urlOf, type ListenOptions } from '../http-server.js';
import { quietTurn } from '../idle-turn.js';

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
  let taken = 0;
  const server = net.createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    taken += 1;
    take(socket);
  });
  await listenOn(server, options);
  return {
    url: urlOf(server),
    port: (server.address() as net.AddressInfo).port,
    close: async () => {
      await quietTurn(() => taken);
      server.close();
    },
  };
}
