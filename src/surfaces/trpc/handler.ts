import type { IncomingMessage, ServerResponse } from 'node:http';
import { nodeHTTPRequestHandler, type NodeHTTPRequest } from '@trpc/server/adapters/node-http';
import { AppError, failureBody, invalidInput } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { toAppError } from '../../../contracts/procedure.js';
import { parseExactJson } from '../../content/exact-json/exact-json.js';
import type { Logger } from '../../infrastructure/logger.js';
import { appRouter, CallContext, type Services } from '../../procedures/index.js';
import { callOf } from '../http/exchange.js';
import { readBytes } from '../http/read-body.js';
import { noteOf } from '../http/request-note.js';
import { sendJson, setFailureHeaders } from '../http/send.js';

/** Calls that one HTTP request may batch. */
const MAXIMUM_BATCH = 50;

/** JSON-RPC's code for a request that cannot be taken as it is. */
const INVALID_REQUEST = -32600;

/** What the handler works with. */
export interface TrpcOptions {
  readonly services: Services;
  readonly logger: Logger;
}

function exactText(parameter: string): Uint8Array {
  try {
    return Buffer.from(decodeURIComponent(parameter.replace(/\+/g, ' ')), 'utf8');
  } catch {
    throw invalidInput({ path: [], code: 'invalid_encoding', message: 'The input is not valid UTF-8.' });
  }
}

/** Lets input through the gate that every surface shares, whether it comes in the URL or as a body. */
async function guardedRequest(request: IncomingMessage, path: string): Promise<NodeHTTPRequest> {
  if (path.split(',').length > MAXIMUM_BATCH)
    throw new AppError('invalid_request', { maximumBatch: MAXIMUM_BATCH });
  const inUrl = /[?&]input=([^&]*)/.exec(request.url ?? '')?.[1];
  if (inUrl !== undefined) parseExactJson(exactText(inUrl));
  if (request.method !== 'POST') return request;
  const bytes = await readBytes(request, limits.requestBodyBytes);
  if (bytes.length > 0) parseExactJson(bytes);
  return Object.assign(request, { body: bytes.toString('utf8') });
}

/** A failure before any procedure is known, in the form that tRPC clients read. */
function refuse(response: ServerResponse, error: AppError): void {
  const { error: code, message, details } = failureBody(error);
  setFailureHeaders(response, error, { realm: 'trpc', isCredentialSent: true });
  const data = { code: 'BAD_REQUEST', httpStatus: error.status, error: code, details };
  sendJson(response, error.status, { error: { message, code: INVALID_REQUEST, data } });
}

/** What log and metrics call a request; its path may hold anything. */
function operationOf(path: string): string {
  if (path.includes(',')) return 'batch';
  return Object.hasOwn(appRouter._def.procedures, path) ? path : 'none';
}

/**
 * Serves tRPC over HTTP.
 * @param path the procedure's name, or several separated by commas
 */
export async function serveTrpc(
  exchange: { request: IncomingMessage; response: ServerResponse; path: string },
  options: TrpcOptions,
): Promise<void> {
  const { request, response, path } = exchange;
  let guarded: NodeHTTPRequest;
  try {
    guarded = await guardedRequest(request, path);
  } catch (error) {
    refuse(response, toAppError(error));
    return;
  }
  const { services, logger } = options;
  const context = new CallContext(services, callOf(request, response, 'trpc'));
  noteOf(response).operation = operationOf(path);
  response.setHeader('Cache-Control', 'no-store');
  await nodeHTTPRequestHandler({
    req: guarded,
    res: response,
    path,
    router: appRouter,
    createContext: () => Promise.resolve(context),
    onError: ({ error }) => {
      const known = toAppError(error);
      if (known.code === 'internal_error')
        logger.error({ requestId: context.call.requestId, err: error.cause ?? error }, 'unexpected failure');
    },
    responseMeta: ({ errors }) => {
      const refusal = errors.map(toAppError).find(({ status }) => [401, 403, 429, 503].includes(status));
      const isCredentialSent = request.headers.authorization !== undefined;
      if (refusal !== undefined) setFailureHeaders(response, refusal, { realm: 'trpc', isCredentialSent });
      return {};
    },
  });
}
