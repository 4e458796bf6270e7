import net from 'node:net';
import { emptyAcceptQueue, listenOn, urlOf, type ListenAddress } from '../listeners.js';

export interface SharedPort {
  readonly url: string;
  readonly port: number;
  /** Stops listening; resolves when every accepted connection has been passed on. */
  close(): Promise<void>;
}

/** How long connections are held while the accept queue is emptied. */
const MAX_HOLD_MS = 1000;

/**
 * Listens and passes on every connection unread.
 * @throws Error, in one line that names the setting to change, when it cannot listen
 */
export async function openSharedPort(
  take: (socket: net.Socket) => void,
  options: ListenAddress,
): Promise<SharedPort> {
  let accepted = 0;
  let held: net.Socket[] | undefined;
  const server = net.createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    accepted += 1;
    if (held === undefined) take(socket);
    else held.push(socket);
  });
  await listenOn(server, options);
  return {
    url: urlOf(server),
    port: (server.address() as net.AddressInfo).port,
    close: async () => {
      held = [];
      await emptyAcceptQueue(() => accepted, MAX_HOLD_MS);
      server.close();
      for (const socket of held) take(socket);
    },
  };
}
