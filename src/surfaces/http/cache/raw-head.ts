import type { ServerResponse } from 'node:http';

/**
 * The private part of node's response through which a head is written. It exists in every version of node, and a test
 * compares what is sent this way with what `writeHead` sends. `test/bench/README.md` has the figures that justify it.
 */
interface RawResponse {
  _header: string | null;
  readonly _keepAliveTimeout?: number;
}

let endings = new Map<number, string>();

/** The last lines of a head, which change once a second: the date and how long the connection is kept. */
function endingFor(keepAliveMs: number): string {
  const known = endings.get(keepAliveMs);
  if (known !== undefined) return known;
  const now = new Date();
  const keepAlive = keepAliveMs > 0 ? `Keep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n` : '';
  const ending = `Date: ${now.toUTCString()}\r\nConnection: keep-alive\r\n${keepAlive}\r\n`;
  endings.set(keepAliveMs, ending);
  setTimeout(() => {
    endings = new Map();
  }, 1000 - now.getMilliseconds()).unref();
  return ending;
}

/** Whether the head can be written as text: no header was set, and the connection is kept. */
function isPlain(response: ServerResponse): boolean {
  const { _header: header, _keepAliveTimeout: keepAlive } = response as unknown as RawResponse;
  const isKept = keepAlive !== undefined && response.shouldKeepAlive && response.req.httpVersionMinor === 1;
  return isKept && header === null && response.getHeaderNames().length === 0;
}

/**
 * Writes a head as text past node's formatting of headers.
 * @returns false, and writes nothing, where the head must be written by `writeHead`
 */
export function writeRawHead(
  response: ServerResponse,
  { status, text }: { readonly status: number; readonly text: string },
  requestId: string,
): boolean {
  if (!isPlain(response)) return false;
  const raw = response as unknown as RawResponse;
  response.statusCode = status;
  raw._header = `${text}X-Request-Id: ${requestId}\r\n${endingFor(raw._keepAliveTimeout ?? 0)}`;
  return true;
}
