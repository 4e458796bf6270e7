import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../contracts/errors.js';
import { AdminSurface, ADMIN_PATH, type AdminOptions } from '../../surfaces/admin/handler.js';
import type { EdgeSettings } from '../../infrastructure/edge/edge-client.js';
import { lazy } from '../../infrastructure/lazy.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { Metrics } from '../../infrastructure/metrics.js';
import type { Readiness } from '../../infrastructure/readiness.js';
import type { Tracer } from '../../infrastructure/work-context.js';
import type { BoundOperation, Services } from '../../procedures/index.js';
import { wantsPage, type OfferedKeys } from '../../surfaces/docs/handler.js';
import type { TrustedProxies } from '../../surfaces/http/client-address.js';
import { EarlyRefusal } from '../../surfaces/http/early-refusal.js';
import type { Exchange, ExchangeSettings } from '../../surfaces/http/exchange.js';
import { ConcurrencyLimit } from '../../surfaces/http/limit-concurrency.js';
import { Pipeline, type Route } from '../../surfaces/http/pipeline.js';
import { sharedHeaders } from '../../surfaces/http/shared-headers.js';
import { LIVE_PATH, LiveSurface } from '../../surfaces/live/handler.js';
import { PREVIEW_STREAM, PREVIEW_STREAM_PATH, PreviewStreams } from '../../surfaces/live/preview-stream.js';
import { MediaSurface } from '../../surfaces/media/handler.js';
import { SiteSurface } from '../../surfaces/site/handler.js';
import { pageOfDraft } from '../../surfaces/site/site-request.js';
import type { HttpAnswer } from '../../surfaces/http/answer.js';
import { restAnswer, restRoutes } from '../../surfaces/rest/route-table.js';
import { serveTrpc } from '../../surfaces/trpc/handler.js';
import { version } from '../config/config.js';
import type { MediaOptions } from './media.js';
import { pagesOf, type Pages } from './pages.js';
import { probesOf } from '../../surfaces/http/probes.js';

/** Endpoints of the authorization server, and the documents by which clients find it. */
const OAUTH_PATH = /^\/(?:oauth|\.well-known\/oauth-(?:protected-resource|authorization-server))(?:\/|$)/;

/** The build that `dist/main.js` loads. */
function currentBuild(): string {
  const entry = readFileSync(new URL('../../../dist/main.js', import.meta.url), 'utf8');
  const fingerprint = /\.\/([0-9a-f]{16})\//.exec(entry)?.[1] ?? '';
  return fileURLToPath(new URL(`../../../dist/${fingerprint}/admin`, import.meta.url));
}

/** Beside the file that runs; tests run the sources, and their setup has built it. */
const adminDirectory = (): string =>
  import.meta.url.endsWith('.ts') ? currentBuild() : fileURLToPath(new URL('./admin', import.meta.url));

/** Files go directly into a bucket, at its own host or below that of the storage. */
function bucketOrigins({ s3 }: MediaOptions): string[] {
  if (s3 === undefined) return [];
  const { protocol, host } = new URL(s3.endpoint);
  return [s3.forcePathStyle ? `${protocol}//${host}` : `${protocol}//${s3.bucket}.${host}`];
}

const adminOptions = (media: MediaOptions): AdminOptions => ({
  directory: adminDirectory(),
  uploadOrigins: bucketOrigins(media),
});

export interface AppOptions {
  readonly logger: Logger;
  readonly tracer?: Tracer | undefined;
  readonly dataRegion?: string | undefined;
  readonly mcpAllowedOrigins: readonly string[];
  readonly trustedProxies?: TrustedProxies | undefined;
  readonly queryLimits: {
    readonly maxQueryDepth: number;
    readonly maxComplexity: number;
    readonly maxReferenceDepth: number;
  };
  /** Cache in front of the service that is purged; unset: none. */
  readonly edge?: EdgeSettings | undefined;
  /** Concurrent requests of a process; unset: no limit. */
  readonly requestsAtOnce?: number | undefined;
  /** Bearer token of `/metrics`; unset: not served. */
  readonly metricsToken?: string | undefined;
}

