import { lazy } from '../lazy.js';
import { NeighbourFailure, type Neighbour, type NeighbourCall } from '../neighbours/neighbour.js';
import { soleNeighbour } from '../neighbours/neighbours.js';
import { traceHeaders } from '../work-context.js';

export class TranslatorFailure extends Error {
  override readonly name = 'TranslatorFailure';

  constructor(
    readonly kind: 'failed' | 'unavailable' | 'timeout',
    /** One word. */
    readonly reason: string,
    cause?: unknown,
  ) {
    super(`translation engine ${kind}: ${reason}`, { cause });
  }
}

/** Fills the targets of XLIFF files. */
export interface Translator {
  /** @throws TranslatorFailure */
  translate(xliff: string): Promise<string>;
}

export interface TranslatorSettings {
  /** Chosen by the operator, so it may name a private address. */
  readonly url: string;
  /** Sent as a bearer token. */
  readonly key?: string | undefined;
  readonly maximumBytes: number;
  readonly timeoutMilliseconds?: number | undefined;
  readonly neighbour?: Neighbour | undefined;
}

const MEDIA_TYPE = 'application/xliff+xml';
const MILLISECONDS = 60_000;
/** The engine is overloaded or being deployed. */
const UNAVAILABLE = new Set([429, 502, 503]);

async function textOf(body: AsyncIterable<Uint8Array>, maximumBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maximumBytes) throw new TranslatorFailure('failed', 'too_large');
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw new TranslatorFailure('failed', 'invalid_encoding', error);
  }
}

function failureOf(error: unknown, signal: AbortSignal): TranslatorFailure {
  if (error instanceof TranslatorFailure) return error;
  if (error instanceof NeighbourFailure && error.reason === 'busy')
    return new TranslatorFailure('unavailable', 'too_many_requests', error);
  if (signal.aborted || error instanceof NeighbourFailure)
    return new TranslatorFailure('timeout', 'timeout', error);
  return new TranslatorFailure('unavailable', 'unreachable', error);
}

/**
 * Posts the file to the engine, which responds with 200 and the same file with a target in each unit. Redirects are not
 * followed: they would pass the key on.
 */
export class HttpTranslator implements Translator {
  readonly #neighbour: Neighbour;
  readonly #undici = lazy(() => import('undici'));

  constructor(private readonly settings: TranslatorSettings) {
    this.#neighbour = settings.neighbour ?? soleNeighbour('translator');
  }

  async translate(xliff: string): Promise<string> {
    let signal = AbortSignal.abort();
    try {
      return await this.#neighbour.call((call) => {
        signal = AbortSignal.timeout(this.settings.timeoutMilliseconds ?? MILLISECONDS);
        return this.#ask(xliff, signal, call);
      });
    } catch (error) {
      throw failureOf(error, signal);
    }
  }

  async #ask(xliff: string, timeout: AbortSignal, call: NeighbourCall): Promise<string> {
    const { url, key, maximumBytes } = this.settings;
    const { request } = await this.#undici.get();
    const { statusCode, body } = await request(url, {
      method: 'POST',
      signal: AbortSignal.any([timeout, call.signal]),
      headersTimeout: 0,
      headers: {
        'content-type': MEDIA_TYPE,
        accept: MEDIA_TYPE,
        ...traceHeaders(),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: xliff,
    });
    if (statusCode === 200) return textOf(body as AsyncIterable<Uint8Array>, maximumBytes);
    await body.dump({ limit: 65_536 });
    const reason = `status_${String(statusCode)}`;
    throw new TranslatorFailure(UNAVAILABLE.has(statusCode) ? 'unavailable' : 'failed', reason);
  }
}
