import { createHash } from 'node:crypto';
import { AppError } from '../../../contracts/errors.js';
import type { CachedSchema } from './schema-cache.js';
import { refusal } from './errors/request-error.js';
import type { GraphqlRequest } from './request-body.js';

/**
 * The document that a request asks for: its own, or the one persisted under its hash.
 * @throws AppError 404 `persisted_query_not_found` where the text must be sent once more; 400
 * `graphql_request_invalid` where text and hash do not belong together
 */
export function queryTextOf({ query, persistedHash }: GraphqlRequest, { texts }: CachedSchema): string {
  if (query === undefined) {
    const known = texts.get(persistedHash ?? '');
    if (known === undefined) throw new AppError('persisted_query_not_found');
    return known;
  }
  if (
    persistedHash !== undefined &&
    createHash('sha256').update(query, 'utf8').digest('hex') !== persistedHash
  )
    throw refusal('graphql_request_invalid', 'The hash is not that of the query.');
  return query;
}

/** Keeps a query for callers that send its hash alone; call it when the query has passed every check of its text. */
export function persistQuery({ query, persistedHash }: GraphqlRequest, { texts }: CachedSchema): void {
  if (query !== undefined && persistedHash !== undefined) texts.set(persistedHash, query);
}
