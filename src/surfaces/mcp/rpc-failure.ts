import type { AppError } from '../../../contracts/errors.js';
import { jsonAnswer, NO_STORE, type Answer } from '../http/answer.js';

/** −32002 is MCP's code for an unknown resource. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
} as const;

/** A protocol failure, not one of a tool. The SDK reads `code`, `message` and `data`. */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure';

  constructor(
    readonly code: (typeof rpcCodes)[keyof typeof rpcCodes],
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** A JSON-RPC error whose `data` is `{error, details?}`. */
export function rpcFailureOf({ code, message, details }: AppError): RpcFailure {
  const rpcCode = code === 'internal_error' ? rpcCodes.internalError : rpcCodes.invalidRequest;
  return new RpcFailure(rpcCode, message, details === undefined ? { error: code } : { error: code, details });
}

/** HTTP 400 with a JSON-RPC error without an id, for an invalid message (rule mcp/results). */
export const rpcFailureAnswer = ({ code, message, data }: RpcFailure): Answer =>
  jsonAnswer(
    400,
    { jsonrpc: '2.0', id: null, error: { code, message, ...(data !== undefined && { data }) } },
    NO_STORE,
  );
