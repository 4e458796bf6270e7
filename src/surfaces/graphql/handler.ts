import { AppError } from '../../../contracts/errors.js';
import type { OperationMeta } from '../../../contracts/metadata.js';
import { seesDrafts } from '../../access/principal.js';
import type { Catalog } from '../../content/catalog.js';
import type { DocumentSource, RouteSource } from '../../features/delivery/index.js';
import type { Logger } from '../../infrastructure/logger.js';
import {
  admit,
  deliveryRead,
  mapDatabaseErrors,
  type OperationScope,
  type Services,
} from '../../procedures/index.js';
import { NO_STORE, type Answer, type HeaderList } from '../http/answer.js';
import { callOf, type Exchange } from '../http/exchange.js';
import { failureHeaders, publicError, withRequestId } from '../http/failure-answer.js';
import { answerQuery, type GraphqlAnswer } from './execute-request.js';
import { ReadContext } from './reads/read-context.js';
import { ReadQueue } from './loaders/read-queue.js';
import { answerMediaType } from './media-type.js';
import { SchemaCache, type CachedSchema } from './schema-cache.js';
import { refusalBody } from './errors/request-error.js';
import { readGraphqlRequest } from './request-body.js';
import type { QueryLimits } from './limits/query-limits.js';

/** What the handler works with. */
export interface GraphqlHandlerOptions {
  readonly services: Services;
  readonly logger: Logger;
  readonly limits: QueryLimits;
}

/** Answers one request to the endpoint of a project; it never rejects. */
export type GraphqlHandler = (exchange: Exchange, projectSlug: string) => Promise<Answer>;

/** What admission is asked for. */
const operation: OperationMeta = { audience: 'delivery', resource: 'entries', action: 'read' };

const CACHEABLE: HeaderList = ['Cache-Control', 'public, max-age=60, stale-while-revalidate=3600'];
const PRIVATE: HeaderList = ['Cache-Control', 'private, no-store'];

/** An answer in the media type that the caller accepts. */
const inMediaType = (
  { request }: Exchange,
  { json, ...rest }: Omit<Answer, 'body'> & { readonly json: unknown },
): Answer => ({
  ...rest,
  headers: [...rest.headers, 'Vary', 'Authorization, Accept-Encoding, Accept'],
  body: {
    text: JSON.stringify(json),
    mediaType: `${answerMediaType(request.headers.accept)}; charset=utf-8`,
  },
});

/** A few reads at once, and database failures as ours, whichever read meets them. */
function guarded(source: DocumentSource, queue: ReadQueue): DocumentSource {
  const read = <T>(what: () => Promise<T>): Promise<T> => mapDatabaseErrors(() => queue.run(what));
  return {
    isPreview: source.isPreview,
    byIds: (ids, locales) => read(() => source.byIds(ids, locales)),
    bySlug: (query) => read(() => source.bySlug(query)),
    list: (query) => read(() => source.list(query)),
  };
}

const guardedRoutes = (routes: RouteSource): RouteSource => ({
  entryAt: (query) => mapDatabaseErrors(() => routes.entryAt(query)),
  redirectAt: (question) => mapDatabaseErrors(() => routes.redirectAt(question)),
});

function contextOf(
  scope: OperationScope,
  catalog: Catalog,
  parts: { project: CachedSchema; limits: QueryLimits },
): ReadContext {
  const queue = new ReadQueue();
  return new ReadContext({
    catalog,
    trace: scope.trace,
    typeNames: parts.project.typeNames,
    maxReferenceDepth: parts.limits.maxReferenceDepth,
    seesDrafts: seesDrafts(scope.principal),
    source: (wantsDrafts) => guarded(deliveryRead(scope, wantsDrafts).source, queue),
    routes: guardedRoutes(deliveryRead(scope).routes),
  });
}

function resultAnswer(exchange: Exchange, result: GraphqlAnswer, scope: OperationScope): Answer {
  if (result.errors !== undefined)
    return inMediaType(exchange, { status: 200, headers: NO_STORE, json: result });
  const isPublic = !seesDrafts(scope.principal);
  const key = scope.trace.surrogateKey(scope.catalog?.data.project.slug ?? '');
  const headers = [...(isPublic ? CACHEABLE : PRIVATE), 'Surrogate-Key', key];
  return inMediaType(exchange, { status: 200, headers, json: result, isPublic, delivery: scope });
}

/** A failure before execution, in both styles of decisions 2.30. */
function failureOf(exchange: Exchange, failure: unknown, headers: HeaderList = []): Answer {
  const error = publicError(exchange, failure);
  return inMediaType(exchange, {
    status: error.status,
    headers: [...failureHeaders(exchange, error), ...headers],
    json: refusalBody(error),
  });
}

/**
 * Makes the handler of `POST /api/graphql/{projectSlug}` (specification 4.2). The key is checked before the body is
 * read, and the query before anything is executed.
 */
export function createGraphqlHandler({ services, logger, limits }: GraphqlHandlerOptions): GraphqlHandler {
  const schemas = new SchemaCache();

  const answer = async (exchange: Exchange, projectSlug: string): Promise<Answer> => {
    const call = callOf(exchange, 'graphql');
    const scope = await admit(services, call, { operation, projectSlug });
    const { catalog } = scope;
    if (catalog === null) throw new AppError('project_not_found');
    const query = await readGraphqlRequest(exchange);
    const project = schemas.of(catalog);
    const log = { logger, requestId: call.requestId };
    const result = await answerQuery(query, {
      project,
      limits,
      isPrivileged: seesDrafts(scope.principal),
      context: contextOf(scope, catalog, { project, limits }),
      mask: (error, cause) => withRequestId(error, cause, log),
    });
    return resultAnswer(exchange, result, scope);
  };

  return async (exchange, projectSlug) => {
    if (exchange.request.method !== 'POST')
      return failureOf(exchange, new AppError('method_not_allowed'), ['Allow', 'POST']);
    try {
      return await answer(exchange, projectSlug);
    } catch (failure) {
      return failureOf(exchange, failure);
    }
  };
}
