import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import type { Catalog } from '../../../content/catalog.js';
import type { DeliverySurface } from '../../../procedures/index.js';
import type { Answer, HeaderList } from '../answer.js';
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
export function sourceOf({ status, delivery }: Answer): AnswerSource | undefined {
  if (delivery === undefined || (status !== 200 && status !== 404)) return undefined;
  const { catalog, trace, call } = delivery;
  if (catalog === null || trace.isPreview || trace.isUnstored) return undefined;
  const surface = call.surface === 'graphql' ? 'graphql' : 'rest';
  return { catalog, surface, tags: trace.tags(catalog.data.environment.id) };
}

type Encoding = 'br' | 'gzip' | 'identity';

/** In order of size, for clients without a preference. */
const PREFERRED: Encoding[] = ['br', 'gzip', 'identity'];

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Runs off the main thread. */
async function compress(bytes: Buffer): Promise<{ br: Buffer; gzip: Buffer }> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [br, gzipped] = await Promise.all([brotli(bytes, { params }), deflate(bytes, { level: 6 })]);
  return { br, gzip: gzipped };
}

/** The types of negotiator 0.6 lack the second parameter. */
interface EncodingNegotiator {
  encodings(available: Encoding[], options: { preferred: Encoding[] }): Encoding[];
}

function negotiate(header: string): Encoding {
  const negotiator: unknown = new Negotiator({ headers: { 'accept-encoding': header } });
  const options = { preferred: PREFERRED };
  return (negotiator as EncodingNegotiator).encodings(PREFERRED, options)[0] ?? 'identity';
}

const MEMOISED = 100;
const negotiated = new Map<string, Encoding>();

function encodingFor(header: string | undefined): Encoding {
  if (header === undefined || header === '') return 'identity';
  const known = negotiated.get(header);
  if (known !== undefined) return known;
  const encoding = negotiate(header.slice(0, 1000));
  if (negotiated.size >= MEMOISED) negotiated.clear();
  negotiated.set(header, encoding);
  return encoding;
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
const HITS_BEFORE_COMPRESSION = 3;
const LEAST_COMPRESSED = 1024;

export class CachedAnswer {
  #forms: Partial<Record<Encoding, Form>> = {};
  #hits = 0;

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
    const form = this.#forms[encodingFor(headers['accept-encoding'])] ?? this.#forms.identity;
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

  /** Compresses the body at the third hit; the promise resolves when done. */
  countHit(): Promise<void> | undefined {
    this.#hits += 1;
    if (this.#hits !== HITS_BEFORE_COMPRESSION) return undefined;
    const { bytes } = this.rendered;
    if (bytes.length < LEAST_COMPRESSED) return undefined;
    return this.#compress(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  async #compress(bytes: Buffer): Promise<void> {
    const { br, gzip } = await compress(bytes);
    if (this.isDropped) return;
    this.#forms.br = this.#form('br', encodeBytes(br));
    this.#forms.gzip = this.#form('gzip', encodeBytes(gzip));
  }

  #form(encoding: Encoding, bytes: Buffer | string): Form {
    const { status, headers, tag } = this.rendered;
    const isPlain = encoding === 'identity';
    const head = [...headers];
    if (tag !== undefined) head.push('ETag', isPlain ? tag : tag.replace(/"$/, `-${encoding}"`));
    if (!isPlain) head.push('Content-Encoding', encoding);
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
