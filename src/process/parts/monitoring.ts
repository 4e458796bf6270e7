import { QueueDepthRepository } from '../../features/operations/queue-depth/index.js';
import { SearchQueueRepository } from '../../features/insight/search/index.js';
import type { JobRunner } from '../../infrastructure/job-runner.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { Metrics } from '../../infrastructure/metrics.js';
import type { DatabaseClock } from '../../infrastructure/database-clock.js';
import type { Neighbours } from '../../infrastructure/neighbours/neighbours.js';
import { Readiness, type PartState } from '../../infrastructure/readiness.js';
import { isMigrated } from '../../persistence/migrations/migrator.js';
import type { PoolState, ReadPool } from '../../persistence/connections/read-pool.js';
import { WriteHealth } from '../../persistence/connections/write-health.js';
import type { ReplicaReads } from '../../persistence/connections/replicas.js';
import type { WritePool } from '../../persistence/connections/write-pool.js';
import {
  systemScope,
  type UnitOfWork,
  type UnitOfWorkFactory,
  toDatabaseFailure,
} from '../../persistence/work/unit-of-work.js';

interface WatchedConnections {
  readonly writePool: WritePool;
  readonly keyPool: ReadPool;
  readonly readPool: ReadPool;
  readonly jobPool: ReadPool;
}

export interface ReadinessOptions {
  /** A part that takes longer to check is not ready; unset: 1,800. */
  readonly readinessMs?: number | undefined;
}

const PROBE = 'SELECT 1 AS ready';

/** Logs when the database begins to refuse writes, and when it accepts them again. */
export function watchWrites({ jobPool }: Pick<WatchedConnections, 'jobPool'>, logger: Logger): WriteHealth {
  return new WriteHealth({
    pool: jobPool,
    onFailing: (failure) => {
      logger.error({ err: failure }, 'the database refuses writes');
    },
    onRecovered: () => {
      logger.info('the database accepts writes again');
    },
  });
}

/** Ready when both paths to the database, the migrations, the job queue and writes are. */
export function createReadiness(
  { jobPool, readPool }: Pick<WatchedConnections, 'jobPool' | 'readPool'>,
  {
    runner,
    writeHealth,
    neighbours,
    databaseClock,
    reads,
  }: {
    readonly runner: JobRunner;
    readonly writeHealth: WriteHealth;
    readonly neighbours: Neighbours;
    readonly databaseClock: DatabaseClock;
    readonly reads: ReplicaReads;
  },
  { readinessMs }: ReadinessOptions,
): Readiness {
  const parts = {
    database: async (): Promise<PartState> => {
      // Bypasses the bound of the pool's queue: a busy process is slow, not down.
      await Promise.all([jobPool.execute(PROBE), readPool.execute(PROBE)]);
      return 'ok';
    },
    migrations: async (): Promise<PartState> => ((await isMigrated(jobPool)) ? 'ok' : 'failing'),
    queue: () => runner.state,
    writes: () => writeHealth.check(),
    clock: () => databaseClock.state,
    ...(reads.state !== 'off' && { replicas: () => reads.state }),
  };
  const details = () => (reads.state === 'off' ? {} : { replicas: reads.report });
  return new Readiness(parts, { limitMs: readinessMs, neighbours, details });
}

/** Reports whether other systems respond, and how far the clock is off. */
function registerNeighbours(metrics: Metrics, neighbours: Neighbours, databaseClock: DatabaseClock): void {
  neighbours.register(metrics);
  const clock = {
    name: 'headwater_clock_ahead_seconds',
    help: "How far the clock is ahead of the database's.",
    label: 'clock',
    isShared: true,
  };
  metrics.gauge(clock, () => ({ process: databaseClock.aheadSeconds }));
}

function registerPools(
  metrics: Metrics,
  { writePool, keyPool, readPool, jobPool }: WatchedConnections,
): void {
  const states = (): Record<string, PoolState> => ({
    write: writePool.state,
    key: keyPool.state,
    read: readPool.state,
    job: jobPool.state,
  });
  for (const part of ['open', 'busy', 'waiting'] as const) {
    const help =
      part === 'waiting'
        ? 'Queries waiting for a connection, by pool.'
        : `Database connections: ${part}, by pool.`;
    metrics.gauge({ name: `headwater_pool_${part}`, help, label: 'pool' }, () =>
      Object.fromEntries(Object.entries(states()).map(([pool, state]) => [pool, state[part]])),
    );
  }
}

function registerReplicas(metrics: Metrics, reads: ReplicaReads): void {
  if (reads.state === 'off') return;
  const lag = {
    name: 'headwater_replica_lag_seconds',
    help: 'How long ago the primary had what a replica lacks, by replica that responds.',
    label: 'replica',
    isShared: true,
  };
  metrics.gauge(lag, () => reads.lags);
  const served = {
    name: 'headwater_published_reads_total',
    help: 'Statements of published reads, by the kind of server that ran them.',
    label: 'server',
  };
  metrics.total(served, () => reads.counts);
}

/** Reports pool usage, neighbours and queued work. */
export function registerDepthGauges(
  metrics: Metrics,
  connections: WatchedConnections,
  {
    services: { units },
    neighbours,
    databaseClock,
    reads,
  }: {
    readonly services: { readonly units: UnitOfWorkFactory };
    readonly neighbours: Neighbours;
    readonly databaseClock: DatabaseClock;
    readonly reads: ReplicaReads;
  },
): void {
  registerReplicas(metrics, reads);
  registerNeighbours(metrics, neighbours, databaseClock);
  registerPools(metrics, connections);
  const measured = <T>(read: (work: UnitOfWork) => Promise<T>): Promise<T> =>
    units.run({ scope: systemScope({ command: 'metrics' }), isReadOnly: true, lock: 'none' }, read);
  const depth = {
    name: 'headwater_queue_depth',
    help: 'Pending work by queue, counted up to 10,000.',
    label: 'queue',
    isShared: true,
  };
  metrics.gauge(depth, () => measured((work) => work.use(QueueDepthRepository).depths()));
  const queueLag = {
    name: 'headwater_queue_lag_seconds',
    help: 'How long the oldest work has been due, by queue.',
    label: 'queue',
    isShared: true,
  };
  metrics.gauge(queueLag, () => measured((work) => work.use(QueueDepthRepository).lags()));
  const searchLag = {
    name: 'headwater_search_lag_seconds',
    help: 'How long the oldest change has waited to be indexed, by index.',
    label: 'index',
    isShared: true,
  };
  metrics.gauge(searchLag, async () => ({
    entries: await measured((work) => work.use(SearchQueueRepository).lag()),
  }));
}

/** The queue reports failures as plain objects. */
function isDatabaseAway(error: unknown): boolean {
  const { kind } = toDatabaseFailure(error) ?? (Object(error) as { kind?: unknown });
  return kind === 'unavailable';
}

/** Failures of background work. Those of a database that is unavailable are one line per outage, not one per attempt. */
export class OutageLog {
  #isOut = false;

  constructor(private readonly logger: Pick<Logger, 'info' | 'error'>) {}

  readonly failed = (error: unknown): void => {
    if (!isDatabaseAway(error)) {
      this.logger.error({ err: error }, 'running jobs failed');
      return;
    }
    if (this.#isOut) return;
    this.#isOut = true;
    this.logger.error({ err: error }, 'jobs wait for the database');
  };

  /** Called after work that certainly needs the database. */
  readonly succeeded = (): void => {
    if (!this.#isOut) return;
    this.#isOut = false;
    this.logger.info('jobs run again');
  };
}
