import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { hasErrorCode } from './errno.js';

const refusals = {
  malformed: { line: '400 Bad Request', message: 'This is not a valid HTTP request.' },
  timeout: { line: '408 Request Timeout', message: 'The request took too long to arrive.' },
  headers: { line: '431 Request Header Fields Too Large', message: 'The request headers are too large.' },
} as const;

/** Code of the error of a request that does not arrive in time. */
export const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

function refusalOf(error: unknown): (typeof refusals)[keyof typeof refusals] {
  if (hasErrorCode(error, 'HPE_HEADER_OVERFLOW')) return refusals.headers;
  if (hasErrorCode(error, TIMEOUT)) return refusals.timeout;
  return refusals.malformed;
}

/** How long the rest of a refused request is read. */
const lingerMs = 500;

/** Discards input: closing with unread input would reset the connection before the client reads the response. */
export function linger(socket: Duplex): void {
  socket.removeAllListeners('data');
  socket.on('data', () => undefined);
  socket.once('end', () => socket.destroy());
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/**
 * Responds in the failure envelope and closes the connection: 400 for malformed HTTP, 408 for a slow request, 431
 * for headers over the limit.
 */
export function refuseConnection(socket: Duplex, error?: unknown): void {
  if (!socket.writable || hasErrorCode(error, 'ECONNRESET')) {
    socket.destroy();
    return;
  }
  const { line, message } = refusalOf(error);
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
