import type { RequestListener } from 'node:http';
import { LRUCache } from 'lru-cache';
import { createSurfaces, type AppOptions, type HttpSurfaces } from './parts/http.js';
import {
  flushCounts,
  openCache,
  openEdge,
  openLive,
  listenerOf,
  openReads,
  watchCache,
  type CachingOptions,
} from './parts/caching.js';
import {
  openClock,
  connect,
  disconnect,
  createRates,
  openReplicas,
  type ConnectionOptions,
  type Connections,
} from './parts/connections.js';
import { keyServices, createSigning, type SigningOptions } from './parts/signing.js';
import { ApiKeyLookup } from '../features/access/api-keys/index.js';
import { CatalogStore, EnvironmentHeads } from '../features/environments/catalog/index.js';
import { openMedia, type MediaOptions } from './parts/media.js';
import { defaultReportBounds, type ReportBounds } from '../features/insight/reports/index.js';
import type { RedirectHits } from '../features/routing/redirects/index.js';
import { MemberLookup } from '../features/access/users/index.js';
import { openDispatcher, openWebhooks, type WebhookOptions } from '../features/operations/webhooks/index.js';
import { PersonalKeyLookup } from '../features/access/personal-keys/index.js';
import { SessionLookup } from '../features/access/sessions/index.js';
import type { Clock } from '../infrastructure/clock.js';
import type { DatabaseClock } from '../infrastructure/database-clock.js';
import { Coherence } from '../infrastructure/coherence.js';
import { newId, randomSecretBytes } from '../infrastructure/ids.js';
import { Neighbours } from '../infrastructure/neighbours/neighbours.js';
import { Metrics } from '../infrastructure/metrics.js';
import type { LoadShedding } from '../infrastructure/http-refusal.js';
import { createBackground, createJobRunner, type Background, type Jobs, type Role } from './parts/jobs.js';
import {
  createReadiness,
  registerDepthGauges,
  watchWrites,
  type ReadinessOptions,
  OutageLog,
} from './parts/monitoring.js';
import { openEnvironments, openHits, openPromotions, type PeriodicOptions } from './parts/periodic-work.js';
import { openRichText } from './parts/rich-text.js';
import { openMail, openTranslator, type MailOptions, type TranslationOptions } from './parts/translation.js';
import { openSearch, type SearchOptions } from './parts/search.js';
import { defineModels } from '../persistence/models/index.js';
import type { WriteHealth } from '../persistence/connections/write-health.js';
import { assertBoundRole } from '../persistence/connections/write-pool.js';
import type { ReplicaReads } from '../persistence/connections/replicas.js';
import type { ChangeListener } from '../persistence/change-listener.js';
import { UnitOfWorkFactory, type WorkDependencies } from '../persistence/work/unit-of-work.js';
import { version } from './config/config.js';
import { Exchange } from '../surfaces/http/exchange.js';
import type { ResponseCache } from '../surfaces/http/cache/response-cache.js';
import {
  appRouter,
  boundOperations,
  graphqlRouter,
  type BoundOperation,
  type Services,
} from '../procedures/index.js';

/** Each part declares its options. */
export interface CompositionOptions
  extends
    ConnectionOptions,
    AppOptions,
    CachingOptions,
    SigningOptions,
    ReadinessOptions,
    PeriodicOptions,
    MailOptions,
    TranslationOptions {
  /** URL at which clients reach the service, without a final slash. */
  readonly baseUrl?: string | undefined;
  /** The same as set by `PUBLIC_BASE_URL`, not derived from the address it listens on. */
  readonly publicBaseUrl?: string | undefined;
  /** Checks delivery responses against their contracts; tests do. */
  readonly validatesOutput?: boolean | undefined;
  /** Unset: the database's. */
  readonly clock?: Clock | undefined;
  /** Of the process, which the database's corrects; unset: that of the system. */
  readonly processClock?: Clock | undefined;
  /** How long a call of another system may make no progress, in milliseconds; unset: 10,000. */
  readonly neighbourMs?: number | undefined;
  /** Unset: `all`. */
  readonly role?: Role | undefined;
  readonly webhooks?: WebhookOptions | undefined;
  readonly media: MediaOptions;
  readonly search?: SearchOptions | undefined;
  readonly reports?: Partial<ReportBounds> | undefined;
}

