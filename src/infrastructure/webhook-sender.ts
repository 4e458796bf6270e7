import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import { lazy } from './lazy.js';
import { isAddress } from './public-address.js';
import { isReachableAddress, type TargetRules } from './webhook-target.js';

export interface OutgoingCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface CallOutcome {
  readonly ok: boolean;
  /** Null without a response. */
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** The start of the response body. */
  readonly responseSnippet: string | null;
  /** One word; null on success. */
  readonly error: string | null;
  /** As received. */
  readonly retryAfter: string | null;
}

export interface SenderOptions extends TargetRules {
  /** For the whole call. */
  readonly timeoutMilliseconds: number;
}

const SNIPPET_BYTES = 1024;
const KEEP_ALIVE_MILLISECONDS = 4000;
const REFUSED = 'ADDRESS_REFUSED';

const errorNames: Readonly<Record<string, string>> = {
  [REFUSED]: 'address_refused',
  ENOTFOUND: 'host_not_found',
  EAI_AGAIN: 'host_not_found',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_lost',
  EPIPE: 'connection_lost',
  UND_ERR_SOCKET: 'connection_lost',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
};

const refusal = (): Error => Object.assign(new Error('the address is not public'), { code: REFUSED });

/** Resolves a name once and fails unless every address is permitted. */
function createCheckedLookup(rules: TargetRules): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = addresses ?? [];
      if (error !== null) callback(error, '');
      else if (first === undefined || !addresses.every(({ address }) => isReachableAddress(address, rules)))
        callback(refusal(), '');
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Connects to checked addresses only; a host that is an address is never looked up. */
function createCheckedConnector(
  rules: TargetRules,
  connect: buildConnector.connector,
): buildConnector.connector {
  return (options, callback) => {
    const { hostname } = options;
    if (isAddress(hostname) && !isReachableAddress(hostname, rules)) callback(refusal(), null);
    else connect(options, callback);
  };
}

/** Keeps the failure's own message inside. */
function errorName(error: unknown): string {
  const { name, code, cause } = error as { name?: unknown; code?: unknown; cause?: { code?: unknown } };
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout';
  const known = [code, cause?.code].find((value) => typeof value === 'string');
  if (known === undefined) return 'failed';
  return errorNames[known] ?? (/TLS|CERT|SSL|SIGNATURE/.test(known) ? 'tls_failed' : 'failed');
}

/** Reads only the start of a response, also of one that breaks off. */
async function snippetOf(body: Dispatcher.ResponseData['body']): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      if (length >= SNIPPET_BYTES) break;
    }
  } catch {
    // The status alone decides.
  }
  if (length === 0) return null;
  const text = Buffer.concat(chunks).subarray(0, SNIPPET_BYTES).toString('utf8');
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, ' ').toWellFormed();
}

function statusError(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect_not_followed' : 'unexpected_status';
}

/** Posts to URLs given by users: checks every address when the socket connects and follows no redirects. */
export class WebhookSender {
  /** Loaded with the first call. */
  readonly #client = lazy(async () => {
    const { Agent, buildConnector, request } = await import('undici');
    const { options } = this;
    const lookup = createCheckedLookup(options);
    const connect = buildConnector({ lookup, timeout: options.timeoutMilliseconds, allowH2: false });
    const agent = new Agent({
      connect: createCheckedConnector(options, connect),
      keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
      keepAliveMaxTimeout: KEEP_ALIVE_MILLISECONDS,
      pipelining: 1,
      maxHeaderSize: 16_384,
    });
    return { agent, request };
  });

  constructor(private readonly options: SenderOptions) {}

  get rules(): TargetRules {
    return this.options;
  }

  /** Never rejects: a failure is an outcome. */
  async send({ url, headers, body }: OutgoingCall): Promise<CallOutcome> {
    const { agent, request } = await this.#client.get();
    const started = performance.now();
    const elapsed = (): number => Math.round(performance.now() - started);
    try {
      const response = await request(url, {
        dispatcher: agent,
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(this.options.timeoutMilliseconds),
      });
      const { statusCode } = response;
      const retryAfter = response.headers['retry-after'];
      const responseSnippet = await snippetOf(response.body);
      const error = statusError(statusCode);
      return {
        ...{ ok: error === null, statusCode, durationMs: elapsed(), responseSnippet, error },
        retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
      };
    } catch (error) {
      const nothing = { ok: false, statusCode: null, responseSnippet: null, retryAfter: null };
      return { ...nothing, durationMs: elapsed(), error: errorName(error) };
    }
  }

  async close(): Promise<void> {
    await (await this.#client.current())?.agent.destroy();
  }
}
