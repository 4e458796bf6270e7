import type { ServerResponse } from 'node:http';
import { writeRawHead } from './raw-head.js';

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

export interface ResponseHead {
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
