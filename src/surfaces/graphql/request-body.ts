import { isObject } from '../../content/exact-json/is-object.js';
import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { isRead, type Exchange } from '../http/exchange.js';
import { readJson } from '../http/read-body.js';
import { parseExactJson } from '../../content/exact-json/exact-json.js';
import { createHash } from 'node:crypto';
import type { CachedSchema } from './schema-cache.js';
import { requestError } from './errors/request-error.js';

const RESPONSE = 'application/graphql-response+json';
const JSON_TYPE = 'application/json';

/** Weights in an `Accept` header; the highest if repeated. */
function weightsOf(accept: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const range of accept.slice(0, 2000).split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const stated = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = stated === undefined ? 1 : Number(stated.slice(2)) || 0;
    weights.set(name, Math.max(weights.get(name) ?? 0, weight));
  }
  return weights;
}

/**
 * GraphQL's media type only if named and not less preferred than JSON; `negotiator` would also choose it for
 * wildcards.
 */
export function responseMediaType(accept: string | undefined): string {
  const weights = weightsOf(accept ?? '');
  const own = weights.get(RESPONSE) ?? 0;
  return own > 0 && own >= (weights.get(JSON_TYPE) ?? 0) ? RESPONSE : JSON_TYPE;
}

/** At least one of `query` and `persistedHash` is set. */
export interface GraphqlRequest {
  readonly query: string | undefined;
  /** SHA-256 in lower-case hexadecimal digits. */
  readonly persistedHash: string | undefined;
  readonly operationName: string | undefined;
  /** `extensions.previewToken`. */
  readonly previewToken: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

const invalid = (message: string, details?: unknown): AppError =>
  new AppError('graphql_request_invalid', details, message);
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

/** Parameters of a query over GET, each at most once. Others are not of GraphQL. */
const URL_PARAMETERS = ['query', 'operationName', 'variables', 'extensions'] as const;
const JSON_PARAMETERS: ReadonlySet<string> = new Set(['variables', 'extensions']);

function jsonIn(name: string, text: string): unknown {
  try {
    return parseExactJson(Buffer.from(text, 'utf8'));
  } catch (error) {
    if (error instanceof AppError) throw invalid(`"${name}" must be a JSON object.`, error.details);
    throw error;
  }
}

/** An empty parameter counts as absent. */
function requestInUrl(url: string): GraphqlRequest {
  const at = url.indexOf('?');
  const sent = new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
  const named = URL_PARAMETERS.flatMap((name) => {
    const [text = '', second] = sent.getAll(name);
    if (second !== undefined) throw invalid(`"${name}" is sent more than once.`);
    return text === '' ? [] : [[name, JSON_PARAMETERS.has(name) ? jsonIn(name, text) : text] as const];
  });
  return graphqlRequestOf(Object.fromEntries(named));
}

/**
 * @throws AppError 400 `invalid_json`, `graphql_request_invalid`; 413 `payload_too_large`; 415
 * `unsupported_media_type`
 */
export async function readGraphqlRequest({ request, body }: Exchange): Promise<GraphqlRequest> {
  if (isRead(request.method)) return requestInUrl(request.url ?? '');
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new AppError('unsupported_media_type', undefined, 'The body must be UTF-8.');
  }
  try {
    return graphqlRequestOf(await readJson(request, limits.graphqlBodyBytes, body));
  } catch (error) {
    // Before execution this is a malformed request (rule graphql/failures).
    if (error instanceof AppError && error.code === 'validation_failed') {
      throw invalid('The body contains an unsupported value.', error.details);
    }
    throw error;
  }
}

/**
 * Undefined for a hash that is not stored.
 * @throws GraphqlRequestError 400 `graphql_request_invalid` if query and hash do not match
 */
export function queryTextOf(
  { query, persistedHash }: GraphqlRequest,
  { texts }: CachedSchema,
): string | undefined {
  if (query === undefined) return texts.get(persistedHash ?? '');
  if (
    persistedHash !== undefined &&
    createHash('sha256').update(query, 'utf8').digest('hex') !== persistedHash
  )
    throw requestError('graphql_request_invalid', 'The hash does not match the query.');
  return query;
}

/** Stores a query. Call it after all checks of the text. */
export function persistQuery({ query, persistedHash }: GraphqlRequest, { texts }: CachedSchema): void {
  if (query !== undefined && persistedHash !== undefined) texts.set(persistedHash, query);
}
