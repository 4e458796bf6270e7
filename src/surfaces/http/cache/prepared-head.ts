import type { ServerResponse } from 'node:http';

/**
 * The part of node's response that a head is written through. It has been there in every version of node, express'
 * own middleware reads it, and a test holds what is sent this way against what `writeHead` sends.
 */
interface HeadedResponse {
  _header: string | null;
  readonly _keepAliveTimeout?: number;
}

/** The first line and headers of an answer, those apart that differ from one sending to the next. */
export interface PreparedHead {
  readonly status: number;
  /** Names and values in turns, for `writeHead`. */
  readonly headers: readonly string[];
  /** The same with the first line, as it goes over the wire, each line ended. */
  readonly text: string;
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const UNSAFE = /[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/;
const reasons: Readonly<Record<number, string>> = { 200: 'OK', 304: 'Not Modified', 404: 'Not Found' };

/** A joined text stays a tree of its parts, which would be walked through each time it is sent. */
const inOnePiece = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** @throws Error where a name or value is none that may stand in a head */
export function prepareHead(status: number, headers: readonly string[]): PreparedHead {
  let text = `HTTP/1.1 ${status} ${reasons[status] ?? 'Unknown'}\r\n`;
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = headers.slice(index, index + 2);
    if (!TOKEN.test(name) || UNSAFE.test(value)) throw new Error(`the header ${name} cannot be sent`);
    text += `${name}: ${value}\r\n`;
  }
  return { status, headers, text: inOnePiece(text) };
}

let ends = new Map<number, string>();

/** The last lines of a head, made once a second: the time, and for how long the connection is kept. */
function endOf(keptMs: number): string {
  const known = ends.get(keptMs);
  if (known !== undefined) return known;
  const now = new Date();
  const kept = keptMs > 0 ? `Keep-Alive: timeout=${Math.floor(keptMs / 1000)}\r\n` : '';
  const end = `Date: ${now.toUTCString()}\r\nConnection: keep-alive\r\n${kept}\r\n`;
  ends.set(keptMs, end);
  setTimeout(() => {
    ends = new Map();
  }, 1000 - now.getMilliseconds()).unref();
  return end;
}

/** Whether nothing but a prepared head is to be sent: no header was set, and the connection is kept. */
function isPlain(response: ServerResponse): boolean {
  const { _header: header, _keepAliveTimeout: kept } = response as unknown as HeadedResponse;
  const isKept = kept !== undefined && response.shouldKeepAlive && response.req.httpVersionMinor === 1;
  return isKept && header === null && response.getHeaderNames().length === 0;
}

/**
 * Sends an answer whose head is prepared, in one piece where the body is a text of one character a byte.
 * @param body undefined for none, as with 304 and to HEAD
 */
export function sendPrepared(
  response: ServerResponse,
  { head, requestId }: { readonly head: PreparedHead; readonly requestId: string },
  body: Buffer | string | undefined,
): void {
  if (isPlain(response) && (body !== undefined || head.status === 304)) {
    const headed = response as unknown as HeadedResponse;
    response.statusCode = head.status;
    headed._header = `${head.text}X-Request-Id: ${requestId}\r\n${endOf(headed._keepAliveTimeout ?? 0)}`;
  } else {
    response.writeHead(head.status, [...head.headers, 'X-Request-Id', requestId]);
  }
  if (body === undefined) response.end();
  else response.end(body, 'latin1');
}
