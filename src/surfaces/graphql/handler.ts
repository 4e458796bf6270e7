import { z } from 'zod';
import { AppError, invalidInput, issuesOf } from '../../../contracts/errors.js';
import { future } from '../../../contracts/publishing/delivery/parameters.js';
import { isPrivilegedKey, seesDrafts } from '../../access/principal.js';
import { isPreviewSession } from '../../access/signed-token.js';
import type { Catalog } from '../../content/catalog.js';
import type { Logger } from '../../infrastructure/logger.js';
import {
  admit,
  enterFuture,
  previewInto,
  type AdmissionRequest,
  type BoundOperation,
  type Call,
  type FutureInput,
  type OperationScope,
  type Services,
} from '../../procedures/index.js';
import { NO_STORE, type HttpAnswer, type HeaderList } from '../http/answer.js';
import { isRead, callOf, previewTokenIn, type Exchange } from '../http/exchange.js';
import { failureHeaders, methodNotAllowed, publicError, withRequestId } from '../http/failure-answer.js';
import { requestErrorBody } from './errors/request-error.js';
import { executeRequest, type GraphqlResult } from './execute-request.js';
import type { QueryLimits } from './limits/query-limits.js';
import { queryTextOf, responseMediaType, readGraphqlRequest } from './request-body.js';
import { ContentSources } from './reads/content-sources.js';
import { RequestReads } from './reads/request-reads.js';
import { rootOperationsOf } from './system/root-contracts.js';
import { projectSdl } from './project/build-project-schema.js';
import { SchemaCache } from './schema-cache.js';

export interface GraphqlHandlerOptions {
  readonly services: Services;
  readonly operations: readonly BoundOperation[];
  readonly logger: Logger;
  readonly limits: QueryLimits;
}

export type GraphqlHandler = (exchange: Exchange, projectSlug: string) => Promise<HttpAnswer>;

const CACHEABLE: HeaderList = ['Cache-Control', 'public, max-age=60, stale-while-revalidate=3600'];
const PRIVATE: HeaderList = ['Cache-Control', 'private, no-store'];

const PREVIEW_TOKEN = 'X-Preview-Token';
/** The schema has queries only, so each is safe. */
const METHODS = ['GET', 'HEAD', 'POST', 'QUERY'];
const FutureParameters = z.object(future);

const withSession = (call: Call, token: string | undefined): Call =>
  token !== undefined && isPreviewSession(token) ? { ...call, previewSession: token } : call;

interface QueryCall {
  readonly exchange: Exchange;
  readonly call: Call;
  readonly gate: AdmissionRequest;
}

/** Admits before reading the body, and again with a preview session that only the body names. The header wins. */
async function admitQuery(services: Services, { exchange, call, gate }: QueryCall) {
  const sent = previewTokenIn(exchange.request);
  const entering = await admit(services, withSession(call, sent), gate);
  const query = await readGraphqlRequest(exchange);
  const token = sent ?? query.previewToken;
  const own = sent === undefined ? withSession(call, token) : call;
  return { admitted: own === call ? entering : await admit(services, own, gate), query, token };
}

/** The token of a preview link shows the draft of one entry. */
const readAs = (admitted: OperationScope, catalog: Catalog, token: string | undefined) =>
  token === undefined || isPreviewSession(token)
    ? { scope: admitted, catalog }
    : previewInto(admitted, token);

/** @throws AppError 403 `preview_not_allowed` for published content, `graphql_request_invalid` for another form */
function sourcesOf({ request }: Exchange, isAllowed: boolean): ContentSources | undefined {
  const form = new URLSearchParams(request.url?.split('?')[1]).get('contentSourceMaps');
  if (form === null) return undefined;
  if (form !== 'json' && form !== 'stega')
    throw new AppError('graphql_request_invalid', undefined, '"contentSourceMaps" must be json or stega.');
  if (!isAllowed) throw new AppError('preview_not_allowed');
  return new ContentSources(form);
}

/**
 * What the URL says of the future.
 * @throws AppError 422 `validation_failed`
 */
function futureIn({ request }: Exchange): FutureInput {
  const given = Object.fromEntries(new URLSearchParams(request.url?.split('?')[1]));
  const { data, error } = FutureParameters.safeParse(given);
  if (error !== undefined) throw invalidInput(...issuesOf(error));
  return data;
}

const inMediaType = (
  { request }: Exchange,
  { text, ...rest }: Omit<HttpAnswer, 'body'> & { readonly text: string },
): HttpAnswer => ({
  ...rest,
  headers: [...rest.headers, 'Vary', `Authorization, Accept-Encoding, Accept, ${PREVIEW_TOKEN}`],
  body: {
    text,
    mediaType: `${responseMediaType(request.headers.accept)}; charset=utf-8`,
  },
});