export interface Composition {
  readonly handler: RequestListener;
  /** Refuses requests before the handler receives them. */
  readonly shedding: LoadShedding;
  readonly services: Services;
  readonly operations: readonly BoundOperation[];
  readonly jobs: Jobs;
  readonly metrics: Metrics;
  readonly coherence: Coherence;
  /** Undefined without a cache. */
  readonly responseCache: ResponseCache | undefined;
  /** Fills keys into the documentation pages for local callers, for the demo. */
  offerKeys: HttpSurfaces['offerKeys'];
  /** Readiness fails, so that a load balancer sends no more requests. */
  beginDrain(): void;
  close(): Promise<void>;
}

/** Environments with a cached catalog. */
const REMEMBERED_ENVIRONMENTS = 500;

type Callbacks = Pick<WorkDependencies, 'wake' | 'eventsWritten' | 'onWriteFailure'> & {
  readonly coherence: Coherence;
  readonly neighbours: Neighbours;
  readonly databaseClock: DatabaseClock;
  readonly reads: ReplicaReads;
};

const downloadOptions = ({ webhooks = {} }: CompositionOptions) => ({
  allowLoopback: webhooks.allowLoopback ?? false,
  userAgent: `Headwater/${version}`,
});

const boundsOf = ({ queryLimits, reports }: CompositionOptions) => ({
  maxReferenceDepth: queryLimits.maxReferenceDepth,
  reports: { ...defaultReportBounds, ...reports },
});

function createServices(
  connections: Connections,
  options: CompositionOptions,
  { coherence, neighbours, databaseClock, reads, ...callbacks }: Callbacks,
): Services & { readonly redirectHits: RedirectHits } {
  const { writePool, keyPool, readPool } = connections;
  const { tokens, clock = databaseClock.now } = options;
  const baseUrl = options.baseUrl ?? options.publicBaseUrl ?? '';
  const memory = new LRUCache<string, object>({ max: REMEMBERED_ENVIRONMENTS });
  const live = openLive();
  const units = new UnitOfWorkFactory({
    pool: writePool,
    models: defineModels(writePool.sequelize),
    memory,
    now: clock,
    newId,
    ...callbacks,
    changes: coherence,
    entriesChanged: live.entryChanges.tell,
  });
  const redirectHits = openHits(units, { ...options, clock });
  const promotions = openPromotions(units, options);
  const media = openMedia(options.media, {
    ...{ reads, keyPool, coherence, neighbours, serviceUrl: baseUrl },
    downloads: downloadOptions(options),
  });
  const webhooks = openWebhooks(options.webhooks ?? {}, {
    sharedSecret: 'secret' in tokens ? tokens.secret : randomSecretBytes(),
    now: clock,
    ...{ version, neighbours, tracer: options.tracer },
  });
  return {
    ...{ redirectHits, clock, units, ...live },
    catalogs: new CatalogStore({ heads: new EnvironmentHeads(readPool), units, memory, coherence }),
    ...keyServices(new ApiKeyLookup(keyPool), { units, coherence, clock }),
    members: new MemberLookup(keyPool),
    rates: createRates(connections, options, neighbours),
    ...{ sessions: new SessionLookup(keyPool), personalKeys: new PersonalKeyLookup(keyPool) },
    promotions,
    environments: openEnvironments(units, { ...options, clock, promotions }),
    ...createSigning(options, neighbours),
    ...{ webhooks, mail: openMail(options, { neighbours, baseUrl, secretBox: webhooks.secretBox }) },
    markup: openRichText((projectSlug) => media.urls.prefixesOf(projectSlug)),
    search: openSearch(options.search ?? {}, { ...options, neighbours, units, clock }),
    media,
    ...{ baseUrl, publicBaseUrl: options.publicBaseUrl, translator: openTranslator(options, neighbours) },
    ...boundsOf(options),
    ...openReads(reads, readPool, redirectHits),
  };
}

