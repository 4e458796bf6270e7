import type { Catalog } from '../../../content/catalog.js';
import type { DeliverySurface } from '../../../procedures/index.js';
import type { HttpAnswer, HeaderList } from '../answer.js';
import { codedTag, codingFor, compress, LEAST_COMPRESSED, type ContentCoding } from '../content-coding.js';
import { isNotModified, encodeBytes } from '../entity.js';
import type { Exchange } from '../exchange.js';
import { prepareHead, sendPrepared, type PreparedHead } from './prepared-head.js';

interface AnswerSource {
  /** When it was made: a change of the project purges the answer. */
  readonly catalog: Catalog;
  readonly surface: DeliverySurface;
  readonly tags: readonly string[];
}

/** Undefined if the answer must not be stored. */
export function sourceOf({ status, delivery }: HttpAnswer): AnswerSource | undefined {
  if (delivery === undefined || (status !== 200 && status !== 404)) return undefined;
  const { catalog, trace, call } = delivery;
  if (catalog === null || trace.isPreview || trace.isUnstored) return undefined;
  const surface = call.surface === 'graphql' ? 'graphql' : 'rest';
  return { catalog, surface, tags: trace.tags(catalog.data.environment.id) };
}

interface RenderedAnswer {
  readonly status: number;
  /** Headers for every caller, except those that depend on the encoding. */
  readonly headers: HeaderList;
  /** Of the uncompressed body; undefined unless the status is 200. */
  readonly tag: string | undefined;
  readonly bytes: Buffer | string;
}

/** A body in one encoding, with all headers except the request id. */
interface Form {
  readonly bytes: Buffer | string;
  readonly head: PreparedHead;
  /** Created on first use. */
  notModified: PreparedHead | undefined;
}

/** Omitted from 304 (RFC 9110 §15.4.5). */
const bodyHeaders: ReadonlySet<string> = new Set(['Content-Type', 'Content-Encoding', 'Content-Length']);
/** Approximate bytes of objects. */
const OVERHEAD = 1000;

export class CachedAnswer {
  #forms: Partial<Record<ContentCoding, Form>> = {};
  /** Codings that were asked for; each is made once. */
  readonly #made = new Set<ContentCoding>(['identity']);

  constructor(
    private readonly rendered: RenderedAnswer,
    readonly source: AnswerSource,
  ) {
    this.#forms.identity = this.#form('identity', rendered.bytes);
  }

  get bytes(): number {
    const forms = Object.values(this.#forms);
    // Headers are held as a list and as they are sent.
    return forms.reduce((sum, { bytes, head }) => sum + bytes.length + 2 * head.text.length + OVERHEAD, 0);
  }

  /** Frees its memory; it can no longer be sent. */
  drop(): void {
    this.#forms = {};
  }

  get isDropped(): boolean {
    return this.#forms.identity === undefined;
  }

  /**
   * Sends it, or 304.
   * @param extra headers for this caller only
   */
  send({ request, response, requestId }: Exchange, extra?: HeaderList): void {
    const { headers, method } = request;
    const form = this.#forms[codingFor(headers['accept-encoding'])] ?? this.#forms.identity;
    if (form === undefined) throw new Error('Cannot send a dropped response');
    const { tag } = this.rendered;
    const condition = headers['if-none-match'];
    if (condition !== undefined && tag !== undefined && isNotModified(condition, tag)) {
      form.notModified ??= notModified(form.head);
      sendPrepared(response, { head: form.notModified, requestId, extra }, undefined);
      return;
    }
    sendPrepared(response, { head: form.head, requestId, extra }, method === 'HEAD' ? undefined : form.bytes);
  }

  /**
   * Compresses the body as a client accepts it. The promise resolves when done; undefined if there is nothing to do.
   * Until then, and if it fails, the body is sent uncompressed.
   */
  prepareFor({ request }: Pick<Exchange, 'request'>): Promise<void> | undefined {
    const { bytes } = this.rendered;
    if (bytes.length < LEAST_COMPRESSED) return undefined;
    const coding = codingFor(request.headers['accept-encoding']);
    if (coding === 'identity' || this.#made.has(coding)) return undefined;
    this.#made.add(coding);
    const whole = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
    const keep = (smaller: Buffer): void => {
      if (this.isDropped || smaller.length >= whole.length) return;
      this.#forms[coding] = this.#form(coding, encodeBytes(smaller));
    };
    return compress(whole, coding).then(keep, () => undefined);
  }

  #form(coding: ContentCoding, bytes: Buffer | string): Form {
    const { status, headers, tag } = this.rendered;
    const head = [...headers];
    if (tag !== undefined) head.push('ETag', codedTag(tag, coding));
    if (coding !== 'identity') head.push('Content-Encoding', coding);
    head.push('Content-Length', String(bytes.length));
    return { bytes, head: prepareHead(status, head), notModified: undefined };
  }
}

function notModified({ headers }: PreparedHead): PreparedHead {
  const isBodyHeader = (index: number): boolean => bodyHeaders.has(headers[index - (index % 2)] ?? '');
  return prepareHead(
    304,
    headers.filter((_, index) => !isBodyHeader(index)),
  );
}
