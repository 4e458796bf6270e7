import type { RequestListener } from 'node:http';
import type { Coherence, Fill } from '../../../infrastructure/coherence.js';
import { TaggedCache } from '../../../infrastructure/tagged-cache.js';
import { boundEnvironment, type Principal } from '../../../access/principal.js';
import type { PublishedReaders } from '../../../procedures/index.js';
import { isRead, Exchange, previewTokenIn, type ExchangeSettings } from '../exchange.js';
import type { Pipeline } from '../pipeline.js';
import { cacheableQueryLength, isCacheableQuery, queryKey, type AnswerKeys, UrlKeys } from './answer-key.js';
import { AnswerFill } from './answer-fill.js';
import type { CachedAnswer } from './cached-answer.js';
import { readSizedBody } from '../read-body.js';

export interface CacheCounts {
  hits: number;
  /** Made by the pipeline and, where possible, stored. */
  misses: number;
  /** Waited for an answer being made. */
  joined: number;
  /** Not cacheable, another caller, or no heartbeat from the database. */
  bypasses: number;
}

export interface ResponseCacheParts {
  readonly maximumBytes: number;
  readonly coherence: Coherence;
  readonly readers: PublishedReaders;
  readonly answerKeys: AnswerKeys;
  readonly settings: ExchangeSettings;
  /** Serves files that are in memory; false if it does not. */
  serveFile(exchange: Exchange, url: string): boolean;
  /** Answers misses. */
  readonly pipeline: Pick<Pipeline, 'answer' | 'handle'>;
}

interface Flight {
  readonly since: number;
  /** Cleared when settled: maps reference deleted values for a while. */
  answer: Promise<CachedAnswer | undefined> | undefined;
}

const DELIVERY = '/api/delivery/projects/';
const GRAPHQL = '/api/graphql/';
const MEDIA = '/media/';
/** Maximum size of an answer, as a fraction of the cache. */
const LARGEST_PART = 8;
const FLIGHTS_JOINED = 3;

/** Principals bound to an environment have separate keys. */
function keyFor(reader: Principal, key: string): string {
  const environment = boundEnvironment(reader);
  return environment === null ? key : `${environment} ${key}`;
}

/**
 * Serves published content from memory, before the pipeline. Answers are made for callers who may see everything
 * published; every hit checks, from memory, whether the caller may have it.
 */
export class ResponseCache {
  readonly counts: CacheCounts = { hits: 0, misses: 0, joined: 0, bypasses: 0 };
  readonly #answers: TaggedCache<CachedAnswer>;
  readonly #urlKeys: UrlKeys;
  readonly #flights = new Map<string, Flight>();

