import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import { AppError } from '../../../contracts/errors.js';
import { lazily, type Lazy } from '../../infrastructure/lazily.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { Metrics } from '../../infrastructure/metrics.js';
import type { Readiness } from '../../infrastructure/readiness.js';
import { appRouter, PublishedGate, type BoundOperation, type Services } from '../../procedures/index.js';
import { createDocs, wantsPage, type Docs, type OfferedKeys } from '../../surfaces/docs/handler.js';
import { beginExchange } from '../../surfaces/http/exchange.js';
import type { TrustedProxies } from '../../surfaces/http/client-address.js';
import { limitConcurrency } from '../../surfaces/http/limit-concurrency.js';
import { sendMetrics } from '../../surfaces/http/metrics-endpoint.js';
import { observeRequests } from '../../surfaces/http/observe-requests.js';
import { noteOf } from '../../surfaces/http/request-note.js';
import { sendJson } from '../../surfaces/http/send.js';
import { sharedHeaderSetter, sharedHeaders } from '../../surfaces/http/shared-headers.js';
import { respondWithFailure } from '../../surfaces/rest/error-response.js';
import { restRoutes, serveRest } from '../../surfaces/rest/router.js';
import { PublishedReads } from '../../surfaces/rest/published-reads.js';
import { methodNotAllowed, type RestOperation } from '../../surfaces/rest/operation.js';
import type { RouteTable } from '../../surfaces/rest/route-table.js';
import { serveTrpc } from '../../surfaces/trpc/handler.js';
import { version } from '../version.js';

/** What the express app is made from. */
export interface AppParts {
  readonly services: Services;
  readonly operations: readonly BoundOperation[];
  readonly logger: Logger;
  readonly dataRegion?: string | undefined;
  readonly mcpAllowedOrigins: readonly string[];
  readonly trustedProxies?: TrustedProxies | undefined;
  readonly queryLimits: {
    readonly maxQueryDepth: number;
    readonly maxComplexity: number;
    readonly maxReferenceDepth: number;
  };
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  /** Requests that may be worked on at once; unset: as many as come. */
  readonly requestsAtOnce?: number | undefined;
  /** False where the process answers nothing but probes and `/metrics`. */
  readonly servesApi: boolean;
  /** Lets whoever sends it read the metrics here; without one they are not served. */
  readonly metricsToken?: string | undefined;
}

/** The request handler and the switch that takes it out of service. */
export interface App {
  readonly handler: RequestListener;
  beginDrain(): void;
  /** Puts keys into the fields of the pages for people, for callers on this machine. */
  offerKeys(keys: OfferedKeys): void;
}

type Serve = (request: IncomingMessage, response: ServerResponse, rest: string) => Promise<void> | void;

type Dispatch = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Serves one path for the given methods. */
function only(methods: readonly string[], serve: Serve): Serve {
  return (request, response, rest) => {
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
    if (!methods.includes(method)) throw methodNotAllowed(response, methods);
    return serve(request, response, rest);
  };
}

/** Liveness says that the process runs; readiness that it can answer and wants to. */
function probes(parts: AppParts, isDraining: () => boolean): Record<string, Serve> {
  const { metrics, metricsToken } = parts;
  return {
    ...(metricsToken !== undefined && {
      '/metrics': only(['GET'], (request, response) =>
        sendMetrics({ request, response }, metrics, metricsToken),
      ),
    }),
    '/healthz': only(['GET'], (_request, response) => {
      sendJson(response, 200, { data: { status: 'ok' } });
    }),
    '/readyz': only(['GET'], async (_request, response) => {
      if (isDraining()) throw new AppError('service_unavailable', { reason: 'draining' });
      const { isReady, checks } = await parts.readiness.look();
      const [reason] = Object.entries(checks).find(([, state]) => state === 'failing') ?? [];
      if (!isReady) throw new AppError('service_unavailable', { reason, checks });
      sendJson(response, 200, { data: { status: 'ready', checks } });
    }),
  };
}

/** Pages and documents by their exact address. */
const pages = (docs: Docs, openApi: Lazy<unknown>): Record<string, Serve> => ({
  '/openapi.json': only(['GET'], async (_request, response) => {
    sendJson(response, 200, await openApi.get());
  }),
  '/docs': only(['GET'], docs.reference),
  '/docs/': only(['GET'], docs.reference),
});

/** Where the files of the pages are. */
const ASSETS = '/docs/assets/';

interface Dispatcher {
  readonly serve: Dispatch;
  /** Answers a read of published content at once, if it can. */
  take?(request: IncomingMessage, response: ServerResponse): boolean;
  offerKeys(keys: OfferedKeys): void;
  closeStreams(): void;
}

/** Serves what answers for the process itself; anything else is the business of others, who answer it. */
function probesOnly(parts: AppParts, isDraining: () => boolean): Dispatcher {
  const exact = new Map(Object.entries(probes(parts, isDraining)));
  return {
    offerKeys: () => undefined,
    closeStreams: () => undefined,
    serve: async (request, response) => {
      const path = (request.url ?? '/').split('?')[0] ?? '/';
      const probe = exact.get(path);
      if (probe === undefined) throw new AppError('service_unavailable', { reason: 'role' });
      Object.assign(noteOf(response), { surface: 'service', operation: path, route: path });
      return probe(request, response, '');
    },
  };
}

/** Gives an answer its id and the headers that all bear; ends it where it is to a preflight. */
type Begin = (request: IncomingMessage, response: ServerResponse) => void;

function beginWith({ dataRegion, trustedProxies }: AppParts): Begin {
  const setShared = sharedHeaderSetter(dataRegion);
  return (request, response) => {
    beginExchange(request, response, trustedProxies);
    setShared(request, response);
  };
}

