import { createHash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { requestIdOf } from '../exchange.js';
import type { CacheOffer } from './cache-offer.js';
import { compressed, encodingFor, type Encoding } from './encodings.js';
import { prepareHead, sendPrepared, type PreparedHead } from './prepared-head.js';

/** An answer as it was made. */
export interface Captured {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** Headers that belong to one exchange, or that the form of the body decides. */
const ownHeaders = new Set([
  'x-request-id',
  'content-length',
  'etag',
  'connection',
  'date',
  'keep-alive',
  'ratelimit',
  'ratelimit-policy',
]);

/** A body in one form, with all headers but the request's id. */
interface Form {
  /** Small ones as texts of one character a byte, which node sends in one piece with the headers. */
  readonly body: Buffer | string;
  readonly head: PreparedHead;
  readonly notModified: PreparedHead;
}

const SMALL_BODY = 16 * 1024;
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
  readonly #common: readonly string[];
  readonly #tag: string | undefined;
  #forms: Partial<Record<Encoding, Form>> = {};
  #hits = 0;

  constructor(
    private readonly captured: Captured,
    readonly offer: CacheOffer,
  ) {
    const { status, headers, body } = captured;
    this.#common = Object.entries(headers).flatMap(([name, value]) =>
      ownHeaders.has(name.toLowerCase()) || value === undefined
        ? []
        : [name, Array.isArray(value) ? value.join(', ') : String(value)],
    );
    const given = typeof headers.ETag === 'string' ? headers.ETag : undefined;
    this.#tag =
      status === 200 ? (given ?? `"${createHash('sha1').update(body).digest('base64url')}"`) : undefined;
    this.#forms.identity = this.#form('identity', body);
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
    if (condition !== undefined && this.#tag !== undefined && this.#isKnown(condition)) {
      sendPrepared(response, { head: form.notModified, requestId }, undefined);
      return;
    }
    sendPrepared(response, { head: form.head, requestId }, request.method === 'HEAD' ? undefined : form.body);
  }

  /** Counts a hit; an answer that is wanted often is compressed, and the promise kept when that is done. */
  wanted(): Promise<void> | undefined {
    this.#hits += 1;
    if (this.#hits !== HITS_BEFORE_COMPRESSION) return undefined;
    const { body, headers } = this.captured;
    const isWorthIt = body.length >= LEAST_COMPRESSED && headers['Content-Encoding'] === undefined;
    return isWorthIt ? this.#compress(body) : undefined;
  }

  async #compress(body: Buffer): Promise<void> {
    const { br, gzip } = await compressed(body);
    if (this.isDropped) return;
    this.#forms.br = this.#form('br', br);
    this.#forms.gzip = this.#form('gzip', gzip);
  }

  /** Weak comparison with the tag of any form (RFC 9110 §13.1.2). */
  #isKnown(ifNoneMatch: string): boolean {
    if (ifNoneMatch === this.#tag) return true;
    return ifNoneMatch.split(',').some((one) => one.trim() === '*' || unquoted(one) === this.#tag);
  }

  #form(encoding: Encoding, body: Buffer): Form {
    const suffix = encoding === 'identity' ? '' : `-${encoding}`;
    const tag = this.#tag === undefined ? [] : ['ETag', this.#tag.replace(/"$/, `${suffix}"`)];
    const coding = encoding === 'identity' ? [] : ['Content-Encoding', encoding];
    const common = [...this.#common, ...tag];
    const isOfBody = (name: string | undefined): boolean => name === 'Content-Type';
    const notModified = common.filter((_, index) => !isOfBody(common[index - (index % 2)]));
    const sent = body.length <= SMALL_BODY ? body.toString('latin1') : body;
    const head = [...common, ...coding, 'Content-Length', String(body.length)];
    return {
      body: sent,
      head: prepareHead(this.captured.status, head),
      notModified: prepareHead(304, notModified),
    };
  }
}