  constructor(private readonly parts: ResponseCacheParts) {
    const { coherence, maximumBytes } = parts;
    this.#urlKeys = new UrlKeys(Math.floor(maximumBytes / 8));
    this.#answers = new TaggedCache(coherence, Math.ceil((maximumBytes * 7) / 8), (answer) => {
      answer.drop();
    });
  }

  get size(): { readonly bytes: number; readonly answers: number } {
    return { bytes: this.#answers.bytes + this.#urlKeys.bytes, answers: this.#answers.size };
  }

  readonly handle: RequestListener = (request, response) => {
    const { method, url = '' } = request;
    const exchange = new Exchange(request, response, this.parts.settings);
    const isReadOnly = isRead(method);
    const isOwn = request.headers['x-environment'] !== undefined || previewTokenIn(request) !== undefined;
    if (!this.parts.coherence.isFresh || isOwn) this.#bypass(exchange);
    else if (isReadOnly && url.startsWith(DELIVERY)) this.#handleRead(exchange, url);
    else if (isReadOnly && url.startsWith(MEDIA)) this.#handleFile(exchange, url);
    else if (isReadOnly && url.startsWith(GRAPHQL)) this.#handleQueryInUrl(exchange);
    else if ((method === 'POST' || method === 'QUERY') && url.startsWith(GRAPHQL))
      this.#handleQuery(exchange);
    else this.#bypass(exchange);
  };

  #handleRead(exchange: Exchange, url: string): void {
    const { authorization } = exchange.request.headers;
    const reader = this.parts.readers.peek(authorization);
    if (reader !== undefined) {
      if (this.#hit(exchange, reader, keyFor(reader, url))) return;
      const known = this.#urlKeys.get(url);
      if (known !== undefined) {
        exchange.ignoredParameters = known.ignored;
        if (this.#hit(exchange, reader, keyFor(reader, known.key))) return;
      }
    }
    const meaning = this.parts.answerKeys.ofUrl(url);
    if (meaning === undefined) {
      this.#bypass(exchange);
      return;
    }
    const { key, ignored } = meaning;
    exchange.ignoredParameters = ignored;
    if (key !== url) this.#urlKeys.set(url, meaning);
    this.#withReader(exchange, reader, (known) => this.#answer(exchange, known, keyFor(known, key)));
  }

  #handleFile(exchange: Exchange, url: string): void {
    if (this.parts.serveFile(exchange, url)) this.counts.hits += 1;
    else this.#bypass(exchange);
  }

  #handleQueryInUrl(exchange: Exchange): void {
    const { request } = exchange;
    const { authorization } = request.headers;
    if (authorization === undefined || !isCacheableQuery(request)) {
      this.#bypass(exchange);
      return;
    }
    this.#withReader(exchange, this.parts.readers.peek(authorization), (reader) => {
      const key = keyFor(reader, queryKey(request));
      return this.#hit(exchange, reader, key) ? undefined : this.#answer(exchange, reader, key);
    });
  }

  #handleQuery(exchange: Exchange): void {
    const { authorization } = exchange.request.headers;
    const length = authorization === undefined ? undefined : cacheableQueryLength(exchange.request);
    if (length === undefined) {
      this.#bypass(exchange);
      return;
    }
    const reader = this.parts.readers.peek(authorization);
    this.#withReader(exchange, reader, (known) => {
      this.#readQuery(exchange, known, length);
    });
  }

  /** Looks up the reader unless in memory; other callers bypass the cache. */
  #withReader(
    exchange: Exchange,
    inMemory: Principal | undefined,
    next: (reader: Principal) => void | Promise<void>,
  ): void {
    if (inMemory !== undefined) {
      this.#start(exchange, next(inMemory));
      return;
    }
    const { authorization = '' } = exchange.request.headers;
    const found = this.parts.readers.find(authorization);
    this.#start(
      exchange,
      found.then((reader) => (reader === undefined ? this.#bypass(exchange) : next(reader))),
    );
  }

  #readQuery(exchange: Exchange, reader: Principal, length: number): void {
    const { request } = exchange;
    readSizedBody(request, length, (body) => {
      const key = keyFor(reader, queryKey(request, body));
      if (this.#hit(exchange, reader, key)) return;
      exchange.body = body;
      this.#start(exchange, this.#answer(exchange, reader, key));
    });
  }

  #start({ response }: Exchange, work: void | Promise<void>): void {
    work?.catch((error: unknown) => response.destroy(error as Error));
  }

  #hit(exchange: Exchange, reader: Principal, key: string): boolean {
    const answer = this.#answers.get(key);
    if (answer === undefined || !this.#mayRead(exchange, reader, answer)) return false;
    this.counts.hits += 1;
    answer.send(exchange, exchange.ignoredHeaders);
    const compression = answer.prepareFor(exchange);
    void compression?.then(() => {
      this.#answers.weigh(key, answer, answer.bytes);
    });
    return true;
  }

  async #answer(exchange: Exchange, reader: Principal, key: string): Promise<void> {
    const { coherence } = this.parts;
    for (let joined = 0; joined < FLIGHTS_JOINED; joined += 1) {
      if (this.#hit(exchange, reader, key)) return;
      const flight = this.#flights.get(key);
      // An answer started before the last purge may be stale.
      if (flight?.since !== coherence.count) break;
      const answer = await flight.answer;
      if (answer === undefined || answer.isDropped || !this.#mayRead(exchange, reader, answer)) continue;
      this.counts.joined += 1;
      answer.send(exchange, exchange.ignoredHeaders);
      return;
    }
    const fill = coherence.begin();
    if (fill === undefined) this.#bypass(exchange);
    else await this.#make(exchange, key, fill);
  }

  /** Makes the answer; concurrent callers wait for it. */
  async #make(exchange: Exchange, key: string, fill: Fill): Promise<void> {
    const { coherence, maximumBytes, pipeline } = this.parts;
    this.counts.misses += 1;
    const { promise, resolve } = Promise.withResolvers<CachedAnswer | undefined>();
    const flight: Flight = { since: fill.since, answer: promise };
    this.#flights.set(key, flight);
    const answerFill = new AnswerFill(exchange, Math.floor(maximumBytes / LARGEST_PART));
    let isSettled = false;
    const settle = (answer: CachedAnswer | undefined): void => {
      if (isSettled) return;
      isSettled = true;
      if (answer !== undefined) {
        const { tags } = answer.source;
        this.#answers.store(key, answer, { fill, tags, bytes: answer.bytes });
      }
      coherence.end();
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
      resolve(answer);
      flight.answer = undefined;
    };
    try {
      await answerFill.send(await pipeline.answer(exchange), settle);
    } finally {
      settle(undefined);
    }
  }

  #bypass(exchange: Exchange): void {
    this.counts.bypasses += 1;
    this.parts.pipeline.handle(exchange);
  }

  #mayRead(exchange: Exchange, principal: Principal, { source }: CachedAnswer): boolean {
    return this.parts.readers.mayRead(principal, source, exchange);
  }
}
