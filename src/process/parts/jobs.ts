import type { Connections } from './connections.js';
import { writeBodies } from '../../features/publishing/delivery/index.js';
import { entryJobs } from '../../features/entries/entries/index.js';
import { releaseJobs } from '../../features/entries/releases/index.js';
import { BackgroundJobs, JobRegistry } from '../../features/operations/jobs/index.js';
import { sweepAbandoned } from '../../features/media/media/index.js';
import type { RedirectHits } from '../../features/routing/redirects/index.js';
import type { WebhookDispatcher } from '../../features/operations/webhooks/index.js';
import { pruneExpired } from './periodic-work.js';
import type { DatabaseClock } from '../../infrastructure/database-clock.js';
import { newId } from '../../infrastructure/ids.js';
import { JobRunner } from '../../infrastructure/job-runner.js';
import { JOB_SCHEMA } from '../../persistence/migrations/migrator.js';
import { openWorkers, type WorkerParts, type Workers } from './workers.js';

/** Whether a process serves requests, runs background work, or both. */
export type Role = 'api' | 'worker' | 'all';

/** Background work on demand, by the clock of the process. */
export interface Jobs {
  /** Starts running due jobs. Not called by processes that only serve requests or write. */
  start(): Promise<void>;
  /** Returns how many jobs were attempted. */
  runDue(): Promise<number>;
  flushRedirectHits(): Promise<void>;
  /** Returns how many records were sealed. */
  sealAudit(): Promise<number>;
  /** Writes uses of keys, and searches without results. */
  flushKeyUses(): Promise<void>;
  /** Returns how many noted entries were indexed. */
  indexSearch(): Promise<number>;
  /** Finds the issues of changed content; returns how many changes were considered. */
  assessHealth(): Promise<number>;
  /** Returns how many noted documents were indexed for delivery filters. */
  indexFilters(): Promise<number>;
  /** Makes vectors of what was indexed, if there is an embedding server; returns of how many entries. */
  embedTexts(): Promise<number>;
  /** Returns how many deliveries were attempted. */
  deliverWebhooks(): Promise<number>;
  /** Returns how many queued mails were attempted. */
  sendMails(): Promise<number>;
  /** Copies and deletes environments; returns how many jobs were attempted. */
  workOnEnvironments(): Promise<number>;
  /** Analyzes environments that are due; returns how many. */
  analyzeGovernance(): Promise<number>;
  /** Exports and imports translations; returns how many jobs were attempted. */
  exchangeTranslations(): Promise<number>;
  /** Imports files of other systems; returns how many jobs were attempted. */
  importFiles(): Promise<number>;
  /** Finds what became due and keys that end, for notifications. */
  notify(): Promise<void>;
  /** Purges caches in front of the service; returns how many notes were sent. */
  purgeEdge(): Promise<number>;
  /** Deletes expired data. */
  prune(): Promise<void>;
}

/** All work outside requests. Any number of processes may run it: each task is claimed in the database. */
export interface Background extends Jobs {
  readonly runner: JobRunner;
  /** Starts no further work; resolves when running work has ended. */
  stop(): Promise<void>;
}

export interface BackgroundParts extends WorkerParts {
  readonly connections: Connections;
  /** Created before the services, which wake it. */
  readonly runner: JobRunner;
  readonly redirectHits: RedirectHits;
  readonly dispatcher: WebhookDispatcher;
  readonly role: Role;
  readonly databaseClock: DatabaseClock;
  /** Called after a task that certainly needs the database. */
  onSuccess(): void;
}

const SEAL_SECONDS = 10;
const USES_SECONDS = 5;
const CLOCK_SECONDS = 10;
const ENVIRONMENT_SECONDS = 2;
/** Between two looks at exports and imports. */
const JOB_SECONDS = 2;
const MAIL_SECONDS = 1;
const EDGE_SECONDS = 1;
const SEARCH_SECONDS = 1;
const BODY_SECONDS = 5;
const FILTER_SECONDS = 1;
const VECTOR_SECONDS = 2;
const HEALTH_SECONDS = 2;
const GOVERNANCE_SECONDS = 300;
/** Between two looks for what became due. */
const NOTIFY_SECONDS = 300;
const PRUNE_SECONDS = 3600;

export const createJobRunner = (
  { jobPool }: Connections,
  options: { runDue(): Promise<unknown>; onError(error: unknown): void },
): JobRunner => new JobRunner({ database: jobPool, schema: JOB_SCHEMA, ...options });

async function pruneAll(
  { connections, dispatcher, services }: BackgroundParts,
  { notices, edge }: Pick<Workers, 'notices' | 'edge'>,
): Promise<void> {
  await connections.counter?.prune();
  await dispatcher.prune(services.retention.webhookDays);
  await pruneExpired(services);
  await notices.prune();
  await edge.prune();
  await sweepAbandoned(services.media.storage, services.clock());
}

/** Queues notifications that are due by mail, then sends what is queued. */
async function sendMails({ notices, mails }: Workers): Promise<number> {
  await notices.sendMail();
  return mails.run();
}