interface HttpParts extends AppOptions {
  readonly services: Services;
  readonly operations: readonly BoundOperation[];
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly media: MediaOptions;
  /** False: the process serves only probes and `/metrics`. */
  readonly servesApi: boolean;
}

/** The pipeline of all surfaces, and the switch that takes it out of service. */
export interface HttpSurfaces {
  readonly pipeline: Pipeline;
  readonly settings: ExchangeSettings;
  readonly shedding: EarlyRefusal;
  beginDrain(): void;
  /** Fills keys into the documentation pages for local callers. */
  offerKeys(keys: OfferedKeys): void;
}

interface Surfaces {
  readonly route: Route;
  offerKeys(keys: OfferedKeys): void;
  closeStreams(): void;
}

/** Probes are recorded under their own paths. */
function probeRoute(probes: ReadonlyMap<string, Route>, exchange: Exchange): ReturnType<Route> | null {
  const path = pathOf(exchange.request);
  const probe = probes.get(path);
  if (probe === undefined) return null;
  Object.assign(exchange.record, { surface: 'service', operation: path, route: path });
  return probe(exchange);
}

const pathOf = ({ url = '/' }: IncomingMessage): string => {
  const at = url.indexOf('?');
  return at < 0 ? url : url.slice(0, at);
};

/** Other processes serve the rest. */
function probesOnly(parts: HttpParts, isDraining: () => boolean): Surfaces {
  const probes = probesOf(parts, isDraining);
  return {
    offerKeys: () => undefined,
    closeStreams: () => undefined,
    route: (exchange) => {
      const answer = probeRoute(probes, exchange);
      if (answer === null) throw new AppError('service_unavailable', { reason: 'role' });
      return answer;
    },
  };
}

/** Loaded on first use. */
function lazyParts(parts: HttpParts) {
  const { services, operations, logger, queryLimits: limits, mcpAllowedOrigins: allowedOrigins } = parts;
  return {
    graphql: lazy(async () => {
      const { createGraphqlHandler } = await import('../../surfaces/graphql/handler.js');
      return createGraphqlHandler({ services, operations, logger, limits });
    }),
    sdl: lazy(async () => {
      const { createSdlHandler } = await import('../../surfaces/graphql/handler.js');
      return createSdlHandler({ services, operations });
    }),
    mcp: lazy(async () => {
      const { createMcpHandler } = await import('../../surfaces/mcp/handler.js');
      return createMcpHandler({ services, operations, logger, version, allowedOrigins });
    }),
    oauth: lazy(async () => {
      const { OAuthSurface } = await import('../../surfaces/oauth/handler.js');
      return new OAuthSurface(services);
    }),
  };
}

interface Streams {
  readonly live: LiveSurface;
  readonly previews: PreviewStreams;
}

/** Event streams, whose paths are no operations. */
function streamRoute(
  { live, previews }: Streams,
  exchange: Exchange,
  path: string,
): ReturnType<Route> | null {
  const [, projectSlug, siteSlug] = PREVIEW_STREAM.exec(path) ?? [];
  const route = path === LIVE_PATH ? LIVE_PATH : PREVIEW_STREAM_PATH;
  if (route !== LIVE_PATH && (projectSlug === undefined || siteSlug === undefined)) return null;
  Object.assign(exchange.record, { operation: route, route });
  return projectSlug === undefined || siteSlug === undefined
    ? live.open(exchange)
    : previews.open(exchange, projectSlug, siteSlug);
}

/** A browser opens the address; with a key it is a query. */
const isVisit = (request: IncomingMessage): boolean =>
  wantsPage(request) && request.headers.authorization === undefined;

/** Leads a browser from a draft in delivery to its page. */
function pageForBrowser({ request }: Exchange, path: string): HttpAnswer | undefined {
  if (!isVisit(request)) return undefined;
  const page = pageOfDraft(path, request.url?.split('?')[1] ?? '');
  if (page === undefined) return undefined;
  const headers = ['Location', page, 'Cache-Control', 'private, no-store', 'Vary', 'Accept'];
  return { status: 302, headers, body: null };
}

/** Paths of one segment between a prefix and a suffix. */
interface SegmentRoute {
  readonly prefix: string;
  readonly suffix?: string;
  answer(exchange: Exchange, segment: string): ReturnType<Route>;
}

