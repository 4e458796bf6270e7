import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { Exchange } from '../http/exchange.js';
import { readJson } from '../http/read-body.js';

/** At least one of `query` and `persistedHash` is set. */
export interface GraphqlRequest {
  readonly query: string | undefined;
  /** SHA-256 in lower-case hex. */
  readonly persistedHash: string | undefined;
  readonly operationName: string | undefined;
  /** `extensions.previewToken`. */
  readonly previewToken: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

const invalid = (message: string, details?: unknown): AppError =>
  new AppError('graphql_request_invalid', details, message);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Apollo's protocol, version 1. */
function persistedHashIn(extensions: Readonly<Record<string, unknown>> | null): string | undefined {
  const persisted = extensions?.persistedQuery ?? null;
  if (persisted === null) return undefined;
  const { version, sha256Hash } = isObject(persisted) ? persisted : {};
  if (version !== 1) throw invalid('"extensions.persistedQuery.version" must be 1.');
  if (typeof sha256Hash !== 'string' || !/^[0-9a-f]{64}$/.test(sha256Hash))
    throw invalid('"extensions.persistedQuery.sha256Hash" must be 64 lower-case hexadecimal digits.');
  return sha256Hash;
}

/** `variables`, `operationName` and `extensions` may be null or absent; other keys are ignored. */
function graphqlRequestOf(body: unknown): GraphqlRequest {
  if (Array.isArray(body)) throw invalid('Batches are not supported. Send one request.');
  if (!isObject(body)) throw invalid('The body must be a JSON object with "query".');
  const { query = null, operationName = null, variables = null, extensions = null } = body;
  if (operationName !== null && typeof operationName !== 'string')
    throw invalid('"operationName" must be a string.');
  if (variables !== null && !isObject(variables)) throw invalid('"variables" must be an object.');
  if (extensions !== null && !isObject(extensions)) throw invalid('"extensions" must be an object.');
  const persistedHash = persistedHashIn(extensions);
  const previewToken = extensions?.previewToken ?? null;
  if (previewToken !== null && typeof previewToken !== 'string')
    throw invalid('"extensions.previewToken" must be a string.');
  const isText = typeof query === 'string';
  if (!isText && (query !== null || persistedHash === undefined)) throw invalid('"query" must be a string.');
  return {
    query: isText ? query : undefined,
    persistedHash,
    operationName: operationName ?? undefined,
    previewToken: previewToken ?? undefined,
    variables: variables ?? {},
  };
}

/**
 * @throws AppError 400 `invalid_json`, `graphql_request_invalid`; 413 `payload_too_large`; 415
 * `unsupported_media_type`
 */
export async function readGraphqlRequest({ request, body }: Exchange): Promise<GraphqlRequest> {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new AppError('unsupported_media_type', undefined, 'The body must be UTF-8.');
  }
  try {
    return graphqlRequestOf(await readJson(request, limits.graphqlBodyBytes, body));
  } catch (error) {
    // Before execution this is a malformed request (decisions 2.30).
    if (error instanceof AppError && error.code === 'validation_failed') {
      throw invalid('The body contains an unsupported value.', error.details);
    }
    throw error;
  }
}
