import type { IncomingMessage } from 'node:http';
import { isLegacyRequest } from '@modelcontextprotocol/server';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { isJsonContentType } from '@modelcontextprotocol/sdk/shared/mediaType.js';
import {
  isJSONRPCRequest,
  JSONRPCMessageSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';
import { AppError, invalidInput, type InputIssue } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { parseBody, readBytes } from '../http/read-body.js';
import { RpcFailure, rpcCodes, rpcFailureOf, type ToolOffer } from './tools.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { BoundOperation, Call, Services } from '../../procedures/index.js';
import { agentServer, type AgentInterface } from './mcp-server.js';
import { answerFrom, answerPerRequest, type Subscription } from './per-request-server.js';
import type { HttpAnswer } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';

interface ReadMessage {
  readonly message: unknown;
  /** Why the arguments of a tool call were rejected; `message` then has none. */
  readonly refusal?: AppError;
}

const isMessage = (one: unknown): boolean => JSONRPCMessageSchema.safeParse(one).success;

const malformed = () => new RpcFailure(rpcCodes.parseError, 'Parse error: the body is not valid JSON.');

function parseLoosely(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    throw malformed();
  }
}

/** If only the arguments of a tool call are invalid, the issues become the tool's result (rule mcp/results). */
function withoutArguments(bytes: Uint8Array, refusal: AppError): ReadMessage {
  const { issues } = refusal.details as { issues: readonly InputIssue[] };
  const message = parseLoosely(bytes) as { method?: unknown; params?: object } | null;
  const isOfArguments = issues.every(({ path }) => path[0] === 'params' && path[1] === 'arguments');
  if (!isOfArguments || message?.method !== 'tools/call') throw rpcFailureOf(refusal);
  return {
    message: { ...message, params: { ...message.params, arguments: {} } },
    refusal: invalidInput(...issues.map((issue) => ({ ...issue, path: issue.path.slice(2) }))),
  };
}

async function parse(bytes: Uint8Array): Promise<ReadMessage> {
  try {
    return { message: await parseBody(bytes) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'validation_failed') return withoutArguments(bytes, error);
    throw error.code === 'invalid_json' ? malformed() : error;
  }
}

/** A message that is valid but for its parameters. */
function hasWrongParams(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || !('params' in message)) return false;
  const { params: _params, ...rest } = message;
  return !isMessage(message) && isMessage(rest);
}

/** Ids in a batch must be unique to match responses. */
function assertMessages(message: unknown): void {
  const messages = Array.isArray(message) ? (message as unknown[]) : [message];
  const ids = messages.filter((one) => isJSONRPCRequest(one)).map(({ id }) => id);
  if (messages.some(hasWrongParams))
    throw new RpcFailure(rpcCodes.invalidParams, 'Invalid parameters: params must be an object.');
  const isValid = messages.length > 0 && messages.every(isMessage);
  if (!isValid || new Set(ids).size !== ids.length) {
    throw new RpcFailure(rpcCodes.invalidRequest, 'Invalid request: the body is not a JSON-RPC 2.0 message.');
  }
}

/**
 * @throws RpcFailure −32700 for invalid JSON, −32602 for parameters that are not an object, −32600 for an invalid message or a value that cannot be kept exactly
 * @throws AppError `unsupported_media_type`, `payload_too_large`
 */
export async function readMessage(request: IncomingMessage): Promise<ReadMessage> {
  if (!isJsonContentType(request.headers['content-type'])) throw new AppError('unsupported_media_type');
  const read = await parse(await readBytes(request, limits.requestBodyBytes));
  assertMessages(read.message);
  return read;
}

export interface McpExchange {
  readonly exchange: Exchange;
  readonly call: Call;
  readonly projectSlug: string;
}

/** A POST of a caller who may use some tools. */
interface AgentMessage extends McpExchange {
  readonly tools: ToolOffer;
}

interface Parts {
  readonly services: Services;
  readonly logger: Logger;
  readonly agent: AgentInterface;
  readonly operations: readonly BoundOperation[];
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
 * The transport's request, with the headers that the protocol reads. Every response to a message but a subscription is JSON, so accepting
 * JSON suffices; the transport would also require event streams.
 */
function transportRequest({ headers }: IncomingMessage): Request {
  const ofProtocol = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'));
  return new Request('http://localhost/', {
    method: 'POST',
    headers: {
      ...Object.fromEntries(ofProtocol.map(([name, value]) => [name, String(value)])),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
  });
}

async function answerOf(transported: Request, parsedBody: unknown, server: Server): Promise<HttpAnswer> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    return await answerFrom(await transport.handleRequest(transported, { parsedBody }));
  } finally {
    await server.close();
  }
}

/**
 * Responds to a POST of any revision with its own server and transport, so any instance can handle any call. @throws
 * RpcFailure, AppError when the body is not a message
 */
export async function answerMessage(
  { exchange: { request }, call, projectSlug, tools }: AgentMessage,
  parts: Parts,
): Promise<HttpAnswer | Subscription> {
  if (!accepts(request, /\*\/\*|application\/(?:\*|json)/i, true)) {
    throw new AppError('not_acceptable', undefined, 'Send Accept: application/json, text/event-stream.');
  }
  const { agent, services, logger, operations } = parts;
  const { message, refusal } = await readMessage(request);
  const session = { services, logger, call, projectSlug, tools, operations, refusal };
  const transported = transportRequest(request);
  return (await isLegacyRequest(transported, message))
    ? answerOf(transported, message, agentServer(agent, session))
    : answerPerRequest(transported, message, { agent, session });
}
