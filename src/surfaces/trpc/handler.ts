import type { IncomingMessage } from 'node:http';
import { nodeHTTPRequestHandler, type NodeHTTPRequest } from '@trpc/server/adapters/node-http';
import { AppError, failureBody, invalidInput } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { toAppError } from '../../../contracts/procedure.js';
import { parseExactJson } from '../../content/exact-json/exact-json.js';
import type { Logger } from '../../infrastructure/logger.js';
import { appRouter, CallContext, type Services } from '../../procedures/index.js';
import { jsonAnswer, type Answer } from '../http/answer.js';
import { callOf, type Exchange } from '../http/exchange.js';
import { failureHeaders } from '../http/failure-answer.js';
import { readBytes } from '../http/read-body.js';

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

/** The request with its input checked as on every surface, whether it comes in the URL or as a body. */
async function checkedRequest(request: IncomingMessage, path: string): Promise<NodeHTTPRequest> {
  if (path.split(',').length > MAXIMUM_BATCH)
    throw new AppError('invalid_request', { maximumBatch: MAXIMUM_BATCH });
  const inUrl = /[?&]input=([^&]*)/.exec(request.url ?? '')?.[1];
  if (inUrl !== undefined) parseExactJson(exactText(inUrl));
  if (request.method !== 'POST') return request;
  const bytes = await readBytes(request, limits.requestBodyBytes);
  if (bytes.length > 0) parseExactJson(bytes);
  return Object.assign(request, { body: bytes.toString('utf8') });
}

/** A failure before the procedure is known, in the form that tRPC clients read. */
function refusalOf(exchange: Exchange, error: AppError): Answer {
  const { error: code, message, details } = failureBody(error);
  const data = { code: 'BAD_REQUEST', httpStatus: error.status, error: code, details };
  const json = { error: { message, code: INVALID_REQUEST, data } };
  return jsonAnswer(error.status, json, failureHeaders(exchange, error));
}

/** The name of a request in log and metrics; its path may be anything. */
function operationOf(path: string): string {
  if (path.includes(',')) return 'batch';
  return Object.hasOwn(appRouter._def.procedures, path) ? path : 'none';
}

/**
 * Serves tRPC over HTTP, whose adapter writes the response; returns an answer where the request is refused before.
 * @param path the procedure's name, or several separated by commas
 */
export async function serveTrpc(
  exchange: Exchange,
  path: string,
  { services, logger }: TrpcOptions,
): Promise<Answer | undefined> {
  const { request, response, requestId } = exchange;
  let checked: NodeHTTPRequest;
  try {
    checked = await checkedRequest(request, path);
  } catch (error) {
    return refusalOf(exchange, toAppError(error));
  }
  const context = new CallContext(services, callOf(exchange, 'trpc'));
  exchange.record.operation = operationOf(path);
  exchange.prepareResponse();
  response.setHeader('Cache-Control', 'no-store');
  await nodeHTTPRequestHandler({
    req: checked,
    res: response,
    path,
    router: appRouter,
    createContext: () => Promise.resolve(context),
    onError: ({ error }) => {
      if (toAppError(error).code === 'internal_error')
        logger.error({ requestId, err: error.cause ?? error }, 'unexpected failure');
    },
    responseMeta: ({ errors }) => {
      const refusal = errors.map(toAppError).find(({ status }) => [401, 403, 429, 503].includes(status));
      if (refusal !== undefined) exchange.setHeaders(failureHeaders(exchange, refusal));
      return {};
    },
  });
  return undefined;
}