interface Process extends Omit<Callbacks, 'wake' | 'eventsWritten' | 'onWriteFailure'> {
  readonly listener: ChangeListener;
  readonly services: Services;
  readonly redirectHits: RedirectHits;
  readonly background: Background;
  readonly writeHealth: WriteHealth;
}

/** Services and background jobs, which refer to each other. */
function createProcess(
  connections: Connections,
  databaseClock: DatabaseClock,
  options: CompositionOptions,
): Process {
  const { failed: onError, succeeded: onSuccess } = new OutageLog(options.logger);
  const runner = createJobRunner(connections, { runDue: () => background.runDue(), onError });
  const coherence = new Coherence(options.heartbeat);
  const { reads, positions } = openReplicas(connections, coherence, options.logger);
  const neighbours = new Neighbours(options);
  const writeHealth = watchWrites(connections, options.logger);
  const { redirectHits, ...services } = createServices(connections, options, {
    ...{ coherence, neighbours, databaseClock, reads },
    onWriteFailure: (failure) => {
      writeHealth.note(failure);
    },
    wake: runner.wake.bind(runner),
    eventsWritten: () => {
      dispatcher.wake();
    },
  });
  const dispatcher = openDispatcher(services, options.webhooks ?? {}, { newId, logger: options.logger });
  const role = options.role ?? 'all';
  const edge = openEdge(options.edge, neighbours);
  const parts = { connections, runner, services, redirectHits, dispatcher, role, databaseClock, edge };
  const { logger } = options;
  const background: Background = createBackground({ ...parts, logger, onError, onSuccess });
  const listener = listenerOf(options, { coherence, positions, live: services.live });
  const watched = { databaseClock, neighbours, coherence, writeHealth };
  return { ...watched, reads, listener, services, redirectHits, background };
}

/** Handles every request without a cache. */
const handlerOf =
  ({ pipeline, settings }: HttpSurfaces): RequestListener =>
  (request, response) => {
    pipeline.handle(new Exchange(request, response, settings));
  };

/** Ends connections and threads. */
async function release(connections: Connections, { webhooks, media, markup }: Services): Promise<void> {
  await Promise.all([
    disconnect(connections),
    webhooks.sender.close(),
    media.downloads.close(),
    markup.close(),
  ]);
}

/**
 * Wires the process; the only file that knows which part uses which.
 * @throws Error if the database role bypasses row-level security
 */
export async function compose(options: CompositionOptions): Promise<Composition> {
  const connections = await connect(options);
  await assertBoundRole(connections.keyPool).catch(async (error: unknown) => {
    await disconnect(connections);
    throw error;
  });
  const parts = createProcess(connections, await openClock(connections, options), options);
  const { coherence, reads, listener, services, redirectHits, background } = parts;
  await listener.start().then(() => reads.start());
  const checks = { validatesOutput: options.validatesOutput === true };
  const operations = [...boundOperations(appRouter, checks), ...boundOperations(graphqlRouter, checks)];
  const metrics = new Metrics();
  registerDepthGauges(metrics, connections, parts);
  const surfaces = createSurfaces({
    ...options,
    services,
    operations,
    servesApi: options.role !== 'worker',
    readiness: createReadiness(connections, { ...parts, runner: background.runner }, options),
    metrics,
  });
  const cached = { services, operations, coherence, options };
  const responseCache = options.role === 'worker' ? undefined : openCache(surfaces, cached);
  watchCache(metrics, responseCache);
  return {
    handler: responseCache?.handle ?? handlerOf(surfaces),
    ...{ shedding: surfaces.shedding, offerKeys: surfaces.offerKeys },
    coherence,
    responseCache,
    services,
    operations,
    metrics,
    jobs: background,
    beginDrain: () => {
      surfaces.beginDrain();
      // `close` waits for the same promise and reports its failure.
      background.stop().catch(() => undefined);
    },
    close: async () => {
      surfaces.beginDrain();
      await listener.close();
      await background.stop().finally(async () => {
        await flushCounts(services, redirectHits);
        await release({ ...connections, reads }, services);
      });
    },
  };
}
