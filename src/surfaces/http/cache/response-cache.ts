import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Coherence, Fill } from '../../../infrastructure/coherence.js';
import { TaggedCache } from '../../../infrastructure/tagged-cache.js';
import type { DeliveryCaller, DeliveryCallers } from '../../../procedures/index.js';
import { clientAddress, type TrustedProxies } from '../client-address.js';
import { keepBody } from '../read-body.js';
import { noteOf } from '../request-note.js';
import { readSizedBody } from './read-sized-body.js';
import { queryKey, queryLength, type AnswerKeys } from './answer-key.js';
import { UrlKeys } from './url-keys.js';
import { handCaller, offerOf } from './cache-offer.js';
import { CachedAnswer, type Captured } from './cached-answer.js';
import { captureAnswer } from './capture.js';

/** What came of the requests so far. */
export interface CacheCounts {
  hits: number;
  /** Rendered, and kept where nothing spoke against it. */
  misses: number;
  /** Waited for a rendering that was under way. */
  joined: number;
  /** Answered past the cache: other work, other callers, or the database is not heard. */
  bypasses: number;
}

/** What the cache works with. */
export interface ResponseCacheParts {
  readonly maximumBytes: number;
  readonly coherence: Coherence;
  readonly callers: DeliveryCallers;
  readonly answerKeys: AnswerKeys;
  readonly trustedProxies: TrustedProxies;
  /** Answers what the cache does not. */
  readonly next: RequestListener;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Flight {
  readonly since: number;
  /** Given up when it is there: maps remember for a while what was taken out of them. */
  answer: Promise<CachedAnswer | undefined> | undefined;
}

const DELIVERY = '/api/delivery/projects/';
const GRAPHQL = '/api/graphql/';
/** What one answer may weigh, as a part of the whole. */
const LARGEST_PART = 8;
const FLIGHTS_JOINED = 3;
/** What only the caller that was rendered for is told. */
const kept: ReadonlySet<string> = new Set(['connection', 'ratelimit', 'ratelimit-policy']);

/**
 * Answers published content from memory, before anything else looks at the request. What it keeps was made by the
 * service itself for callers who may see all that is published; who asks is checked anew each time, from memory.
 */
export class ResponseCache {
  readonly counts: CacheCounts = { hits: 0, misses: 0, joined: 0, bypasses: 0 };
  readonly #answers: TaggedCache<CachedAnswer>;
  readonly #addresses: UrlKeys;
  readonly #flights = new Map<string, Flight>();

