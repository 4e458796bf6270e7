import { createHash } from 'node:crypto';
import { AppError } from '../../../contracts/errors.js';
import type { CachedSchema } from './schema-cache.js';
import { requestError } from './errors/request-error.js';
import type { GraphqlRequest } from './request-body.js';

/** @throws AppError 404 `persisted_query_not_found`; 400 `graphql_request_invalid` if query and hash do not match */
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
    throw requestError('graphql_request_invalid', 'The hash does not match the query.');
  return query;
}

/** Stores a query. Call it after all checks of the text. */
export function persistQuery({ query, persistedHash }: GraphqlRequest, { texts }: CachedSchema): void {
  if (query !== undefined && persistedHash !== undefined) texts.set(persistedHash, query);
}