function resultAnswer(exchange: Exchange, result: GraphqlResult, scope: OperationScope): HttpAnswer {
  const { text, hasErrors } = result;
  if (hasErrors) return inMediaType(exchange, { status: 200, headers: NO_STORE, text });
  const isPublic = !scope.trace.isPreview;
  const key = scope.trace.surrogateKey(scope.catalog?.data.project.slug ?? '');
  const headers = [...(isPublic ? CACHEABLE : PRIVATE), 'Surrogate-Key', key];
  const answer = { status: 200, headers, isPublic, isCompressible: true, delivery: scope };
  return inMediaType(exchange, { ...answer, text });
}

/** As Apollo's clients expect it; they send the query next. */
const unknownHash = (exchange: Exchange): HttpAnswer =>
  inMediaType(exchange, {
    status: 200,
    headers: NO_STORE,
    text: JSON.stringify({
      errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
    }),
  });

/** A failure before execution (rule graphql/failures). */
function failureOf(exchange: Exchange, failure: unknown, headers: HeaderList = []): HttpAnswer {
  const error = publicError(exchange, failure);
  return inMediaType(exchange, {
    status: error.status,
    headers: [...failureHeaders(exchange, error), ...headers],
    text: JSON.stringify(requestErrorBody(error)),
  });
}

/**
 * Serves `/api/graphql/{projectSlug}` (rule graphql/endpoint). Admits before reading the body, and checks the query
 * before executing. Its handler never rejects.
 */
export function createGraphqlHandler(options: GraphqlHandlerOptions): GraphqlHandler {
  const { services, logger, limits } = options;
  const schemas = new SchemaCache();
  const root = rootOperationsOf(options.operations);

  const answer = async (exchange: Exchange, projectSlug: string): Promise<HttpAnswer> => {
    const call = callOf(exchange, 'graphql');
    const gate = { operation: root.gate, projectSlug };
    const { admitted, query, token } = await admitQuery(services, { exchange, call, gate });
    if (admitted.catalog === null) throw new AppError('project_not_found');
    const isPrivileged = isPrivilegedKey(admitted.principal);
    const readsDrafts = seesDrafts(admitted.principal);
    // Even a result without root fields depends on it.
    if (readsDrafts) admitted.trace.markPreview();
    const { scope, catalog } = await readAs(admitted, admitted.catalog, token);
    await enterFuture(scope, futureIn(exchange));
    const project = schemas.of(catalog);
    const text = queryTextOf(query, project);
    if (text === undefined) return unknownHash(exchange);
    const log = { logger, requestId: call.requestId };
    const result = await executeRequest(query, {
      text,
      project,
      limits,
      isPrivileged,
      readsDrafts,
      context: new RequestReads({
        operations: root.operations,
        scope,
        catalog,
        typeNames: project.typeNames,
        maxReferenceDepth: limits.maxReferenceDepth,
        sources: sourcesOf(exchange, readsDrafts || scope.mode.preview !== undefined),
      }),
      mask: (error, cause) => withRequestId(error, cause, log),
    });
    return resultAnswer(exchange, result, scope);
  };

  return async (exchange, projectSlug) => {
    if (!METHODS.includes(exchange.request.method ?? ''))
      return failureOf(exchange, new AppError('method_not_allowed'), ['Allow', METHODS.join(', ')]);
    try {
      return await answer(exchange, projectSlug);
    } catch (failure) {
      return failureOf(exchange, failure);
    }
  };
}

/** Serves `GET /api/graphql/{projectSlug}/schema.graphql` to keys that may introspect (rule graphql/introspection). */
export function createSdlHandler({
  services,
  operations,
}: Pick<GraphqlHandlerOptions, 'services' | 'operations'>): GraphqlHandler {
  const { gate: operation } = rootOperationsOf(operations);
  return async (exchange, projectSlug) => {
    if (!isRead(exchange.request.method)) return methodNotAllowed(exchange, ['GET']);
    const { principal, catalog } = await admit(services, callOf(exchange, 'graphql'), {
      operation,
      projectSlug,
    });
    if (catalog === null) throw new AppError('project_not_found');
    if (!isPrivilegedKey(principal)) throw new AppError('introspection_disabled');
    return {
      status: 200,
      headers: [...PRIVATE, 'Vary', 'Authorization, Accept-Encoding'],
      isCompressible: true,
      body: { text: projectSdl(catalog), mediaType: 'text/plain; charset=utf-8' },
    };
  };
}