  constructor(private readonly parts: ResponseCacheParts) {
    const { coherence, maximumBytes } = parts;
    this.#addresses = new UrlKeys(Math.floor(maximumBytes / 8));
    this.#answers = new TaggedCache(coherence, Math.ceil((maximumBytes * 7) / 8), (answer) => {
      answer.drop();
    });
  }

  /** Bytes and number of the answers kept. */
  get size(): { readonly bytes: number; readonly answers: number } {
    return { bytes: this.#answers.bytes + this.#addresses.bytes, answers: this.#answers.size };
  }

  readonly handle: RequestListener = (request, response) => {
    const { method, url = '' } = request;
    const exchange = { request, response };
    if (!this.parts.coherence.isFresh) this.#bypass(exchange);
    else if (method === 'GET' || method === 'HEAD') {
      if (url.startsWith(DELIVERY)) this.#handleRead(exchange, url);
      else this.#bypass(exchange);
    } else if (method === 'POST' && url.startsWith(GRAPHQL)) {
      this.#handleQuery(exchange);
    } else this.#bypass(exchange);
  };

  #handleRead(exchange: Exchange, url: string): void {
    const { authorization } = exchange.request.headers;
    const caller = this.parts.callers.remembered(authorization);
    if (caller !== undefined) {
      if (this.#hit(exchange, caller, url)) return;
      const key = this.#addresses.get(url);
      if (key !== undefined && this.#hit(exchange, caller, key)) return;
    }
    const key = this.parts.answerKeys.ofUrl(url);
    if (key === undefined) {
      this.#bypass(exchange);
      return;
    }
    if (key !== url) this.#addresses.set(url, key);
    if (caller !== undefined) {
      this.#answer(exchange, caller, key).catch((error: unknown) =>
        exchange.response.destroy(error as Error),
      );
      return;
    }
    this.parts.callers
      .identify(authorization)
      .then((who) => (who === undefined ? this.#bypass(exchange) : this.#answer(exchange, who, key)))
      .catch((error: unknown) => exchange.response.destroy(error as Error));
  }

  #handleQuery(exchange: Exchange): void {
    const { request } = exchange;
    const { authorization } = request.headers;
    const length = authorization === undefined ? undefined : queryLength(request);
    const caller = length === undefined ? undefined : this.parts.callers.remembered(authorization);
    if (length === undefined) this.#bypass(exchange);
    else if (caller !== undefined) this.#readQuery(exchange, caller, length);
    else {
      this.parts.callers
        .identify(authorization)
        .then((who) => {
          if (who === undefined) this.#bypass(exchange);
          else this.#readQuery(exchange, who, length);
        })
        .catch((error: unknown) => exchange.response.destroy(error as Error));
    }
  }

  #readQuery(exchange: Exchange, caller: DeliveryCaller, length: number): void {
    const { request, response } = exchange;
    readSizedBody(request, length, (body) => {
      const key = queryKey(request, body);
      if (this.#hit(exchange, caller, key)) return;
      keepBody(request, body);
      this.#answer(exchange, caller, key).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  /** Sends an answer that is kept, to a caller who may have it. */
  #hit(exchange: Exchange, caller: DeliveryCaller, key: string): boolean {
    const answer = this.#answers.get(key);
    if (answer === undefined || !this.#mayHave(exchange, caller, answer)) return false;
    this.counts.hits += 1;
    const { request, response } = exchange;
    answer.send(request, response, request.headers['if-none-match']);
    const compression = answer.wanted();
    if (compression !== undefined) this.#weighAfter(compression, key, answer);
    return true;
  }

  #weighAfter(compression: Promise<void>, key: string, answer: CachedAnswer): void {
    compression.then(
      () => {
        this.#answers.weigh(key, answer, answer.bytes);
      },
      // It stays as it is.
      () => undefined,
    );
  }

  async #answer(exchange: Exchange, caller: DeliveryCaller, key: string): Promise<void> {
    const { coherence } = this.parts;
    for (let joined = 0; joined < FLIGHTS_JOINED; joined += 1) {
      if (this.#hit(exchange, caller, key)) return;
      const flight = this.#flights.get(key);
      // A rendering that began before the last purge may show what was before it.
      if (flight?.since !== coherence.count) break;
      const answer = await flight.answer;
      if (answer === undefined || answer.isDropped || !this.#mayHave(exchange, caller, answer)) continue;
      this.counts.joined += 1;
      answer.send(exchange.request, exchange.response, exchange.request.headers['if-none-match']);
      return;
    }
    const fill = coherence.begin();
    if (fill === undefined) {
      this.#bypass(exchange);
      return;
    }
    handCaller(exchange.request, caller);
    this.#render(exchange, key, fill);
  }

  /** Lets the service answer, for everybody who asks the same meanwhile. */
  #render({ request, response }: Exchange, key: string, fill: Fill): void {
    this.counts.misses += 1;
    const { promise, resolve } = Promise.withResolvers<CachedAnswer | undefined>();
    const flight: Flight = { since: fill.since, answer: promise };
    this.#flights.set(key, flight);
    const condition = request.headers['if-none-match'];
    // The answer is made whole; whether its caller has it already is asked when it is sent.
    delete request.headers['if-none-match'];
    captureAnswer(response, {
      maximumBytes: Math.floor(this.parts.maximumBytes / LARGEST_PART),
      onAnswer: (captured, isSent) => {
        const answer = captured && this.#keep(response, key, { captured, fill });
        this.parts.coherence.end();
        if (this.#flights.get(key) === flight) this.#flights.delete(key);
        resolve(answer);
        flight.answer = undefined;
        if (answer === undefined || isSent) return false;
        const id = response.getHeader('x-request-id');
        if (typeof id === 'string') {
          request.headers['x-request-id'] = id;
          // The answer is sent without headers of its own, so that none can be asked for later.
          noteOf(response).requestId = id;
        }
        for (const name of response.getHeaderNames()) if (!kept.has(name)) response.removeHeader(name);
        answer.send(request, response, condition);
        return true;
      },
    });
    this.parts.next(request, response);
  }

  /** The answer as others may have it, too; undefined where it is for nobody else. */
  #keep(
    response: ServerResponse,
    key: string,
    { captured, fill }: { captured: Captured; fill: Fill },
  ): CachedAnswer | undefined {
    const offer = captured.status === 200 || captured.status === 404 ? offerOf(response) : undefined;
    if (offer === undefined) return undefined;
    const answer = new CachedAnswer(captured, offer);
    this.#answers.store(key, answer, { fill, tags: offer.tags, bytes: answer.bytes });
    return answer;
  }

  #bypass({ request, response }: Exchange): void {
    this.counts.bypasses += 1;
    this.parts.next(request, response);
  }

  #mayHave({ request }: Exchange, caller: DeliveryCaller, { offer }: CachedAnswer): boolean {
    const { callers, trustedProxies } = this.parts;
    const { catalog, surface } = offer;
    if (!callers.mayHave(catalog, caller, surface)) return false;
    if (!callers.isAddressBound(catalog, caller)) return true;
    return callers.isWelcome(catalog, caller, { address: clientAddress(request, trustedProxies), surface });
  }
}
