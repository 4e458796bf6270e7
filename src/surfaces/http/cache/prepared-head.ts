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
function writeRawHead(
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

/** The status line and the headers common to all responses. */
export interface PreparedHead {
  readonly status: number;
  readonly headers: readonly string[];
  /** As sent, with the status line. */
  readonly text: string;
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const UNSAFE = /[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/;
const reasons: Readonly<Record<number, string>> = { 200: 'OK', 304: 'Not Modified', 404: 'Not Found' };

/** Concatenation yields a rope, which would be flattened on every send. */
const flatten = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** @throws Error for an invalid name or value */
export function prepareHead(status: number, headers: readonly string[]): PreparedHead {
  let text = `HTTP/1.1 ${status} ${reasons[status] ?? 'Unknown'}\r\n`;
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = headers.slice(index, index + 2);
    if (!TOKEN.test(name) || UNSAFE.test(value)) throw new Error(`Header ${name} cannot be sent`);
    text += `${name}: ${value}\r\n`;
  }
  return { status, headers, text: flatten(text) };
}

interface ResponseHead {
  readonly head: PreparedHead;
  readonly requestId: string;
  readonly extra?: readonly string[] | undefined;
}

/** @param body undefined for 304 and HEAD */
export function sendPrepared(
  response: ServerResponse,
  { head, requestId, extra }: ResponseHead,
  body: Buffer | string | undefined,
): void {
  const isRaw =
    extra === undefined &&
    (body !== undefined || head.status === 304) &&
    writeRawHead(response, head, requestId);
  if (!isRaw) response.writeHead(head.status, [...head.headers, 'X-Request-Id', requestId, ...(extra ?? [])]);
  if (body === undefined) response.end();
  else response.end(body, 'latin1');
}
