import { QueueDepthRepository } from '../../features/operations/queue-depth/index.js';
import { SearchQueueRepository } from '../../features/insight/search/index.js';
import type { JobRunner } from '../../infrastructure/job-runner.js';
import type { Logger } from '../../infrastructure/logger.js';
import { metricList, type Metrics } from '../../infrastructure/metrics.js';
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
  metrics.gauge(metricList.clockAhead, () => ({ process: databaseClock.aheadSeconds }));
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
  const { poolOpen: open, poolBusy: busy, poolWaiting: waiting } = metricList;
  for (const [part, metric] of Object.entries({ open, busy, waiting }))
    metrics.gauge(metric, () =>
      Object.fromEntries(
        Object.entries(states()).map(([pool, state]) => [pool, state[part as keyof PoolState]]),
      ),
    );
}

function registerReplicas(metrics: Metrics, reads: ReplicaReads): void {
  if (reads.state === 'off') return;
  metrics.gauge(metricList.replicaLag, () => reads.lags);
  metrics.total(metricList.publishedReads, () => reads.counts);
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
  metrics.gauge(metricList.queueDepth, () => measured((work) => work.use(QueueDepthRepository).depths()));
  metrics.gauge(metricList.queueLag, () => measured((work) => work.use(QueueDepthRepository).lags()));
  metrics.gauge(metricList.searchLag, async () => ({
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
