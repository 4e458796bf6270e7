import type { RequestListener } from 'node:http';
import { createServices, type Callbacks, type CompositionOptions } from './parts/services.js';
import { createSurfaces, type HttpSurfaces } from './parts/http.js';
import { flushCounts, openCache, openEdge, listenerOf, watchCache } from './parts/caching.js';
import { openClock, connect, disconnect, openReplicas, type Connections } from './parts/connections.js';
import type { RedirectHits } from '../features/routing/redirects/index.js';
import { openDispatcher } from '../features/operations/webhooks/index.js';
import type { DatabaseClock } from '../infrastructure/database-clock.js';
import { Coherence } from '../infrastructure/coherence.js';
import { newId } from '../infrastructure/ids.js';
import { Neighbours } from '../infrastructure/neighbours/neighbours.js';
import { Metrics } from '../infrastructure/metrics.js';
import type { LoadShedding } from '../infrastructure/http-refusal.js';
import { createBackground, createJobRunner, type Background, type Jobs } from './parts/jobs.js';
import { createReadiness, registerDepthGauges, watchWrites, OutageLog } from './parts/monitoring.js';
import type { WriteHealth } from '../persistence/connections/write-health.js';
import { assertBoundRole } from '../persistence/connections/write-pool.js';
import type { ChangeListener } from '../persistence/change-listener.js';
import { Exchange } from '../surfaces/http/exchange.js';
import type { ResponseCache } from '../surfaces/http/cache/response-cache.js';
import {
  appRouter,
  boundOperations,
  graphqlRouter,
  type BoundOperation,
  type Services,
} from '../procedures/index.js';
import { awaitedLater } from '../infrastructure/promises.js';

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
  /** Whether a drain has begun: what fails from then on is no failure of the process. */
  isStopping(): boolean;
  close(): Promise<void>;
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
    coherence,
    neighbours,
    databaseClock,
    reads,
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

const allOperations = (checks: { readonly validatesOutput: boolean }): BoundOperation[] => [
  ...boundOperations(appRouter, checks),
  ...boundOperations(graphqlRouter, checks),
];

/** Ends connections and threads. */
async function release(connections: Connections, { webhooks, media, markup }: Services): Promise<void> {
  await Promise.all([
    disconnect(connections),
    webhooks.sender.close(),
    media.downloads.close(),
    markup.close(),
  ]);
}

function drainOf(
  surfaces: HttpSurfaces,
  background: Background,
): Pick<Composition, 'beginDrain' | 'isStopping'> {
  let isStopping = false;
  return {
    isStopping: () => isStopping,
    beginDrain: () => {
      isStopping = true;
      surfaces.beginDrain();
      // `close` waits for the same promise and reports its failure.
      void awaitedLater(background.stop());
    },
  };
}

/** What is checked and measured before anything is stamped or due. @throws Error as {@link compose} */
async function openChecked(
  options: CompositionOptions,
): Promise<{ readonly connections: Connections; readonly databaseClock: DatabaseClock }> {
  const connections = await connect(options);
  try {
    const clock = openClock(connections, options);
    const [databaseClock] = await Promise.all([clock, assertBoundRole(connections.keyPool)]);
    return { connections, databaseClock };
  } catch (error) {
    await disconnect(connections);
    throw error;
  }
}

/**
 * Wires the process; the only file that knows which part uses which.
 * @throws Error if the database role bypasses row-level security
 */
export async function compose(options: CompositionOptions): Promise<Composition> {
  const { connections, databaseClock } = await openChecked(options);
  const parts = createProcess(connections, databaseClock, options);
  const { coherence, reads, listener, services, redirectHits, background } = parts;
  // Surfaces are made while it connects.
  const heard = awaitedLater(listener.start().then(() => reads.start()));
  const operations = allOperations({ validatesOutput: options.validatesOutput === true });
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
  const responseCache =
    options.role === 'worker' ? undefined : openCache(surfaces, { services, operations, coherence, options });
  watchCache(metrics, responseCache);
  await heard;
  return {
    handler: responseCache?.handle ?? handlerOf(surfaces),
    shedding: surfaces.shedding,
    offerKeys: surfaces.offerKeys,
    coherence,
    responseCache,
    services,
    operations,
    metrics,
    jobs: background,
    ...drainOf(surfaces, background),
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
