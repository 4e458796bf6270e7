import type { ErrorCode } from './operations.js';

export interface ClientOptions {
  /** Address of the service, such as `https://cms.example`. */
  readonly url: string;
  /** API key or session token; absent: as everyone. */
  readonly key?: string | undefined;
  readonly project: string;
  /** Slug of the environment; absent: the one that the key is bound to or has selected. */
  readonly environment?: string | undefined;
  /** Milliseconds that one attempt may take, by default 30,000. */
  readonly timeout?: number | undefined;
  /** How often a call is repeated after a failure that passes, by default 3. */
  readonly retries?: number | undefined;
  /** Responses that are kept and asked for by their `ETag`, by default 200; 0 keeps none. */
  readonly kept?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export interface CallOptions {
  /** Ends the call; what it has begun in the service may happen. */
  readonly signal?: AbortSignal | undefined;
  /** Of a change; by default a new one for each call, so that repeats take effect once. */
  readonly idempotencyKey?: string | undefined;
}

/** `unreachable` is a failure of the network, `unreadable` a response that is not the service's. */
export type FailureCode = ErrorCode | 'unreachable' | 'unreadable';

export class HeadwaterError extends Error {
  override readonly name: string = 'HeadwaterError';
  readonly code: FailureCode;
  /** Of HTTP; 0 without a response. */
  readonly status: number;
  /** What the failure's code says more, such as the issues of `validation_failed`. */
  readonly details: unknown;
  /** Names the request in the log of the service. */
  readonly requestId: string | null;

  constructor(failure: {
    readonly code: FailureCode;
    readonly status: number;
    readonly message: string;
    readonly details?: unknown;
    readonly requestId?: string | null;
    readonly cause?: unknown;
  }) {
    super(failure.message, { cause: failure.cause });
    this.code = failure.code;
    this.status = failure.status;
    this.details = failure.details;
    this.requestId = failure.requestId ?? null;
  }
}

type Input = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A comma separates the values of a list. */
const listText = (values: readonly unknown[]): string =>
  values.map((value) => String(value).replaceAll(',', '\\,')).join(',');

const valueText = (value: unknown): string => {
  if (Array.isArray(value)) return listText(value);
  return isObject(value) ? JSON.stringify(value) : String(value);
};

/** `filter` has a parameter for each field and operator, other objects are JSON. */
function* parametersOf(input: Input): Generator<[string, string]> {
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    if (name !== 'filter' || !isObject(value)) yield [name, valueText(value)];
    else
      for (const [field, operators] of Object.entries(value))
        for (const [operator, operand] of Object.entries(operators as Input))
          if (operand !== undefined) yield [`filter[${field}][${operator}]`, valueText(operand)];
  }
}

/** Where the service takes an `Idempotency-Key`. */
const KEYED = /^\/api\/v1\/(?:projects|platform)\//;

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** Failures that pass. */
const passing: ReadonlySet<number> = new Set([0, 429, 502, 503, 504]);

/** Milliseconds: what the service asks for, else longer each time and not the same for all clients. */
function pauseBefore(attempt: number, response: Response | undefined): number {
  const asked = Number(response?.headers.get('retry-after') ?? 0) * 1000;
  const own = FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2);
  return Math.min(Math.max(Number.isFinite(asked) ? asked : 0, own), LONGEST_PAUSE_MS);
}

function paused(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}

interface Kept {
  readonly tag: string;
  readonly text: string;
}

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

/** Calls operations of one service over REST. */
export class ServiceCalls {
  readonly #options: ClientOptions;
  readonly #fixed: Input;
  readonly #kept = new Map<string, Kept>();

  /** @param fixed values of path parameters that no call names */
  constructor(options: ClientOptions, fixed: Input) {
    this.#options = options;
    this.#fixed = fixed;
  }

