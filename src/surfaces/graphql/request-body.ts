import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { readJson } from '../http/read-body.js';

/** What a GraphQL request asks. */
export interface GraphqlRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

const invalid = (message: string, details?: unknown): AppError =>
  new AppError('graphql_request_invalid', details, message);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The request in a parsed body. `variables`, `operationName` and `extensions` may be null or left out; other
 * keys are ignored. Batches are refused.
 * @throws AppError 400 `graphql_request_invalid`
 */
function graphqlRequestOf(body: unknown): GraphqlRequest {
  if (Array.isArray(body)) throw invalid('Send one request, not an array of them.');
  if (!isObject(body)) throw invalid('Send a JSON object with "query".');
  const { query, operationName = null, variables = null, extensions = null } = body;
  if (typeof query !== 'string') throw invalid('"query" must be a string.');
  if (operationName !== null && typeof operationName !== 'string')
    throw invalid('"operationName" must be a string.');
  if (variables !== null && !isObject(variables)) throw invalid('"variables" must be an object.');
  if (extensions !== null && !isObject(extensions)) throw invalid('"extensions" must be an object.');
  return { query, operationName: operationName ?? undefined, variables: variables ?? {} };
}

/**
 * Reads the request.
 * @throws AppError 400 `invalid_json`, `graphql_request_invalid`; 413 `payload_too_large`; 415 `unsupported_media_type`
 */
export async function readGraphqlRequest(request: IncomingMessage): Promise<GraphqlRequest> {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new AppError('unsupported_media_type', undefined, 'Send the body in UTF-8.');
  }
  try {
    return graphqlRequestOf(await readJson(request, limits.graphqlBodyBytes));
  } catch (error) {
    // What the gate for values refuses is, before execution, a request of the wrong shape: 400 (decisions 2.30).
    if (error instanceof AppError && error.code === 'validation_failed') {
      throw invalid('The body holds a value that is not accepted.', error.details);
    }
    throw error;
  }
}
