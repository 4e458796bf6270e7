import type { IncomingMessage } from 'node:http';
import { nodeHTTPRequestHandler, type NodeHTTPRequest } from '@trpc/server/adapters/node-http';
import { AppError, failureBody, invalidInput } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { toAppError } from '../../../contracts/procedure.js';
import { parseExactJson } from '../../content/exact-json/exact-json.js';
import type { Logger } from '../../infrastructure/logger.js';
import { appRouter, CallContext, type Services } from '../../procedures/index.js';
import { jsonAnswer, type HttpAnswer } from '../http/answer.js';
import { callOf, type Exchange } from '../http/exchange.js';
import { failureHeaders, withRequestId } from '../http/failure-answer.js';
import { parseBody, readBytes } from '../http/read-body.js';

const MAXIMUM_BATCH = 50;

/** JSON-RPC. */
const INVALID_REQUEST = -32600;

export interface TrpcOptions {
  readonly services: Services;
  readonly logger: Logger;
}

function decodeInput(parameter: string): Uint8Array {
  try {
    return Buffer.from(decodeURIComponent(parameter.replace(/\+/g, ' ')), 'utf8');
  } catch {
    throw invalidInput({ path: [], code: 'invalid_encoding', message: 'The input is not valid UTF-8.' });
  }
}

/** Values of every parameter that tRPC reads as `input`, still encoded: the name can be encoded too. */
function inputsInUrl(url: string): string[] {
  const { search } = new URL(url, 'http://localhost');
  return search
    .slice(1)
    .split('&')
    .filter((pair) => new URLSearchParams(`&${pair}`).has('input'))
    .map((pair) => /=(.*)$/s.exec(pair)?.[1] ?? '');
}

/** Checks the input, in the URL or the body, as on every surface. */
async function checkRequest(request: IncomingMessage, path: string): Promise<NodeHTTPRequest> {
  if (path.split(',').length > MAXIMUM_BATCH)
    throw new AppError('invalid_request', { maximumBatch: MAXIMUM_BATCH });
  for (const input of inputsInUrl(request.url ?? '/')) parseExactJson(decodeInput(input));
  if (request.method !== 'POST') return request;
  const bytes = await readBytes(request, limits.requestBodyBytes);
  if (bytes.length > 0) await parseBody(bytes);
  return Object.assign(request, { body: bytes.toString('utf8') });
}

/** A failure before routing, in tRPC's format. */
function failureOf(exchange: Exchange, error: AppError): HttpAnswer {
  const { error: code, message, details } = failureBody(error);
  const data = { code: 'BAD_REQUEST', httpStatus: error.status, error: code, details };
  const json = { error: { message, code: INVALID_REQUEST, data } };
  return jsonAnswer(error.status, json, failureHeaders(exchange, error));
}

function operationOf(path: string): string {
  if (path.includes(',')) return 'batch';
  return Object.hasOwn(appRouter._def.procedures, path) ? path : 'none';
}

/**
 * Serves tRPC, whose adapter writes the response; returns an answer if it rejects the request first.
 * @param path comma-separated procedures
 */
export async function serveTrpc(
  exchange: Exchange,
  path: string,
  { services, logger }: TrpcOptions,
): Promise<HttpAnswer | undefined> {
  const { request, response, requestId } = exchange;
  let checked: NodeHTTPRequest;
  try {
    checked = await checkRequest(request, path);
  } catch (error) {
    return failureOf(exchange, toAppError(error));
  }
  const context = new CallContext(services, callOf(exchange, 'trpc'));
  const log = { logger, requestId };
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
      withRequestId(toAppError(error), error.cause ?? error, log);
    },
    responseMeta: ({ errors }) => {
      const failure = errors.map(toAppError).find(({ status }) => [401, 403, 429, 503].includes(status));
      if (failure !== undefined) exchange.setHeaders(failureHeaders(exchange, failure));
      return {};
    },
  });
  return undefined;
}
