import { isStream, type HttpAnswer, type StreamBody, type WholeBody } from '../answer.js';
import { entityTag, plainEntity, encodeBytes, taggedEntity } from '../entity.js';
import { type Exchange, rateHeaders } from '../exchange.js';
import { finish } from '../pipeline.js';
import { sendStream } from '../send-answer.js';
import { sourceOf, CachedAnswer } from './cached-answer.js';

/** Receives the answer to store, if any. Not called if sending fails. */
type Settle = (answer: CachedAnswer | undefined) => void;

/** Collects the chunks of a stream up to a maximum size. */
class ChunkCopy {
  #chunks: Buffer[] | undefined = [];
  #size = 0;

  constructor(private readonly maximumBytes: number) {}

  add(chunk: string | Buffer): void {
    if (this.#chunks === undefined) return;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk;
    this.#size += bytes.length;
    if (this.#size > this.maximumBytes) this.#chunks = undefined;
    else this.#chunks.push(bytes);
  }

  /** Undefined above the maximum. */
  get bytes(): Buffer | undefined {
    return this.#chunks && Buffer.concat(this.#chunks, this.#size);
  }
}

/** Sends the answer to a miss and renders it for the cache. */
export class AnswerFill {
  constructor(
    private readonly exchange: Exchange,
    private readonly maximumBytes: number,
  ) {}

  /** Calls `settle` before sending, or after a stream. */
  async send(answer: HttpAnswer | undefined, settle: Settle): Promise<void> {
    const body = answer?.body ?? null;
    if (answer === undefined || body === null) {
      settle(undefined);
      await finish(this.exchange, answer);
    } else if (isStream(body)) await this.#sendStream({ ...answer, body }, settle);
    else await this.#sendWhole({ ...answer, body }, settle);
  }

  async #sendWhole(answer: HttpAnswer & { readonly body: WholeBody }, settle: Settle): Promise<void> {
    const cached = this.#renderWhole(answer);
    await cached?.prepareFor(this.exchange);
    settle(cached);
    if (cached === undefined) {
      await finish(this.exchange, answer);
      return;
    }
    const { rate, ignoredHeaders } = this.exchange;
    const rates = answer.isPublic === true || rate === undefined ? undefined : rateHeaders(rate);
    cached.send(
      this.exchange,
      ignoredHeaders && rates ? [...ignoredHeaders, ...rates] : (ignoredHeaders ?? rates),
    );
  }

  #renderWhole(answer: HttpAnswer & { readonly body: WholeBody }): CachedAnswer | undefined {
    const source = sourceOf(answer);
    if (source === undefined) return undefined;
    const { status, body } = answer;
    const entity = status === 200 ? taggedEntity(body) : { ...plainEntity(body), tag: undefined };
    if (entity.bytes.length > this.maximumBytes) return undefined;
    const headers = [...this.#headersOf(answer), 'Content-Type', entity.mediaType];
    return new CachedAnswer({ status, headers, tag: entity.tag, bytes: entity.bytes }, source);
  }

  async #sendStream(answer: HttpAnswer & { readonly body: StreamBody }, settle: Settle): Promise<void> {
    const copy = new ChunkCopy(this.maximumBytes);
    await sendStream(this.exchange, answer, (chunk) => {
      copy.add(chunk);
    });
    const hasBody = this.exchange.request.method !== 'HEAD';
    settle(hasBody ? this.#renderStream(answer, copy.bytes) : undefined);
  }

  #renderStream(
    answer: HttpAnswer & { readonly body: StreamBody },
    bytes: Buffer | undefined,
  ): CachedAnswer | undefined {
    const source = sourceOf(answer);
    if (source === undefined || bytes === undefined) return undefined;
    const headers = [...this.#headersOf(answer), 'Content-Type', answer.body.mediaType];
    const tag = answer.status === 200 ? entityTag(bytes) : undefined;
    return new CachedAnswer({ status: answer.status, headers, tag, bytes: encodeBytes(bytes) }, source);
  }

  #headersOf({ headers }: HttpAnswer): string[] {
    return [...this.exchange.sharedHeaders, ...headers, ...this.exchange.cacheTags(headers)];
  }
}
