import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { AppError } from '../../../contracts/errors.js';
import type { OperationMeta } from '../../../contracts/metadata.js';
import type { Principal } from '../../access/principal.js';
import type { Logger } from '../../infrastructure/logger.js';
import {
  assertProjectAccess,
  issuerOf,
  type BoundOperation,
  type Call,
  type IdentifiedCaller,
  type Services,
} from '../../procedures/index.js';
import type { HttpAnswer } from '../http/answer.js';
import { holderOf, staysAdmitted, watchAccess } from '../http/event-stream.js';
import { callOf, type Exchange } from '../http/exchange.js';
import { failureAnswer } from '../http/failure-answer.js';
import { agentInterface } from './mcp-server.js';
import { accepts, answerMessage, assertProtocolVersion, type McpExchange } from './handle-message.js';
import { EventStreams, type StreamOwner } from './event-streams.js';
import type { Subscription } from './per-request-server.js';
import { RpcFailure, rpcFailureAnswer, chosenToolsets } from './tools.js';

interface KnownOrigins {
  readonly allowedOrigins: readonly string[];
  /** Public URL of the service; empty if unknown. */
  readonly baseUrl: string;
}

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/** The owner of a name can point it here; an IP address or `localhost` cannot be rebound. */
function isFixed(hostname: string): boolean {
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

/**
 * Rejects requests of foreign pages: an `Origin` must be the public URL of the service, an allowed origin or, if the
 * service is called by IP address or as `localhost`, that host. A `Host` equal to the origin proves nothing, because
 * a page whose name was rebound to this machine sends the same. Pages always send the header.
 * @throws AppError `origin_not_allowed`
 */
export function assertOrigin({ headers }: IncomingMessage, { allowedOrigins, baseUrl }: KnownOrigins): void {
  const { origin, host } = headers;
  if (origin === undefined || allowedOrigins.includes(origin)) return;
  const page = urlOf(origin);
  if (page !== undefined && page.origin === urlOf(baseUrl)?.origin) return;
  if (page !== undefined && isFixed(page.hostname) && page.host === host?.toLowerCase()) return;
  throw new AppError('origin_not_allowed');
}

export interface McpHandlerOptions {
  readonly services: Services;
  readonly operations: readonly BoundOperation[];
  readonly logger: Logger;
  /** Origins of pages that may call, besides the service's own URL. */
  readonly allowedOrigins: readonly string[];
  /** Version of the service, reported to clients. */
  readonly version?: string;
  readonly pingMilliseconds?: number;
}

/** The MCP endpoint, `/api/mcp/{projectSlug}`. */
export interface McpHandler {
  /** Returns undefined when it opened an event stream. */
  handle(exchange: Exchange, projectSlug: string): Promise<HttpAnswer | undefined>;
  close(): void;
}

/** A refusal names where the host finds the authorization server (RFC 9728). */
function enteringCall(exchange: Exchange, services: Services, projectSlug: string): Call {
  const call = callOf(exchange, 'mcp');
  // What cannot be a project may be a key in the wrong place.
  const path = /^[a-z0-9-]{1,63}$/.test(projectSlug) ? `/api/mcp/${projectSlug}` : '';
  exchange.resourceMetadata = `${issuerOf(services, call)}/.well-known/oauth-protected-resource${path}`;
  return call;
}

/** Admission checks only the credential; tools check the rest. */
const credential: OperationMeta = { audience: 'management', resource: 'entries', action: 'read' };

/** Every caller of MCP is a key. */
function ownerOf(principal: Principal): StreamOwner {
  if (principal.kind !== 'api_key') throw new AppError('unauthorized');
  return { keyId: principal.id, tenantId: principal.tenantId };
}

/** @throws AppError 400 `unknown_toolset` */
function toolsetsOf({ url = '' }: IncomingMessage, { principal }: IdentifiedCaller) {
  return chosenToolsets(url, principal.kind === 'api_key' ? principal.toolsets : []);
}

interface Entrance {
  readonly services: Services;
  readonly streams: EventStreams;
  enter(call: Call, projectSlug: string): Promise<IdentifiedCaller>;
}

interface Listening extends McpExchange {
  readonly caller: IdentifiedCaller;
  readonly subscription?: Subscription;
}

/** @throws AppError `not_acceptable`, else as {@link EventStreams.open} */
async function openStream({ services, streams, enter }: Entrance, listening: Listening): Promise<undefined> {
  const { exchange, call, projectSlug, caller, subscription } = listening;
  const { request, response } = exchange;
  if (!accepts(request, /text\/event-stream/i, false)) throw new AppError('not_acceptable');
  const isAuthorized = () => staysAdmitted(enter(call, projectSlug));
  const place = { projectSlug, environmentId: caller.catalog?.data.environment.id ?? '' };
  exchange.prepareResponse();
  const holder = holderOf(caller.principal, services.clock);
  const watch = (check: () => void) => watchAccess(services.live, holder, check);
  const stream = { response, place, owner: ownerOf(caller.principal), isAuthorized, watch };
  await streams.open(subscription ? { ...stream, subscription } : stream);
}

/**
 * MCP over streamable HTTP, stateless, for bound operations (rule mcp/transport). HTTP 401 and 403 concern only
 * the credential; a tool's rejection is a tool result.
 */
export function createMcpHandler(options: McpHandlerOptions): McpHandler {
  const { services, logger } = options;
  const parts = { ...options, agent: agentInterface(options.operations, options.version ?? '1') };
  const { pingMilliseconds } = options;
  const streams = new EventStreams({
    logger,
    ...(pingMilliseconds !== undefined && { pingMilliseconds }),
    revisionOf: async ({ projectSlug, environmentId }) =>
      (await services.catalogs.find(projectSlug, environmentId))?.data.revision,
  });

  const enter: Entrance['enter'] = (call, projectSlug) =>
    assertProjectAccess(services, call, { operation: credential, projectSlug });
  const entrance = { services, streams, enter };

  const answer = async (call: McpExchange): Promise<HttpAnswer | undefined> => {
    const { request } = call.exchange;
    assertOrigin(request, { allowedOrigins: options.allowedOrigins, baseUrl: services.baseUrl });
    const caller = await enter(call.call, call.projectSlug);
    const chosen = toolsetsOf(request, caller);
    if (request.method === 'GET') {
      assertProtocolVersion(request);
      return openStream(entrance, { ...call, caller });
    }
    const answered = await answerMessage({ ...call, tools: parts.agent.tools.offer(chosen) }, parts);
    if (!('frames' in answered)) return answered;
    try {
      return await openStream(entrance, { ...call, caller, subscription: answered });
    } catch (error) {
      answered.end();
      throw error;
    }
  };

  return {
    async handle(exchange, projectSlug) {
      const { method } = exchange.request;
      const call = enteringCall(exchange, services, projectSlug);
      if (method !== 'GET' && method !== 'POST')
        return failureAnswer(exchange, new AppError('method_not_allowed'), ['Allow', 'GET, POST']);
      try {
        return await answer({ exchange, call, projectSlug });
      } catch (error) {
        if (error instanceof RpcFailure) return rpcFailureAnswer(error);
        throw error;
      }
    },
    close: () => streams.close(),
  };
}
