import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type http from 'node:http';
import type { Socket } from 'node:net';
import { hasErrorCode } from './errno.js';

const refusals = {
  url: { line: '414 URI Too Long', message: 'The URL is longer than 16 KB.' },
  malformed: { line: '400 Bad Request', message: 'This is not a valid HTTP request.' },
  timeout: { line: '408 Request Timeout', message: 'The request took too long to arrive.' },
  headers: { line: '431 Request Header Fields Too Large', message: 'The request headers are too large.' },
} as const;

/** Code of the error of a request that does not arrive in time. */
export const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

/** Why a connection is closed. */
export type Refusal = keyof typeof refusals;

/** The start of a request whose URL alone is too long. */
const LONG_URL = /^[A-Z]+ \S{16384}/;

/** Undefined if the client has gone. The bytes that did not fit say which part was too long, as far as they are known. */
export function reasonOf(error: Error & { readonly rawPacket?: Buffer }): Refusal | undefined {
  if (hasErrorCode(error, 'ECONNRESET')) return undefined;
  if (hasErrorCode(error, 'HPE_HEADER_OVERFLOW'))
    return LONG_URL.test(error.rawPacket?.toString('latin1', 0, 20_000) ?? '') ? 'url' : 'headers';
  return hasErrorCode(error, TIMEOUT) ? 'timeout' : 'malformed';
}

/** How long the rest of a refused request is read. */
const lingerMs = 500;

/** Discards input: closing with unread input would reset the connection before the client reads the response. */
function linger(socket: Duplex): void {
  socket.removeAllListeners('data');
  socket.on('data', () => undefined);
  socket.once('end', () => socket.destroy());
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/**
 * Responds in the failure envelope and closes the connection: 400 for malformed HTTP, 408 for a slow request, 414 for a
 * URL and 431 for headers over the limit.
 */
export function refuseConnection(socket: Duplex, refusal: Refusal | undefined): void {
  if (!socket.writable || refusal === undefined) {
    socket.destroy();
    return;
  }
  const { line, message } = refusals[refusal];
  const body = JSON.stringify({ error: 'invalid_request', message });
  const headers = [
    `HTTP/1.1 ${line}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
  linger(socket);
}

const STOPPING = JSON.stringify({
  error: 'service_unavailable',
  message: 'The service is temporarily unavailable. Try again later.',
});

/**
 * Responds with 503 to a request that a stopping process cannot finish, and discards the rest of its body. The response
 * is complete for the client, but not ended: that would close the connection, which resets clients that still send.
 */
export function refuseStopping(response: ServerResponse): void {
  response.writeHead(503, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(STOPPING),
    'Cache-Control': 'no-store',
    'Retry-After': '1',
    Connection: 'close',
  });
  response.write(STOPPING);
  response.req.unpipe();
  response.req.resume();
}

/** Refuses requests that would be refused anyway, before they are parsed. */
export interface LoadShedding {
  /** Whether a connection accepted now may be refused once its first bytes are read: slots come and go within a turn. */
  mayRefuse(): boolean;
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
 * Of a process that is full, first requests of new connections are answered without node:http.
 * @param isHolding whether requests wait until the accept queue is empty; a refused client would connect again
 */
export function shedConnections(server: http.Server, shedding: LoadShedding, isHolding: () => boolean): void {
  const served = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const serve = (): void => {
      for (const listener of served) listener.call(server, socket);
    };
    if (shedding.mayRefuse() && !isHolding()) peek(socket, shedding, serve);
    else serve();
  });
}