/** Reads for callers who are known from memory, past everything that the other calls go through. */
function publishedReads(
  { services, logger, dataRegion, trustedProxies = [] }: AppParts,
  routes: RouteTable<RestOperation>,
  begin: Begin,
): PublishedReads {
  return new PublishedReads({
    routes,
    gate: new PublishedGate(services),
    logger,
    trustedProxies,
    commonHeaders: sharedHeaders(dataRegion),
    prepare: begin,
  });
}

/** What a process does not need to begin with, and may never need: loaded and made for whoever asks first. */
function lateParts(parts: AppParts) {
  const { services, operations, logger, queryLimits: limits, mcpAllowedOrigins: allowedOrigins } = parts;
  return {
    graphql: lazily(async () => {
      const { createGraphqlHandler } = await import('../../surfaces/graphql/handler.js');
      return createGraphqlHandler({ services, logger, limits });
    }),
    mcp: lazily(async () => {
      const { createMcpHandler } = await import('../../surfaces/mcp/handler.js');
      return createMcpHandler({ services, operations, logger, version, allowedOrigins });
    }),
    document: lazily(async () => {
      const { buildOpenApiDocument } = await import('../../surfaces/rest/openapi/openapi-document.js');
      return buildOpenApiDocument(appRouter, { version });
    }),
  };
}

/** Hands each request to the surface that its path belongs to. */
function surfacesOf(parts: AppParts, isDraining: () => boolean, begin: Begin): Dispatcher {
  const { services, operations, logger } = parts;
  const { graphql, mcp, document } = lateParts(parts);
  const routes = restRoutes(operations, services);
  const docs = createDocs(ASSETS);
  const asset = only(['GET'], docs.asset);
  const exact = new Map(Object.entries({ ...probes(parts, isDraining), ...pages(docs, document) }));
  const prefixed: readonly (readonly [string, Serve])[] = [
    ['/api/trpc/', (request, response, path) => serveTrpc({ request, response, path }, { services, logger })],
    [
      '/api/graphql/',
      async (request, response, slug) =>
        wantsPage(request)
          ? docs.explorer(request, response)
          : (await graphql.get())(request, response, slug),
    ],
    ['/api/mcp/', async (request, response, slug) => (await mcp.get()).handle(request, response, slug)],
  ];
  const serve: Dispatch = async (request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const probe = exact.get(path);
    if (probe !== undefined) {
      Object.assign(noteOf(response), { surface: 'service', operation: path, route: path });
      return probe(request, response, '');
    }
    if (path.startsWith(ASSETS)) {
      Object.assign(noteOf(response), { surface: 'service', operation: ASSETS, route: ASSETS });
      return asset(request, response, path);
    }
    const surface = prefixed.find(([prefix]) => path.startsWith(prefix));
    if (surface === undefined) return serveRest(routes, request, response);
    Object.assign(noteOf(response), { operation: surface[0], route: `${surface[0]}{…}` });
    return surface[1](request, response, segmentAfter(path, surface[0]));
  };
  const reads = publishedReads(parts, routes, begin);
  return {
    serve,
    take: (request, response) => reads.take(request, response),
    offerKeys: (keys) => {
      docs.offer(keys);
    },
    closeStreams: () => {
      void mcp.made().then((made) => made?.close());
    },
  };
}

const isRead = (url: string): boolean => url.startsWith('/api/delivery/') || url.startsWith('/api/graphql/');

/** Serves reads of published content with the same steps as the express application, but without its routing. */
function directly(logger: Logger, { serve, take }: Dispatcher, begin: Begin): RequestListener {
  return (request, response) => {
    if (take?.(request, response) === true) return;
    begin(request, response);
    if (response.writableEnded) return;
    serve(request, response).catch((failure: unknown) => {
      respondWithFailure({ request, response, logger }, failure);
    });
  };
}

/** The express application: what all surfaces share, then the surfaces, then the envelope for every failure. */
export function createApp(parts: AppParts): App {
  const { logger } = parts;
  const begin = beginWith(parts);
  let isDraining = false;
  const dispatch = parts.servesApi ? surfacesOf : probesOnly;
  const dispatcher = dispatch(parts, () => isDraining, begin);
  const { serve, offerKeys, closeStreams } = dispatcher;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((request: Request, response: Response, next: NextFunction) => {
    begin(request, response);
    if (!response.writableEnded) next();
  });
  app.use((request: Request, response: Response, next: NextFunction) => {
    serve(request, response).catch(next);
  });
  // eslint-disable-next-line max-params -- express knows an error handler by its four parameters
  app.use((failure: unknown, request: Request, response: Response, _next: NextFunction) => {
    respondWithFailure({ request, response, logger }, failure);
  });
  const direct = directly(logger, dispatcher, begin);
  const handler: RequestListener = (request, response) => {
    if (isRead(request.url ?? '')) direct(request, response);
    else app(request, response);
  };
  return {
    handler: observeRequests(limitConcurrency(handler, parts.requestsAtOnce ?? Infinity), {
      logger,
      metrics: parts.metrics,
    }),
    offerKeys,
    beginDrain: () => {
      isDraining = true;
      closeStreams();
    },
  };
}

/** What stands behind a surface's prefix: a project's slug or a procedure's name. */
function segmentAfter(path: string, prefix: string): string {
  const segment = path.slice(prefix.length).replace(/\/$/, '');
  try {
    if (segment !== '' && !segment.includes('/')) return decodeURIComponent(segment);
  } catch {
    // A segment that does not decode names nothing.
  }
  throw new AppError('not_found');
}
