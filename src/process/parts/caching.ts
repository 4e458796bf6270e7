import { LRUCache } from 'lru-cache';
import { limits } from '../../../contracts/limits.js';
import {
  OverlaidReads,
  PublishedDocuments,
  RouteReader,
  SharedDocuments,
  SitemapReader,
  SyncChanges,
  TreeReader,
} from '../../features/publishing/delivery/index.js';
import { Futures } from '../../features/entries/releases/index.js';
import { MediaReader } from '../../features/media/media/index.js';
import type { RedirectHits } from '../../features/routing/redirects/index.js';
import {
  defaultHeartbeatLimits,
  type Coherence,
  type HeartbeatLimits,
} from '../../infrastructure/coherence.js';
import { EdgeClient, type EdgeSettings } from '../../infrastructure/edge/edge-client.js';
import { EntryChanges } from '../../infrastructure/entry-changes.js';
import { LiveChannel } from '../../infrastructure/live-channel.js';
import type { Neighbours } from '../../infrastructure/neighbours/neighbours.js';
import { PresenceBoard } from '../../infrastructure/presence-board.js';
import type { Logger } from '../../infrastructure/logger.js';
import { metricList, type Metrics } from '../../infrastructure/metrics.js';
import { ChangeListener } from '../../persistence/change-listener.js';
import type { LogPositions } from '../../persistence/connections/log-positions.js';
import type { StatementReader } from '../../persistence/connections/read-pool.js';
import {
  PublishedReaders,
  type BoundOperation,
  type PublishedReads,
  type Services,
} from '../../procedures/index.js';
import type { HttpSurfaces } from './http.js';
import { AnswerKeys } from '../../surfaces/http/cache/answer-key.js';
import { ResponseCache } from '../../surfaces/http/cache/response-cache.js';
import { FileHits } from '../../surfaces/media/file-hits.js';

/** Environments, and sets of fields of each, whose concurrent requests share reads. */
const SHARING = 500;

const readsFrom = (reads: StatementReader, redirectHits?: RedirectHits): PublishedReads => ({
  publishedDocuments: (environmentId, names) => new PublishedDocuments(reads, environmentId, names),
  routes: (environmentId) => new RouteReader(reads, environmentId, redirectHits),
  sitemaps: (environmentId) => new SitemapReader(reads, environmentId),
  publishedMedia: (environmentId) => new MediaReader(reads, environmentId),
  trees: (environmentId) => new TreeReader(reads, environmentId),
});

/** Prepared reads; concurrent requests of an environment share them. */
export function openReads(
  pool: StatementReader,
  /** Has every change, whether its notice has arrived or not. */
  primary: StatementReader,
  redirectHits: RedirectHits,
): PublishedReads & Pick<Services, 'futures' | 'overlaidReads' | 'syncChanges'> {
  const own = readsFrom(pool, redirectHits);
  const shared = new LRUCache<string, SharedDocuments>({ max: SHARING });
  return {
    ...own,
    futures: new Futures(),
    overlaidReads: (overlay) => readsFrom(new OverlaidReads(primary, overlay)),
    publishedDocuments: (environmentId, names) => {
      const key = names === undefined ? environmentId : `${environmentId} ${names.join(' ')}`;
      const known = shared.get(key);
      if (known !== undefined) return known;
      const documents = new SharedDocuments(own.publishedDocuments(environmentId, names));
      shared.set(key, documents);
      return documents;
    },
    syncChanges: (environmentId) => new SyncChanges(primary, environmentId),
  };
}

/** Windows of users on any entry that a process knows. */
const WINDOWS = 50_000;

/** What processes tell each other at once, besides purges. */
export function openLive(): Pick<Services, 'live' | 'presence' | 'entryChanges'> {
  const live = new LiveChannel();
  const bounds = { seconds: limits.presenceSeconds, onEntry: limits.presenceWindows, inAll: WINDOWS };
  return { live, presence: new PresenceBoard(live, bounds), entryChanges: new EntryChanges(live) };
}

export interface CachingOptions {
  readonly serviceUrl: string;
  readonly listenUrl?: string | undefined;
  readonly logger: Logger;
  /** 0 disables the cache. */
  readonly responseCacheBytes?: number | undefined;
  readonly heartbeat?: HeartbeatLimits | undefined;
}

/** Connections to a cache in front of the service. */
const EDGE_CONNECTIONS = 4;

export const openEdge = (edge: EdgeSettings | undefined, neighbours: Neighbours): EdgeClient | undefined =>
  edge &&
  new EdgeClient(
    edge,
    neighbours.open({ name: 'edge', places: neighbours.places({ most: EDGE_CONNECTIONS, lineMs: 10_000 }) }),
  );

const DEFAULT_BYTES = 64 * 1024 * 1024;

export function listenerOf(
  { serviceUrl, listenUrl = serviceUrl, logger, heartbeat = defaultHeartbeatLimits }: CachingOptions,
  parts: {
    readonly coherence: Coherence;
    readonly positions: LogPositions | undefined;
    readonly live: LiveChannel;
  },
): ChangeListener {
  return new ChangeListener({
    url: listenUrl,
    ...parts,
    limits: heartbeat,
    onError: (error) => {
      logger.warn({ reason: error.message }, 'notifications of changes lost');
    },
  });
}

interface CacheParts {
  readonly services: Services;
  readonly operations: readonly BoundOperation[];
  readonly coherence: Coherence;
  readonly options: CachingOptions;
}

/** Undefined if its size is 0. */
export function openCache(
  { pipeline, settings }: HttpSurfaces,
  { services, operations, coherence, options }: CacheParts,
): ResponseCache | undefined {
  const maximumBytes = options.responseCacheBytes ?? DEFAULT_BYTES;
  if (maximumBytes === 0) return undefined;
  const files = new FileHits(services);
  return new ResponseCache({
    maximumBytes,
    serveFile: (exchange, url) => files.serve(exchange, url),
    coherence,
    readers: new PublishedReaders(services),
    answerKeys: new AnswerKeys(operations),
    settings,
    pipeline,
  });
}

export function watchCache(metrics: Metrics, cache: ResponseCache | undefined): void {
  if (cache === undefined) return;
  metrics.gauge(metricList.cacheRequests, () => ({ ...cache.counts }));
  metrics.gauge(metricList.cacheSize, () => ({ ...cache.size }));
}

/** Writes what is counted in memory. Lost counts must not fail the shutdown. */
export async function flushCounts(
  { keyUses, keyUsage, search }: Services,
  hits: RedirectHits,
): Promise<void> {
  const counts = [hits, keyUses, keyUsage, search.empty];
  await Promise.allSettled(counts.map((one) => one.flush()));
}