const embed = async ({ vectors }: Workers): Promise<number> => (await vectors?.run()) ?? 0;

function registryOf(parts: BackgroundParts, workers: Workers): JobRegistry {
  const { services, onError } = parts;
  const { environments, units } = services;
  const { records, indexer, filters, governance, exchange, imports } = workers;
  const analyze = (): Promise<number> => governance.runDue();
  return new JobRegistry()
    .handle(entryJobs)
    .handleReleases(releaseJobs)
    .repeat({ name: 'key-uses', seconds: USES_SECONDS, level: 'process', run: () => records.flushKeyUses() })
    .repeat({
      name: 'clock',
      seconds: CLOCK_SECONDS,
      level: 'process',
      run: async () => {
        await parts.databaseClock.measure();
        parts.onSuccess();
      },
    })
    .repeat({ name: 'audit-seal', seconds: SEAL_SECONDS, level: 'service', run: () => records.seal() })
    .repeat({
      name: 'environments',
      seconds: ENVIRONMENT_SECONDS,
      level: 'service',
      run: () => environments.runDue(),
    })
    .repeat({ name: 'translations', seconds: JOB_SECONDS, level: 'service', run: () => exchange.runDue() })
    .repeat({ name: 'imports', seconds: JOB_SECONDS, level: 'service', run: () => imports.runDue() })
    .repeat({ name: 'mails', seconds: MAIL_SECONDS, level: 'service', run: () => sendMails(workers) })
    .repeat({
      name: 'bodies',
      seconds: BODY_SECONDS,
      level: 'service',
      run: () => writeBodies({ units, onError }),
    })
    .repeat({ name: 'edge-purges', seconds: EDGE_SECONDS, level: 'service', run: () => workers.edge.run() })
    .repeat({ name: 'search-index', seconds: SEARCH_SECONDS, level: 'service', run: () => indexer.run() })
    .repeat({ name: 'filter-index', seconds: FILTER_SECONDS, level: 'service', run: () => filters.run() })
    .repeat({ name: 'search-vectors', seconds: VECTOR_SECONDS, level: 'service', run: () => embed(workers) })
    .repeat({
      name: 'content-health',
      seconds: HEALTH_SECONDS,
      level: 'service',
      run: () => workers.health.run(),
    })
    .repeat({ name: 'governance', seconds: GOVERNANCE_SECONDS, level: 'service', run: analyze });
}

/** Work at longer intervals. */
function addUpkeep(registry: JobRegistry, parts: BackgroundParts, workers: Workers): JobRegistry {
  const { notices, records } = workers;
  return registry
    .repeat({ name: 'notifications', seconds: NOTIFY_SECONDS, level: 'service', run: () => notices.run() })
    .repeat({ name: 'prune', seconds: PRUNE_SECONDS, level: 'service', run: () => pruneAll(parts, workers) })
    .repeat({
      name: 'audit-prune',
      seconds: PRUNE_SECONDS,
      level: 'service',
      run: () => records.pruneAudit(),
    });
}

/** Registers all background work. The role `api` runs only what concerns its own requests. */
export function createBackground(parts: BackgroundParts): Background {
  const { runner, services, redirectHits, dispatcher, role, onError } = parts;
  const { units, clock, environments } = services;
  const workers = openWorkers(parts);
  const { records, indexer, governance, exchange } = workers;
  const registry = addUpkeep(registryOf(parts, workers), parts, workers);
  const runsJobs = role !== 'api';
  const jobs = new BackgroundJobs({ registry, runner, runsJobs, units, clock, newId, onError });
  return {
    runner,
    start: async () => {
      await jobs.start();
      if (runsJobs) dispatcher.start();
    },
    stop: async () => {
      environments.stop();
      exchange.stop();
      workers.imports.stop();
      workers.mails.stop();
      indexer.stop();
      workers.edge.stop();
      workers.filters.stop();
      workers.vectors?.stop();
      workers.health.stop();
      governance.stop();
      workers.notices.stop();
      await Promise.all([jobs.stop(), dispatcher.stop()]);
    },
    runDue: () => jobs.runDue(),
    flushRedirectHits: () => redirectHits.flush(),
    sealAudit: () => records.seal(),
    flushKeyUses: () => records.flushKeyUses(),
    indexSearch: () => indexer.run(),
    assessHealth: () => workers.health.run(),
    indexFilters: () => workers.filters.run(),
    embedTexts: () => embed(workers),
    deliverWebhooks: () => dispatcher.runDue(),
    sendMails: () => sendMails(workers),
    workOnEnvironments: () => environments.runDue(),
    analyzeGovernance: () => governance.runDue(),
    exchangeTranslations: () => exchange.runDue(),
    importFiles: () => workers.imports.runDue(),
    notify: () => workers.notices.run(),
    purgeEdge: () => workers.edge.run(),
    prune: async () => {
      await pruneAll(parts, workers);
      await records.pruneAudit();
    },
  };
}
