import { lazy } from '../lazy.js';
import { NeighbourFailure, type Neighbour } from '../neighbours/neighbour.js';
import { soleNeighbour } from '../neighbours/neighbours.js';
import { traceHeaders } from '../work-context.js';

/**
 * `unavailable`: not reached, too slow, overloaded, not permitted, or what it sends is no list of vectors. `refused`: the
 * server does not accept these texts.
 */
type EmbedderFailureKind = 'unavailable' | 'refused';

export class EmbedderFailure extends Error {
  override readonly name = 'EmbedderFailure';

  constructor(
    readonly kind: EmbedderFailureKind,
    /** Never content or credentials. */
    readonly reason: string,
    cause?: unknown,
  ) {
    super(`embedding server ${kind}: ${reason}`, { cause });
  }
}

/** Turns texts into vectors, of which near ones have a similar meaning. */
export interface Embedder {
  /** Vectors of different models cannot be compared. */
  readonly model: string;
  /**
   * Vectors of length 1, in the order of the texts, all with the same number of dimensions.
   * @throws EmbedderFailure
   */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
}

const MAXIMUM_DIMENSIONS = 4096;

const invalid = (reason: string): EmbedderFailure => new EmbedderFailure('unavailable', reason);

/** Numbers of which none is infinite or undefined, as a vector of length 1. */
function readVector(given: unknown): Float32Array {
  if (!Array.isArray(given) || given.length === 0 || given.length > MAXIMUM_DIMENSIONS)
    throw invalid('wrong_dimensions');
  let squares = 0;
  for (const value of given as unknown[]) {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw invalid('not_a_number');
    squares += value * value;
  }
  const length = Math.sqrt(squares);
  if (length === 0 || !Number.isFinite(length)) throw invalid('no_direction');
  return Float32Array.from(given as number[], (value) => value / length);
}

/**
 * Reads the reply to so many texts: OpenAI's `{data: [{index, embedding}]}`.
 * @throws EmbedderFailure unless each text has one vector, and all have the same dimensions
 */
function readVectors(reply: unknown, texts: number): Float32Array[] {
  const { data } = (typeof reply === 'object' && reply !== null ? reply : {}) as { data?: unknown };
  if (!Array.isArray(data) || data.length !== texts) throw invalid('wrong_number');
  const vectors = new Map<number, Float32Array>();
  for (const row of data as unknown[]) {
    const { index, embedding } = (row ?? {}) as { index?: unknown; embedding?: unknown };
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= texts)
      throw invalid('wrong_index');
    vectors.set(index, readVector(embedding));
  }
  const [first] = vectors.values();
  const ordered = Array.from({ length: texts }, (_, index) => vectors.get(index));
  return ordered.map((vector) => {
    if (vector === undefined) throw invalid('wrong_index');
    if (vector.length !== first?.length) throw invalid('wrong_dimensions');
    return vector;
  });
}

export interface EmbedderSettings {
  /** Chosen by the operator, so it may name a private address. Without credentials and a final slash. */
  readonly url: string;
  readonly model: string;
  /** Sent as a bearer token. */
  readonly key?: string | undefined;
  /** Of one request. */
  readonly timeoutMilliseconds: number;
  readonly neighbour?: Neighbour | undefined;
}

const RESPONSE_BYTES = 16 * 1024 * 1024;
/** After an attempt without a response, requests fail at once for this long. */
const PAUSE_MS = 1000;
/** What these texts are refused with; all else concerns every text. */
const REFUSALS = new Set([400, 413, 422]);

async function parsed(body: AsyncIterable<Uint8Array>): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > RESPONSE_BYTES) throw new EmbedderFailure('unavailable', 'response_too_large');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    throw new EmbedderFailure('unavailable', 'invalid_response', error);
  }
}

/**
 * Asks a server for vectors in the dialect of OpenAI. Few requests run at once, and none for a moment after one without
 * a response. Redirects are not followed: they would pass the key on.
 */
export class HttpEmbedder implements Embedder {
  readonly #neighbour: Neighbour;
  readonly #undici = lazy(() => import('undici'));
  #pausedUntil = 0;

  constructor(private readonly settings: EmbedderSettings) {
    this.#neighbour = settings.neighbour ?? soleNeighbour('embeddings');
  }

  get model(): string {
    return this.settings.model;
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    try {
      return await this.#neighbour.call(({ signal }) => this.#send(texts, signal));
    } catch (error) {
      if (error instanceof NeighbourFailure)
        throw new EmbedderFailure(
          'unavailable',
          error.reason === 'busy' ? 'too_many_requests' : 'timeout',
          error,
        );
      throw error;
    }
  }

  async #send(texts: readonly string[], ended: AbortSignal): Promise<Float32Array[]> {
    if (performance.now() < this.#pausedUntil) throw new EmbedderFailure('unavailable', 'paused');
    const signal = AbortSignal.timeout(this.settings.timeoutMilliseconds);
    try {
      return await this.#ask(texts, AbortSignal.any([signal, ended]));
    } catch (error) {
      if (error instanceof EmbedderFailure || ended.aborted) throw error;
      this.#pausedUntil = performance.now() + PAUSE_MS;
      throw new EmbedderFailure('unavailable', signal.aborted ? 'timeout' : 'unreachable', error);
    }
  }

  async #ask(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const { url, model, key } = this.settings;
    const { request } = await this.#undici.get();
    const { statusCode, body } = await request(`${url}/embeddings`, {
      method: 'POST',
      signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...traceHeaders(),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
    });
    if (statusCode === 200) return readVectors(await parsed(body as AsyncIterable<Uint8Array>), texts.length);
    await body.dump({ limit: 65_536 });
    const kind = REFUSALS.has(statusCode) ? 'refused' : 'unavailable';
    throw new EmbedderFailure(kind, `status_${String(statusCode)}`);
  }
}
