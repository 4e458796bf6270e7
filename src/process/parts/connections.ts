import type { Logger } from '../../infrastructure/logger.js';
import { openCounter, type OpenCounter } from '../../infrastructure/rate-counter.js';
import type { Neighbours } from '../../infrastructure/neighbours/neighbours.js';
import { RateLimits } from '../../infrastructure/rate-limits.js';
import { ReadPool } from '../../persistence/connections/read-pool.js';
import { WritePool } from '../../persistence/connections/write-pool.js';
import type { DatabaseTimeouts } from '../../persistence/connections/session-settings.js';
import type { RateDefaults, RateServices } from '../../procedures/index.js';
import type { Clock } from '../../infrastructure/clock.js';
import { DatabaseClock } from '../../infrastructure/database-clock.js';

export interface ConnectionOptions {
  /** The read model can be on another server. */
  readonly serviceUrl: string;
  readonly readUrl: string;
  readonly poolSize: number;
  /** Requests per pool that may wait for a connection. Unset: no limit. */
  readonly queueSize?: number | undefined;
  readonly timeouts?: DatabaseTimeouts | undefined;
  /** Requests per minute by caller. Unset: no limits. */
  readonly rateDefaults?: RateDefaults | undefined;
  /** Unset: requests are counted in the database. */
  readonly redisUrl?: string | undefined;
  readonly logger: Logger;
  /** Receives every SQL statement. */
  readonly onStatement?: ((sql: string) => void) | undefined;
}

export interface Connections {
  /** Undefined without rate limits. */
  readonly counter: OpenCounter | undefined;
  readonly writePool: WritePool;
  /** Looks up keys as the service role, outside transactions. */
  readonly keyPool: ReadPool;
  readonly readPool: ReadPool;
  /** Separate, so that the job queue never waits behind requests. */
  readonly jobPool: ReadPool;
}

const JOB_CONNECTIONS = 2;

/** Opens no connection yet. */
export function connect(options: ConnectionOptions): Connections {
  const { serviceUrl, readUrl, poolSize, queueSize, timeouts, logger, onStatement, redisUrl } = options;
  const onError = (error: Error): void => {
    logger.warn({ reason: error.message }, 'database connection lost');
  };
  const pool = { onError, onStatement, queueSize, timeouts };
  const keyPool = new ReadPool({
    url: serviceUrl,
    role: 'headwater_service',
    size: Math.max(2, Math.ceil(poolSize / 4)),
    ...pool,
  });
  return {
    counter: options.rateDefaults === undefined ? undefined : openCounter({ redisUrl, database: keyPool }),
    writePool: new WritePool({ url: serviceUrl, poolSize, ...pool }),
    keyPool,
    readPool: new ReadPool({
      url: readUrl,
      role: 'headwater_reader',
      size: poolSize,
      keepsPlans: true,
      ...pool,
    }),
    jobPool: new ReadPool({ url: serviceUrl, role: 'headwater_service', size: JOB_CONNECTIONS, ...pool }),
  };
}

export const disconnect = async (connections: Connections): Promise<void> => {
  const { counter, writePool, keyPool, readPool, jobPool } = connections;
  counter?.close();
  await Promise.all([writePool.close(), keyPool.close(), readPool.close(), jobPool.close()]);
};

/** Undefined without rate limits. */
export function createRates(
  { counter }: Connections,
  options: ConnectionOptions,
  neighbours: Neighbours,
): RateServices | undefined {
  const { rateDefaults: defaults, logger, redisUrl } = options;
  if (counter === undefined || defaults === undefined) return undefined;
  let isAway = false;
  if (redisUrl !== undefined) neighbours.watch('redis', () => isAway);
  const limits = new RateLimits({
    counter,
    onOutage: (error) => {
      isAway = true;
      logger.warn({ err: error }, 'shared rate counting failed; each process limits by itself');
    },
    onRecovery: () => {
      isAway = false;
      logger.info('shared rate counting recovered');
    },
  });
  return { defaults, limits };
}

/** Measured before anything is stamped or due; without a response, a later measurement corrects the clock. */
export async function openClock(
  { jobPool }: Pick<Connections, 'jobPool'>,
  { logger, processClock }: { readonly logger: Logger; readonly processClock?: Clock | undefined },
): Promise<DatabaseClock> {
  const clock = new DatabaseClock({ database: jobPool, logger, processClock });
  await clock.measure().catch(() => undefined);
  return clock;
}
