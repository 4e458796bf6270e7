import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf } from '../exchange.js';
import { bodyOf } from '../whole-answer.js';
import type { CacheOffer } from './cache-offer.js';
import { compressed, encodingFor, type Encoding } from './encodings.js';
import { prepareHead, sendPrepared, type PreparedHead } from './prepared-head.js';

/** An answer as it was made. */
export interface Captured {
  readonly status: number;
  /** Names and values in turns: what everybody who gets it is sent. */
  readonly headers: readonly string[];
  /** Of its body in the plain form; undefined where it is no answer of 200. */
  readonly tag: string | undefined;
  /** Small ones as texts of one character a byte, which node sends in one piece with the headers. */
  readonly body: Buffer | string;
  /** Whether the body is in a form of its own already. */
  readonly isEncoded: boolean;
}

/** A body in one form, with all headers but the request's id. */
interface Form {
  readonly body: Buffer | string;
  readonly head: PreparedHead;
  /** Made when it is first asked for. */
  notModified: PreparedHead | undefined;
}

/** What a head without a body does not tell. */
const ofBody: ReadonlySet<string> = new Set(['Content-Type', 'Content-Encoding', 'Content-Length']);
/** Bytes of headers and objects beside the body, roughly. */
const OVERHEAD = 2500;
/** Answers that are asked for again this often are kept compressed, too. */
const HITS_BEFORE_COMPRESSION = 3;
const LEAST_COMPRESSED = 1024;

const unquoted = (tag: string): string =>
  tag
    .trim()
    .replace(/^W\//, '')
    .replace(/-(?:br|gzip)"$/, '"');

/** One answer, ready to be sent any number of times. */
export class CachedAnswer {
  #forms: Partial<Record<Encoding, Form>> = {};
  #hits = 0;

  constructor(
    private readonly captured: Captured,
    readonly offer: CacheOffer,
  ) {
    this.#forms.identity = this.#form('identity', captured.body);
  }

  /** What it weighs, in bytes. */
  get bytes(): number {
    const forms = Object.values(this.#forms);
    return forms.reduce((sum, { body }) => sum + body.length + OVERHEAD, 0);
  }

  /** Gives its bytes back: nobody may send it any more. */
  drop(): void {
    this.#forms = {};
  }

  get isDropped(): boolean {
    return this.#forms.identity === undefined;
  }

  /**
   * Sends it: 304 to a caller that has it already.
   * @param condition the caller's `If-None-Match`
   */
  send(request: IncomingMessage, response: ServerResponse, condition: string | undefined): void {
    const form = this.#forms[encodingFor(request.headers['accept-encoding'])] ?? this.#forms.identity;
    if (form === undefined) throw new Error('an answer that was dropped is sent');
    const requestId = requestIdOf(request);
    if (condition !== undefined && this.#isKnown(condition)) {
      form.notModified ??= this.#notModified(form);
      sendPrepared(response, { head: form.notModified, requestId }, undefined);
      return;
    }
    sendPrepared(response, { head: form.head, requestId }, request.method === 'HEAD' ? undefined : form.body);
  }

  /** Counts a hit; an answer that is wanted often is compressed, and the promise kept when that is done. */
  wanted(): Promise<void> | undefined {
    this.#hits += 1;
    if (this.#hits !== HITS_BEFORE_COMPRESSION) return undefined;
    const { body, isEncoded } = this.captured;
    if (body.length < LEAST_COMPRESSED || isEncoded) return undefined;
    return this.#compress(typeof body === 'string' ? Buffer.from(body, 'latin1') : body);
  }

  async #compress(body: Buffer): Promise<void> {
    const { br, gzip } = await compressed(body);
    if (this.isDropped) return;
    this.#forms.br = this.#form('br', bodyOf(br));
    this.#forms.gzip = this.#form('gzip', bodyOf(gzip));
  }

  /** Weak comparison with the tag of any form (RFC 9110 §13.1.2). */
  #isKnown(ifNoneMatch: string): boolean {
    const { tag } = this.captured;
    if (tag === undefined) return false;
    if (ifNoneMatch === tag) return true;
    return ifNoneMatch.split(',').some((one) => one.trim() === '*' || unquoted(one) === tag);
  }

  #form(encoding: Encoding, body: Buffer | string): Form {
    const { status, headers, tag } = this.captured;
    const isPlain = encoding === 'identity';
    const head = [...headers];
    if (tag !== undefined) head.push('ETag', isPlain ? tag : tag.replace(/"$/, `-${encoding}"`));
    if (!isPlain) head.push('Content-Encoding', encoding);
    head.push('Content-Length', String(body.length));
    return { body, head: prepareHead(status, head), notModified: undefined };
  }

  /** The head without what tells of the body (RFC 9110 §15.4.5). */
  #notModified({ head: { headers } }: Form): PreparedHead {
    const isOfBody = (index: number): boolean => ofBody.has(headers[index - (index % 2)] ?? '');
    return prepareHead(
      304,
      headers.filter((_, index) => !isOfBody(index)),
    );
  }
}
