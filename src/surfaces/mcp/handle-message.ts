import type { IncomingMessage } from 'node:http';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '../../../contracts/errors.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { Call, Services } from '../../procedures/index.js';
import { agentServer, type AgentInterface } from './mcp-server.js';
import { NO_STORE, type Answer } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { readMessage } from './read-message.js';
import { RpcFailure, rpcCodes } from './rpc-failure.js';

export interface McpExchange {
  readonly exchange: Exchange;
  readonly call: Call;
  readonly projectSlug: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';

interface Parts {
  readonly services: Services;
  readonly logger: Logger;
  readonly agent: AgentInterface;
}

/** Whether `Accept` allows one of these types; `absent` is the result without the header. */
export const accepts = (request: IncomingMessage, types: RegExp, absent: boolean): boolean =>
  request.headers.accept === undefined ? absent : types.test(request.headers.accept);

/** Rejects unsupported protocol versions, as the transport does on POST. @throws RpcFailure −32600, HTTP 400 */
export function assertProtocolVersion({ headers }: IncomingMessage): void {
  const version = headers['mcp-protocol-version'];
  if (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return;
  throw new RpcFailure(rpcCodes.invalidRequest, 'The protocol version is not supported.', {
    supported: SUPPORTED_PROTOCOL_VERSIONS,
  });
}

/**
 * The transport's request with the headers it reads. Every response is JSON, so accepting JSON suffices; the
 * transport would also require event streams.
 */
function transportRequest(request: IncomingMessage): Request {
  const version = request.headers['mcp-protocol-version'];
  return new Request('http://localhost/', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(typeof version === 'string' && { 'mcp-protocol-version': version }),
    },
  });
}

/**
 * Responds to a POST with its own server and transport, so any instance can handle any call. @throws
 * RpcFailure, AppError when the body is not a message
 */
export async function answerMessage(
  { exchange: { request }, call, projectSlug }: McpExchange,
  parts: Parts,
): Promise<Answer> {
  if (!accepts(request, /\*\/\*|application\/(?:\*|json)/i, true)) {
    throw new AppError('not_acceptable', undefined, 'Send Accept: application/json, text/event-stream.');
  }
  const { agent, services, logger } = parts;
  const { message, refusal } = await readMessage(request);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = agentServer(agent, { services, logger, call, projectSlug, refusal });
  try {
    await server.connect(transport);
    const answer = await transport.handleRequest(transportRequest(request), { parsedBody: message });
    const text = await answer.text();
    return text === ''
      ? { status: answer.status, headers: [...NO_STORE, 'Content-Length', '0'], body: null }
      : { status: answer.status, headers: NO_STORE, body: { text, mediaType: JSON_TYPE } };
  } finally {
    await server.close();
  }
}
