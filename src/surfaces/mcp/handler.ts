import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../../contracts/errors.js';
import type { OperationMeta } from '../../../contracts/metadata.js';
import { toAppError } from '../../../contracts/procedure.js';
import type { Logger } from '../../infrastructure/logger.js';
import { assertEntrance, type BoundOperation, type Call, type Services } from '../../procedures/index.js';
import { callOf } from '../http/exchange.js';
import { sendFailure, setFailureHeaders, withRequestId } from '../http/send.js';
import { agentInterface } from './mcp-server.js';
import { accepts, answerMessage, assertProtocolVersion, type Exchange } from './handle-message.js';
import { EventStreams } from './event-streams.js';
import { assertOrigin } from './origin.js';
import { RpcFailure, sendRpcFailure } from './rpc-failure.js';

/** What the agents' endpoint is made of. */
export interface McpHandlerOptions {
  readonly services: Services;
  readonly operations: readonly BoundOperation[];
  readonly logger: Logger;
  /** Origins of pages that may call, beside the service's own address. */
  readonly allowedOrigins: readonly string[];
  /** Version of the service, told to clients. */
  readonly version?: string;
}

/** The agents' endpoint, `/api/mcp/{projectSlug}`. */
export interface McpHandler {
  /** Answers one request; it never rejects. The caller has set `X-Request-Id`. */
  handle(request: IncomingMessage, response: ServerResponse, projectSlug: string): Promise<void>;
  /** Ends the open event streams. */
  close(): void;
}

/** What entering is: the credential is checked, and nothing that the tools check by themselves. */
const entrance: OperationMeta = { audience: 'management', resource: 'entries', action: 'read' };

function refuse(
  { request, response, call }: Omit<Exchange, 'projectSlug'>,
  error: unknown,
  logger: Logger,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (error instanceof RpcFailure) {
    sendRpcFailure(response, error);
    return;
  }
  const failure = withRequestId(toAppError(error), error, { logger, requestId: call.requestId });
  setFailureHeaders(response, failure, {
    realm: 'mcp',
    isCredentialSent: request.headers.authorization !== undefined,
  });
  sendFailure(response, failure);
}

/**
 * Makes the agents' endpoint: streamable HTTP, stateless, over bound operations (specification 4.4).
 * HTTP 401 and 403 speak of the credential only; what a tool refuses is a reply of the tool.
 */
export function createMcpHandler(options: McpHandlerOptions): McpHandler {
  const { services, logger } = options;
  const parts = { ...options, agent: agentInterface(options.operations, options.version ?? '1') };
  const streams = new EventStreams({
    logger,
    revisionOf: async (projectSlug) => (await services.catalogs.find(projectSlug))?.data.revision,
  });

  const enter = (call: Call, projectSlug: string) =>
    assertEntrance(services, call, { ...entrance, projectSlug });

  const openStream = async ({ request, response, call, projectSlug }: Exchange): Promise<void> => {
    if (!accepts(request, /text\/event-stream/i, false)) throw new AppError('not_acceptable');
    assertProtocolVersion(request);
    const isWelcome = () =>
      enter(call, projectSlug).then(
        () => true,
        (error: unknown) => toAppError(error).status >= 500,
      );
    await streams.open({ response, projectSlug, isWelcome });
  };

  const answer = async (exchange: Exchange): Promise<void> => {
    const { request, response, call, projectSlug } = exchange;
    if (request.method !== 'GET' && request.method !== 'POST') {
      response.setHeader('Allow', 'GET, POST');
      throw new AppError('method_not_allowed');
    }
    assertOrigin(request, { allowedOrigins: options.allowedOrigins, baseUrl: services.baseUrl });
    await enter(call, projectSlug);
    await (request.method === 'GET' ? openStream(exchange) : answerMessage(exchange, parts));
  };

  return {
    async handle(request, response, projectSlug) {
      const call = callOf(request, response, 'mcp');
      try {
        await answer({ request, response, call, projectSlug });
      } catch (error) {
        refuse({ request, response, call }, error, logger);
      }
    },
    close: () => streams.close(),
  };
}
