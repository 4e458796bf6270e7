import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf } from './exchange.js';
import { isKnown } from './send.js';
import { Attached } from './exchange-value.js';

/** An answer of 200 as a value: nothing of it belongs to the exchange that it was made for. */
export interface WholeAnswer {
  /** Names and values in turns; none that speaks of the body or the exchange. */
  readonly headers: readonly string[];
  /** The strong entity tag of the body, with its quotes. */
  readonly tag: string;
  /** JSON. Small ones as a text of one character a byte, which node sends in one piece with the headers. */
  readonly body: Buffer | string;
}

/** Bodies up to this many bytes are kept and sent as texts. */
const SMALL_BODY = 16 * 1024;

/** The bytes of a body in the form that they are sent in. */
export const bodyOf = (bytes: Buffer): Buffer | string =>
  bytes.length <= SMALL_BODY ? bytes.toString('latin1') : bytes;

/** A JSON text as a whole answer. */
export function wholeAnswer(text: string, headers: readonly string[]): WholeAnswer {
  const isAscii = text.length <= SMALL_BODY && Buffer.byteLength(text, 'utf8') === text.length;
  const body = isAscii ? text : bodyOf(Buffer.from(text, 'utf8'));
  return { headers, tag: `"${hash('sha1', text, 'base64url')}"`, body };
}

type Receive = (answer: WholeAnswer) => boolean;

const receivers = new Attached<ServerResponse, Receive>();

/** Has whole answers on this response handed over; `receive` answers whether it has sent it. */
export function receiveWhole(response: ServerResponse, receive: Receive): void {
  receivers.set(response, receive);
}

/** Sends a whole answer, or hands it to whoever waits for it: 304 to a caller that has it already. */
export function sendWhole(request: IncomingMessage, response: ServerResponse, answer: WholeAnswer): void {
  if (receivers.get(response)?.(answer) === true) return;
  const { headers, tag, body } = answer;
  const head = [...headers, 'ETag', tag, 'X-Request-Id', requestIdOf(request)];
  if (isKnown(request.headers['if-none-match'], tag)) {
    response.writeHead(304, head);
    response.end();
    return;
  }
  head.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length));
  response.writeHead(200, head);
  if (request.method === 'HEAD') response.end();
  else response.end(body, 'latin1');
}
