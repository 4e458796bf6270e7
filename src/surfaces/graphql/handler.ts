import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../../contracts/errors.js';
import { toAppError } from '../../../contracts/procedure.js';
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
import { callOf } from '../http/exchange.js';
import { offerAnswer } from '../http/cache/cache-offer.js';
import { hideRate } from '../http/rate-headers.js';
import { setFailureHeaders, withRequestId } from '../http/send.js';
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

/** Answers one request to the endpoint of a project. The exchange has begun: `X-Request-Id` is set. */
export type GraphqlHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  projectSlug: string,
) => Promise<void>;

/** One request, its answer under way. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const CACHEABLE = 'public, max-age=60, stale-while-revalidate=3600';

function send({ request, response }: Exchange, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body), 'utf8');
  response.statusCode = status;
  response.setHeader('Content-Type', `${answerMediaType(request.headers.accept)}; charset=utf-8`);
  response.setHeader('Content-Length', bytes.length);
  response.appendHeader('Vary', 'Authorization, Accept-Encoding, Accept');
  response.end(bytes);
}

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

function sendAnswer(exchange: Exchange, answer: GraphqlAnswer, scope: OperationScope): void {
  const { response } = exchange;
  const isGood = answer.errors === undefined;
  const lifetime = seesDrafts(scope.principal) ? 'private, no-store' : CACHEABLE;
  response.setHeader('Cache-Control', isGood ? lifetime : 'no-store');
  if (isGood && lifetime === CACHEABLE) hideRate(response);
  if (isGood) {
    offerAnswer(response, scope, 'graphql');
    response.setHeader('Surrogate-Key', scope.trace.surrogateKey(scope.catalog?.data.project.slug ?? ''));
  }
  send(exchange, 200, answer);
}

/**
 * Makes the handler of `POST /api/graphql/{projectSlug}` (specification 4.2). The key is checked before the body
 * is read, the query before anything is executed; failures before execution carry both styles of decisions 2.30.
 */
export function createGraphqlHandler({ services, logger, limits }: GraphqlHandlerOptions): GraphqlHandler {
  const schemas = new SchemaCache();

  const answer = async (exchange: Exchange, projectSlug: string): Promise<void> => {
    const { request, response } = exchange;
    if (request.method !== 'POST') {
      response.setHeader('Allow', 'POST');
      throw new AppError('method_not_allowed');
    }
    const call = callOf(request, response, 'graphql');
    const scope = await admit(services, call, {
      audience: 'delivery',
      resource: 'entries',
      action: 'read',
      projectSlug,
    });
    const { catalog } = scope;
    if (catalog === null) throw new AppError('project_not_found');
    const query = await readGraphqlRequest(request);
    const project = schemas.of(catalog);
    const log = { logger, requestId: call.requestId };
    const body = await answerQuery(query, {
      project,
      limits,
      isPrivileged: seesDrafts(scope.principal),
      context: contextOf(scope, catalog, { project, limits }),
      mask: (error, cause) => withRequestId(error, cause, log),
    });
    sendAnswer(exchange, body, scope);
  };

  return async (request, response, projectSlug) => {
    try {
      await answer({ request, response }, projectSlug);
    } catch (cause) {
      const requestId = String(response.getHeader('X-Request-Id') ?? '');
      const error = withRequestId(toAppError(cause), cause, { logger, requestId });
      const isCredentialSent = request.headers.authorization !== undefined;
      setFailureHeaders(response, error, { realm: 'graphql', isCredentialSent });
      send({ request, response }, error.status, refusalBody(error));
    }
  };
}
