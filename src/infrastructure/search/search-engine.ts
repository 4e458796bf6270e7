import { lazy } from '../lazy.js';
import { NeighbourFailure, type Neighbour } from '../neighbours/neighbour.js';
import { soleNeighbour } from '../neighbours/neighbours.js';
import { traceHeaders } from '../work-context.js';

/**
 * `unavailable`: not reached, too slow, overloaded, out of disk space or not permitted. `missing`: the index is gone.
 * `refused`: the engine does not accept the request.
 */
type EngineFailureKind = 'unavailable' | 'missing' | 'refused';

export class EngineFailure extends Error {
  override readonly name = 'EngineFailure';

  constructor(
    readonly kind: EngineFailureKind,
    /** Never content or credentials. */
    readonly reason: string,
    cause?: unknown,
  ) {
    super(`search engine ${kind}: ${reason}`, { cause });
  }
}

export interface EngineSettings {
  /** Chosen by the operator, so it may name a private address. Without credentials and a final slash. */
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Of one request. */
  readonly timeoutMilliseconds: number;
  readonly neighbour?: Neighbour | undefined;
}

export interface EngineRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Path and query; parts from outside are encoded. */
  readonly path: string;
  /** JSON, or lines of JSON. */
  readonly body?: object | string;
}

const RESPONSE_BYTES = 32 * 1024 * 1024;
/** After an attempt without a response, requests fail at once for this long. */
const PAUSE_MS = 1000;
const MISSING = new Set(['index_not_found_exception', 'alias_not_found_exception']);

interface ErrorBody {
  readonly error?: { readonly type?: unknown; readonly root_cause?: readonly { readonly type?: unknown }[] };
}

const WORD = /^[a-z_]{1,64}$/;

/** The engine's name of an error; its text may quote content. */
export function errorType(body: unknown): string {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody;
  const type = error?.root_cause?.[0]?.type ?? error?.type;
  return typeof type === 'string' && WORD.test(type) ? type : 'unknown_error';
}

/** What a status of a request, or of one item of it, means. */
export function failureOfStatus(status: number, type: string): EngineFailure {
  const reason = `${String(status)} ${type}`;
  if (MISSING.has(type)) return new EngineFailure('missing', reason);
  const isRefused = status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
  return new EngineFailure(isRefused ? 'refused' : 'unavailable', reason);
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > RESPONSE_BYTES) throw new EngineFailure('unavailable', 'response_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new EngineFailure('unavailable', 'invalid_response', error);
  }
}

/**
 * Sends requests to OpenSearch. Few run at once, and none for a moment after one without a response: callers hold
 * database connections. Redirects are not followed: they would pass the password on.
 */
export class SearchEngine {
  readonly #neighbour: Neighbour;
  readonly #undici = lazy(() => import('undici'));
  readonly #headers: Readonly<Record<string, string>>;
  #pausedUntil = 0;

  constructor(private readonly settings: EngineSettings) {
    const { username, password = '', neighbour } = settings;
    this.#neighbour = neighbour ?? soleNeighbour('search');
    const credentials = Buffer.from(`${username ?? ''}:${password}`).toString('base64');
    this.#headers = username === undefined ? {} : { authorization: `Basic ${credentials}` };
  }

  /** @throws EngineFailure */
  async send(request: EngineRequest): Promise<unknown> {
    try {
      return await this.#neighbour.call(({ signal }) => this.#send(request, signal));
    } catch (error) {
      if (error instanceof EngineFailure) throw error;
      if (error instanceof NeighbourFailure)
        throw new EngineFailure('unavailable', error.reason === 'busy' ? 'too_many_requests' : 'timeout');
      throw error;
    }
  }

  async #send(request: EngineRequest, ended: AbortSignal): Promise<unknown> {
    if (performance.now() < this.#pausedUntil) throw new EngineFailure('unavailable', 'paused');
    const signal = AbortSignal.timeout(this.settings.timeoutMilliseconds);
    try {
      return await this.#ask(request, AbortSignal.any([signal, ended]));
    } catch (error) {
      if (error instanceof EngineFailure || ended.aborted) throw error;
      this.#pausedUntil = performance.now() + PAUSE_MS;
      throw new EngineFailure('unavailable', signal.aborted ? 'timeout' : 'unreachable', error);
    }
  }

  async #ask({ method, path, body }: EngineRequest, signal: AbortSignal): Promise<unknown> {
    const { request } = await this.#undici.get();
    const isLines = typeof body === 'string';
    const response = await request(`${this.settings.url}${path}`, {
      method,
      signal,
      headers: {
        ...this.#headers,
        ...traceHeaders(),
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': isLines ? 'application/x-ndjson' : 'application/json' }),
      },
      body: body === undefined || isLines ? (body ?? null) : JSON.stringify(body),
    });
    const text = await textOf(response.body as AsyncIterable<Uint8Array>);
    const { statusCode: status } = response;
    if (status >= 200 && status < 300) return parsed(text);
    const isJson = String(response.headers['content-type']).includes('json');
    throw failureOfStatus(status, isJson ? errorType(parsed(text)) : 'no_json');
  }
}
