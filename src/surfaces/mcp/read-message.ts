import type { IncomingMessage } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/sdk/shared/mediaType.js';
import { isJSONRPCRequest, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { AppError, invalidInput, type InputIssue } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { parseBody } from '../http/parse-body.js';
import { readBytes } from '../http/read-body.js';
import { RpcFailure, rpcCodes, rpcFailureOf } from './rpc-failure.js';

export interface ReadMessage {
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

/** If only the arguments of a tool call are invalid, the issues become the tool's result (decisions 2.30). */
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