function segmentRoutesOf(
  { services, logger }: HttpParts,
  { graphql, sdl, mcp }: ReturnType<typeof lazyParts>,
  pages: Pages,
): readonly SegmentRoute[] {
  const prefix = '/api/graphql/';
  return [
    { prefix: '/api/trpc/', answer: (exchange, path) => serveTrpc(exchange, path, { services, logger }) },
    {
      prefix,
      suffix: '/schema.graphql',
      answer: async (exchange, slug) => (await sdl.get())(exchange, slug),
    },
    {
      prefix,
      answer: async (exchange, slug) =>
        isVisit(exchange.request) ? pages.explorer(exchange) : (await graphql.get())(exchange, slug),
    },
    { prefix: '/api/mcp/', answer: async (exchange, slug) => (await mcp.get()).handle(exchange, slug) },
  ];
}

function surfacesOf(parts: HttpParts, isDraining: () => boolean): Surfaces {
  const { services, operations } = parts;
  const lazies = lazyParts(parts);
  const operationsByPath = restRoutes(operations, services);
  const probes = probesOf(parts, isDraining);
  const pages = pagesOf();
  const segmentRoutes = segmentRoutesOf(parts, lazies, pages);
  const files = new MediaSurface(services);
  const live = new LiveSurface(services);
  const previews = new PreviewStreams(services);
  const admin = new AdminSurface(adminOptions(parts.media));
  const site = new SiteSurface({ services, operations, assets: pages.assets });
  const route: Route = (exchange) => {
    const path = pathOf(exchange.request);
    const stream = streamRoute({ live, previews }, exchange, path);
    if (stream !== null) return stream;
    if (path.startsWith('/api/')) {
      const found = segmentRoutes.find(
        ({ prefix, suffix = '' }) => path.startsWith(prefix) && path.endsWith(suffix),
      );
      if (found === undefined)
        return pageForBrowser(exchange, path) ?? restAnswer(operationsByPath, exchange);
      const { prefix, suffix = '' } = found;
      Object.assign(exchange.record, { operation: prefix, route: `${prefix}{…}${suffix}` });
      return found.answer(exchange, segmentBetween(path, prefix, suffix));
    }
    if (OAUTH_PATH.test(path)) return lazies.oauth.get().then((oauth) => oauth.answer(exchange, path));
    if (path.startsWith('/media/')) return files.answer(exchange);
    if (path === ADMIN_PATH || path.startsWith(`${ADMIN_PATH}/`)) return admin.answer(exchange, path);
    return site.answer(exchange, path) ?? probeRoute(probes, exchange) ?? pages.route(exchange, path);
  };
  return {
    route,
    offerKeys: (keys) => {
      pages.offer(keys);
      site.offerDemo(keys.project);
    },
    closeStreams: () => {
      live.close();
      previews.close();
      void lazies.mcp.current().then((made) => made?.close());
    },
  };
}

export function createSurfaces(parts: HttpParts): HttpSurfaces {
  const { logger, metrics, requestsAtOnce = Infinity, trustedProxies = [], dataRegion, edge } = parts;
  let isDraining = false;
  const make = parts.servesApi ? surfacesOf : probesOnly;
  const { route, offerKeys, closeStreams } = make(parts, () => isDraining);
  const observer = { logger, metrics, tracer: parts.tracer };
  const limit = new ConcurrencyLimit(requestsAtOnce);
  const shared = sharedHeaders(dataRegion);
  return {
    pipeline: new Pipeline({ observer, limit, route }),
    settings: { logger, trustedProxies, sharedHeaders: shared, sendsCacheTags: edge?.kind === 'cloudflare' },
    shedding: new EarlyRefusal(limit, observer, shared),
    offerKeys,
    beginDrain: () => {
      isDraining = true;
      closeStreams();
    },
  };
}

/** A project's slug or a procedure's name. */
function segmentBetween(path: string, prefix: string, suffix: string): string {
  const segment = path.slice(prefix.length, path.length - suffix.length).replace(/\/$/, '');
  try {
    if (segment !== '' && !segment.includes('/')) return decodeURIComponent(segment);
  } catch {
    // A segment that cannot be decoded matches nothing.
  }
  throw new AppError('not_found');
}
