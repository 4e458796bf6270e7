import type { RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { TokenSettings } from './access/session-token.js';
import { createApp, type App } from './app.js';
import { cacheOver, listenerOf, readsOver, readsWhatIsWritten, watchCache } from './caching.js';
import { forgetPast } from './forget-past.js';
import { sealsOf } from './seals.js';
import { connect, disconnect, ratesOver, type ConnectionOptions, type Connections } from './connections.js';
import { ApiKeyLookup, ApiKeyUses, KnownKeys } from './features/api-keys/index.js';
import { AuditSealer } from './features/audit/index.js';
import { CatalogStore, EnvironmentHeads } from './features/catalog/index.js';
import { scheduledWorks } from './features/entries/index.js';
import { RedirectHits } from './features/redirects/index.js';
import { JobRuns } from './features/schedules/index.js';
import { MemberLookup } from './features/users/index.js';
import { SessionLookup } from './features/sessions/index.js';
import { openDispatcher, openWebhooks, type WebhookOptions } from './features/webhooks/index.js';
import { systemClock, type Clock } from './infrastructure/clock.js';
import { Coherence, tagsIn } from './infrastructure/coherence.js';
import { newId } from './infrastructure/ids.js';
import { JobRunner } from './infrastructure/job-runner.js';
import { Metrics } from './infrastructure/metrics.js';
import { PeriodicTask } from './infrastructure/periodic-task.js';
import { randomSecretBytes } from './infrastructure/random.js';
import { jobsOf, type Background, type Jobs } from './jobs.js';
import { readinessOf, watchDepths } from './monitoring.js';
import { JOB_SCHEMA } from './persistence/job-schema.js';
import { defineModels } from './persistence/models/index.js';
import { assertBoundRole } from './persistence/sequelize.js';
import type { ChangeListener } from './persistence/change-listener.js';
import { UnitOfWorkFactory, type WorkDependencies } from './persistence/unit-of-work.js';
import { version } from './version.js';
import type { TrustedProxies } from './surfaces/http/client-address.js';
import type { ResponseCache } from './surfaces/http/response-cache/response-cache.js';
import { appRouter, boundOperations, type BoundOperation, type Services } from './procedures/index.js';

/** What the process is made from. */
export interface CompositionOptions extends ConnectionOptions {
  readonly metricsToken?: string | undefined;
  /** Requests that may be worked on at once; unset: as many as come. */
  readonly requestsAtOnce?: number | undefined;
  readonly tokens: TokenSettings;
  /** The first signs preview tokens, all verify them. Unset: derived from the secret of sessions, if there is one. */
  readonly previewSecrets?: readonly [Uint8Array, ...Uint8Array[]] | undefined;
  /** Where clients reach the service, without a final slash. */
  readonly baseUrl?: string | undefined;
  readonly dataRegion?: string | undefined;
  readonly mcpAllowedOrigins: readonly string[];
  /** Proxies whose `X-Forwarded-For` is believed; none unless they are given. */
  readonly trustedProxies?: TrustedProxies | undefined;
  readonly queryLimits: {
    readonly maxQueryDepth: number;
    readonly maxComplexity: number;
    readonly maxReferenceDepth: number;
  };
  /** Whether answers of delivery are held against their contracts before they are sent: tests do. */
  readonly checksAnswers?: boolean | undefined;
  /** Bytes that answers from memory may take; 0 keeps none. */
  readonly responseCacheBytes?: number | undefined;
  readonly clock?: Clock | undefined;
  /** How webhooks are kept and called. */
  readonly webhooks?: WebhookOptions | undefined;
}

/** A composed process: its request handler, its operations for the command line, and its end. */
export interface Composition {
  readonly handler: RequestListener;
  readonly services: Services;
  readonly operations: readonly BoundOperation[];
  readonly jobs: Jobs;
  readonly metrics: Metrics;
  /** How fresh what is remembered of the database is. */
  readonly coherence: Coherence;
  /** The answers kept in memory; undefined where none are. */
  readonly responseCache: ResponseCache | undefined;
  /** Puts keys into the fields of the pages for people, for callers on this machine: the demo does. */
  offerKeys: App['offerKeys'];
  /** Readiness turns false, so that a balancer sends no more requests. */
  beginDrain(): void;
  close(): Promise<void>;
}

/** Catalogs of this many environments are remembered. */
const REMEMBERED_ENVIRONMENTS = 500;

function servicesOver(
  connections: Connections,
  options: CompositionOptions,
  { coherence, ...wakes }: Pick<WorkDependencies, 'wake' | 'eventsWritten'> & { coherence: Coherence },
): Services & { readonly redirectHits: RedirectHits } {
  const { sequelize, keyPool, readPool } = connections;
  const { tokens, clock = systemClock } = options;
  const memory = new LRUCache<string, object>({ max: REMEMBERED_ENVIRONMENTS });
  const units = new UnitOfWorkFactory({
    sequelize,
    models: defineModels(sequelize),
    memory,
    now: clock,
    newId,
    ...wakes,
    purge: (tags) => {
      coherence.purge(tagsIn(tags));
    },
  });
  const onError = (error: unknown): void => {
    options.logger.warn({ err: error }, 'hits of redirects could not be counted yet');
  };
  const redirectHits = new RedirectHits({ units, clock, newId, onError });
  const keys = new ApiKeyLookup(keyPool);
  return {
    redirectHits,
    clock,
    units,
    catalogs: new CatalogStore({ heads: new EnvironmentHeads(readPool), units, memory, coherence }),
    keys: new KnownKeys(keys, coherence),
    members: new MemberLookup(keyPool),
    keyUses: new ApiKeyUses(keys),
    rates: ratesOver(connections, options),
    sessions: new SessionLookup(keyPool),
    ...sealsOf(options),
    webhooks: openWebhooks(options.webhooks ?? {}, {
      sharedSecret: 'secret' in tokens ? tokens.secret : randomSecretBytes(),
      now: clock,
      version,
    }),
    baseUrl: options.baseUrl ?? '',
    maxReferenceDepth: options.queryLimits.maxReferenceDepth,
    ...readsOver(readPool, redirectHits),
  };
}

interface Process extends Background {
  readonly coherence: Coherence;
  readonly listener: ChangeListener;
}

const SEAL_SECONDS = 10;
const USES_SECONDS = 5;
const PRUNE_SECONDS = 3600;

/** The services and the runner of their jobs, which know each other. */
function processOver(connections: Connections, options: CompositionOptions): Process {
  const onError = (error: unknown): void => {
    options.logger.error({ err: error }, 'a job could not be run');
  };
  const runner: JobRunner = new JobRunner({
    database: connections.jobPool,
    schema: JOB_SCHEMA,
    runDue: () => runs.runDue(),
    onError,
  });
  const coherence = new Coherence();
  const { redirectHits, ...services } = servicesOver(connections, options, {
    coherence,
    wake: (at) => {
      runner.wake(at);
    },
    eventsWritten: () => {
      dispatcher.wake();
    },
  });
  const dispatcher = openDispatcher(services, options.webhooks ?? {}, { newId, logger: options.logger });
  const { units, clock } = services;
  const isStopping = () => runner.isStopping;
  const runs = new JobRuns({ units, clock, works: scheduledWorks, newId, isStopping, onError });
  const sealer = new AuditSealer({ units, newId, pause });
  const prune = async (): Promise<void> => {
    await connections.counter?.prune();
    await dispatcher.prune();
    await forgetPast(units);
  };
  const chores = [
    new PeriodicTask({ seconds: SEAL_SECONDS, run: () => sealer.seal(), onError }),
    new PeriodicTask({ seconds: PRUNE_SECONDS, run: prune, onError }),
    new PeriodicTask({ seconds: PRUNE_SECONDS, run: () => sealer.prune(), onError }),
  ];
  const notes = [new PeriodicTask({ seconds: USES_SECONDS, run: () => services.keyUses.flush(), onError })];
  return {
    notes,
    coherence,
    listener: listenerOf(options, coherence),
    services,
    redirectHits,
    runs,
    runner,
    sealer,
    dispatcher,
    chores,
    prune,
  };
}

/**
 * Wires the process; the only file that knows which part uses which.
 * @throws Error where the database role would bypass the walls between tenants
 */
export async function compose(options: CompositionOptions): Promise<Composition> {
  const connections = connect(options);
  await assertBoundRole(connections.sequelize).catch(async (error: unknown) => {
    await disconnect(connections);
    throw error;
  });
  const parts = processOver(connections, options);
  const { coherence, listener, services, redirectHits, runner, dispatcher, chores, notes } = parts;
  if (readsWhatIsWritten(options)) await listener.start();
  const operations = boundOperations(appRouter, { checksAnswers: options.checksAnswers === true });
  const metrics = new Metrics();
  watchDepths(metrics, connections, services.units);
  const app: App = createApp({
    ...options,
    services,
    operations,
    readiness: readinessOf(connections, runner),
    metrics,
  });
  const responseCache = cacheOver(app.handler, { services, operations, coherence, options });
  watchCache(metrics, responseCache);
  return {
    handler: responseCache?.handle ?? app.handler,
    offerKeys: app.offerKeys,
    coherence,
    responseCache,
    services,
    operations,
    metrics,
    jobs: jobsOf(parts),
    beginDrain: () => {
      app.beginDrain();
      // Its failures are told by `close`, which waits for the same end.
      runner.stop().catch(() => undefined);
      dispatcher.stop().catch(() => undefined);
      for (const chore of [...chores, ...notes]) void chore.stop();
    },
    close: async () => {
      app.beginDrain();
      await listener.close();
      const stops = [runner.stop(), dispatcher.stop(), ...[...chores, ...notes].map((task) => task.stop())];
      await Promise.all(stops).finally(async () => {
        // What cannot be counted any more is no reason to end badly.
        await redirectHits.flush().catch(() => undefined);
        await services.keyUses.flush().catch(() => undefined);
        await Promise.all([disconnect(connections), services.webhooks.sender.close()]);
      });
    },
  };
}