  /**
   * @param route `GET /api/…/entries/{id}`
   * @throws HeadwaterError for each failure; what `signal` says if it ends the call
   */
  async call(route: string, input: Input, options: CallOptions): Promise<unknown> {
    const sent = this.#request(route, input, options);
    const { retries = 3 } = this.#options;
    for (let attempt = 0; ; attempt += 1) {
      const { response, failure, value } = await this.#attempt(sent, options.signal);
      if (failure === undefined) return value;
      const isRepeatable = sent.method === 'GET' || 'idempotency-key' in sent.headers;
      if (!isRepeatable || !passing.has(failure.status) || attempt >= retries) throw failure;
      await paused(pauseBefore(attempt, response), options.signal);
    }
  }

  #request(route: string, input: Input, { idempotencyKey }: CallOptions): Sent {
    const { url, key, environment } = this.#options;
    const [method = '', template = ''] = route.split(' ');
    const rest: Record<string, unknown> = { ...input };
    const path = template.replace(/\{(\w+)\}/g, (_match, name: string) => {
      const value = rest[name] ?? this.#fixed[name];
      if (value === undefined) throw new TypeError(`${name} is missing.`);
      delete rest[name];
      return encodeURIComponent(valueText(value));
    });
    const headers: Record<string, string> = { accept: 'application/json' };
    if (key !== undefined) headers.authorization = `Bearer ${key}`;
    if (environment !== undefined) headers['x-environment'] = environment;
    const address = url.replace(/\/+$/, '') + path;
    if (method === 'GET' || method === 'DELETE') {
      const query = new URLSearchParams([...parametersOf(rest)]).toString();
      return { method, url: query === '' ? address : `${address}?${query}`, headers, body: undefined };
    }
    headers['content-type'] = 'application/json';
    if (method === 'POST' && KEYED.test(template))
      headers['idempotency-key'] = idempotencyKey ?? crypto.randomUUID();
    return { method, url: address, headers, body: JSON.stringify(rest) };
  }

  async #attempt(
    sent: Sent,
    signal: AbortSignal | undefined,
  ): Promise<{ response?: Response; failure?: HeadwaterError; value?: unknown }> {
    const { fetch = globalThis.fetch, timeout = 30_000 } = this.#options;
    const kept = sent.method === 'GET' ? this.#kept.get(sent.url) : undefined;
    const headers = kept === undefined ? sent.headers : { ...sent.headers, 'if-none-match': kept.tag };
    const limit = AbortSignal.timeout(timeout);
    const ending = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    let response: Response;
    let text: string;
    try {
      const { method, url, body } = sent;
      response = await fetch(url, { method, headers, signal: ending, ...(body !== undefined && { body }) });
      text = await response.text();
    } catch (cause) {
      signal?.throwIfAborted();
      const message = `${sent.url} cannot be reached.`;
      return { failure: new HeadwaterError({ code: 'unreachable', status: 0, message, cause }) };
    }
    if (response.status === 304 && kept !== undefined) {
      this.#keep(sent.url, kept);
      return { response, value: JSON.parse(kept.text) };
    }
    return { response, ...this.#read(sent, response, text) };
  }

  #read(sent: Sent, response: Response, text: string): { failure?: HeadwaterError; value?: unknown } {
    const { status } = response;
    const requestId = response.headers.get('x-request-id');
    const tag = response.headers.get('etag');
    let value: unknown;
    try {
      value = text === '' ? undefined : JSON.parse(text);
    } catch (cause) {
      const message = `${sent.url} did not return JSON.`;
      return { failure: new HeadwaterError({ code: 'unreadable', status, message, requestId, cause }) };
    }
    if (response.ok) {
      if (sent.method === 'GET' && tag !== null) this.#keep(sent.url, { tag, text });
      return { value };
    }
    const { error = 'unreadable', message, details } = (value ?? {}) as { error?: FailureCode } & Input;
    const said = typeof message === 'string' ? message : `${sent.url} returned ${String(status)}.`;
    return { failure: new HeadwaterError({ code: error, status, message: said, details, requestId }) };
  }

  /** The one that was used last goes last. */
  #keep(url: string, kept: Kept): void {
    this.#kept.delete(url);
    this.#kept.set(url, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > (this.#options.kept ?? 200) && oldest !== undefined) this.#kept.delete(oldest);
  }
}
