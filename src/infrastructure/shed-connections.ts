import type http from 'node:http';
import type { Socket } from 'node:net';
import { linger } from './http-refusal.js';

/** Refuses requests that would be refused anyway, before they are parsed. */
export interface LoadShedding {
  /** Whether the process takes no more requests at present. */
  isFull(): boolean;
  /**
   * A response that closes the connection; undefined if the request may be served.
   * @param head the request line and headers, as far as they have arrived
   */
  refusalOf(request: { readonly method: string; readonly url: string }, head: string): string | undefined;
}

/** How much of the first bytes is looked at. */
const HEAD_BYTES = 4096;
/** How long a connection may be silent before its first request. */
const SILENT_MS = 10_000;

const requestLine = /^([A-Z]+) (\S+) HTTP\//;

function refusalOf(shedding: LoadShedding, bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, HEAD_BYTES);
  const [, method, url] = requestLine.exec(head) ?? [];
  return method === undefined || url === undefined ? undefined : shedding.refusalOf({ method, url }, head);
}

/** Waits for the first bytes: a response before the request would fail it at some clients. */
function peek(socket: Socket, shedding: LoadShedding, serve: () => void): void {
  const close = (): void => {
    socket.destroy();
  };
  const first = (bytes: Buffer): void => {
    socket.removeListener('end', close).removeListener('timeout', close).setTimeout(0);
    const refusal = refusalOf(shedding, bytes);
    if (refusal !== undefined) {
      socket.end(refusal, 'latin1');
      linger(socket);
      return;
    }
    socket.removeListener('error', close);
    socket.pause();
    socket.unshift(bytes);
    serve();
    socket.resume();
  };
  socket.once('error', close).once('end', close).once('timeout', close).once('data', first);
  socket.setTimeout(SILENT_MS);
}

/**
 * Of a full process, first requests of new connections are answered without node:http.
 * @param isHolding whether requests wait until the accept queue is empty; a refused client would connect again
 */
export function shedConnections(server: http.Server, shedding: LoadShedding, isHolding: () => boolean): void {
  const served = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const serve = (): void => {
      for (const listener of served) listener.call(server, socket);
    };
    if (shedding.isFull() && !isHolding()) peek(socket, shedding, serve);
    else serve();
  });
}
