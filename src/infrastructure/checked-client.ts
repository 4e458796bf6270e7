import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Agent, buildConnector, request } from 'undici';
import { isAddress, isReachableAddress, type TargetRules } from './webhook-target.js';

export interface CheckedClientOptions extends TargetRules {
  /** Until a socket is connected. */
  readonly timeoutMilliseconds: number;
}

export interface CheckedClient {
  readonly agent: Agent;
  readonly request: typeof request;
}

const KEEP_ALIVE_MILLISECONDS = 4000;
const REFUSED = 'ADDRESS_REFUSED';

const failureNames: Readonly<Record<string, string>> = {
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

/** One word: the failure's own message can name internals. */
export function callFailureName(error: unknown): string {
  const { name, code, cause } = error as { name?: unknown; code?: unknown; cause?: { code?: unknown } };
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout';
  const known = [code, cause?.code].find((value) => typeof value === 'string');
  if (known === undefined) return 'failed';
  return failureNames[known] ?? (/TLS|CERT|SSL|SIGNATURE/.test(known) ? 'tls_failed' : 'failed');
}

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

/** A client for URLs given by users: every address is checked when the socket connects. */
export async function openCheckedClient(options: CheckedClientOptions): Promise<CheckedClient> {
  const { Agent: CheckedAgent, buildConnector: build, request: send } = await import('undici');
  const connect = build({
    lookup: createCheckedLookup(options),
    timeout: options.timeoutMilliseconds,
    allowH2: false,
  });
  const agent = new CheckedAgent({
    connect: createCheckedConnector(options, connect),
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    keepAliveMaxTimeout: KEEP_ALIVE_MILLISECONDS,
    pipelining: 1,
    maxHeaderSize: 16_384,
  });
  return { agent, request: send };
}
