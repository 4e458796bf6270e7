import { AppError } from '../../../contracts/errors.js';
import { seesDrafts } from '../../access/principal.js';
import type { Logger } from '../../infrastructure/logger.js';
import {
  admit,
  previewInto,
  type BoundOperation,
  type OperationScope,
  type Services,
} from '../../procedures/index.js';
import { NO_STORE, type Answer, type HeaderList } from '../http/answer.js';
import { callOf, type Exchange } from '../http/exchange.js';
import { failureHeaders, publicError, withRequestId } from '../http/failure-answer.js';
import { requestErrorBody } from './errors/request-error.js';
import { executeRequest, type GraphqlResult } from './execute-request.js';
import type { QueryLimits } from './limits/query-limits.js';
import { responseMediaType, readGraphqlRequest, type GraphqlRequest } from './request-body.js';
import { RequestReads } from './reads/request-reads.js';
import { rootOperationsOf } from './system/root-contracts.js';
import { SchemaCache } from './schema-cache.js';

export interface GraphqlHandlerOptions {
  readonly services: Services;
  readonly operations: readonly BoundOperation[];
  readonly logger: Logger;
  readonly limits: QueryLimits;
}

/** Never rejects. */
export type GraphqlHandler = (exchange: Exchange, projectSlug: string) => Promise<Answer>;

const CACHEABLE: HeaderList = ['Cache-Control', 'public, max-age=60, stale-while-revalidate=3600'];
const PRIVATE: HeaderList = ['Cache-Control', 'private, no-store'];

const PREVIEW_TOKEN = 'X-Preview-Token';

/** The header wins over the extension. */
function previewTokenOf({ request }: Exchange, { previewToken }: GraphqlRequest): string | undefined {
  const header = request.headers[PREVIEW_TOKEN.toLowerCase()];
  return typeof header === 'string' ? header : previewToken;
}

const inMediaType = (
  { request }: Exchange,
  { json, ...rest }: Omit<Answer, 'body'> & { readonly json: unknown },
): Answer => ({
  ...rest,
  headers: [...rest.headers, 'Vary', `Authorization, Accept-Encoding, Accept, ${PREVIEW_TOKEN}`],
  body: {
    text: JSON.stringify(json),
    mediaType: `${responseMediaType(request.headers.accept)}; charset=utf-8`,
  },
});

function resultAnswer(exchange: Exchange, result: GraphqlResult, scope: OperationScope): Answer {
  if (result.errors !== undefined)
    return inMediaType(exchange, { status: 200, headers: NO_STORE, json: result });
  const isPublic = !scope.trace.isPreview;
  const key = scope.trace.surrogateKey(scope.catalog?.data.project.slug ?? '');
  const headers = [...(isPublic ? CACHEABLE : PRIVATE), 'Surrogate-Key', key];
  return inMediaType(exchange, { status: 200, headers, json: result, isPublic, delivery: scope });
}

/** A failure before execution (rule graphql/failures). */
function failureOf(exchange: Exchange, failure: unknown, headers: HeaderList = []): Answer {
  const error = publicError(exchange, failure);
  return inMediaType(exchange, {
    status: error.status,
    headers: [...failureHeaders(exchange, error), ...headers],
    json: requestErrorBody(error),
  });
}

/**
 * Serves `POST /api/graphql/{projectSlug}` (rule graphql/endpoint). Admits before reading the body, and checks the
 * query before executing.
 */
export function createGraphqlHandler(options: GraphqlHandlerOptions): GraphqlHandler {
  const { services, logger, limits } = options;
  const schemas = new SchemaCache();
  const root = rootOperationsOf(options.operations);

  const answer = async (exchange: Exchange, projectSlug: string): Promise<Answer> => {
    const call = callOf(exchange, 'graphql');
    const admitted = await admit(services, call, { operation: root.gate, projectSlug });
    if (admitted.catalog === null) throw new AppError('project_not_found');
    const query = await readGraphqlRequest(exchange);
    const isPrivileged = seesDrafts(admitted.principal);
    // Even a result without root fields depends on it.
    if (isPrivileged) admitted.trace.markPreview();
    const token = previewTokenOf(exchange, query);
    const { scope, catalog } =
      token === undefined
        ? { scope: admitted, catalog: admitted.catalog }
        : await previewInto(admitted, token);
    const project = schemas.of(catalog);
    const log = { logger, requestId: call.requestId };
    const result = await executeRequest(query, {
      project,
      limits,
      isPrivileged,
      context: new RequestReads({
        operations: root.operations,
        scope,
        catalog,
        typeNames: project.typeNames,
        maxReferenceDepth: limits.maxReferenceDepth,
      }),
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
