import type { ServerResponse } from 'node:http';

/**
 * Node's private fields for writing a head. A test compares the result with `writeHead`; figures that justify it
 * are in `test/bench/README.md`.
 */
interface RawResponse {
  _header: string | null;
  readonly _keepAliveTimeout?: number;
}

let endings = new Map<number, string>();

/** The headers that change every second, cached until then. */
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

/** Whether no header was set and the connection is kept alive. */
function isPlain(response: ServerResponse): boolean {
  const { _header: header, _keepAliveTimeout: keepAlive } = response as unknown as RawResponse;
  const isKept = keepAlive !== undefined && response.shouldKeepAlive && response.req.httpVersionMinor === 1;
  return isKept && header === null && response.getHeaderNames().length === 0;
}

/**
 * Writes a preformatted head.
 * @returns false, having written nothing, if `writeHead` must be used
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
