import type { Logger } from '../../infrastructure/logger.js';
import { openCounter, type OpenCounter } from '../../infrastructure/rate-counter.js';
import { RateLimits } from '../../infrastructure/rate-limits.js';
import { ReadPool } from '../../persistence/connections/read-pool.js';
import { WritePool } from '../../persistence/connections/write-pool.js';
import type { DatabaseTimeouts } from '../../persistence/connections/session-settings.js';
import type { RateDefaults, RateServices } from '../../procedures/index.js';

/** What the process connects to, and how. */
export interface ConnectionOptions {
  /** Connection strings: of the write model, and of the read model if that is elsewhere. */
  readonly serviceUrl: string;
  readonly readUrl: string;
  readonly poolSize: number;
  /** What may wait for a connection, per pool; unset: nothing is refused for it. */
  readonly queueSize?: number | undefined;
  /** How long work waits for the database. */
  readonly timeouts?: DatabaseTimeouts | undefined;
  /** Requests per minute by who calls. Unset: nothing is limited. */
  readonly rateDefaults?: RateDefaults | undefined;
  /** Where requests are counted, if not in the database. */
  readonly redisUrl?: string | undefined;
  readonly logger: Logger;
  /** Told of every SQL statement. */
  readonly onStatement?: ((sql: string) => void) | undefined;
}

/** The pools of the process. */
export interface Connections {
  /** Counts requests; absent where nothing is limited. */
  readonly counter: OpenCounter | undefined;
  readonly writePool: WritePool;
  /** Looks keys up as the service role, apart from the transactions. */
  readonly keyPool: ReadPool;
  readonly readPool: ReadPool;
  /** The job queue's own, so that it never waits behind requests. */
  readonly jobPool: ReadPool;
}

const JOB_CONNECTIONS = 2;

/** Opens the pools; nothing is asked of them yet. */
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
    readPool: new ReadPool({ url: readUrl, role: 'headwater_reader', size: poolSize, ...pool }),
    jobPool: new ReadPool({ url: serviceUrl, role: 'headwater_service', size: JOB_CONNECTIONS, ...pool }),
  };
}

/** Closes what {@link connect} opened. */
export const disconnect = async (connections: Connections): Promise<void> => {
  const { counter, writePool, keyPool, readPool, jobPool } = connections;
  counter?.close();
  await Promise.all([writePool.close(), keyPool.close(), readPool.close(), jobPool.close()]);
};

/** What limits requests; undefined where nothing is limited. */
export function createRates({ counter }: Connections, options: ConnectionOptions): RateServices | undefined {
  const { rateDefaults: defaults, logger } = options;
  if (counter === undefined || defaults === undefined) return undefined;
  const limits = new RateLimits({
    counter,
    onOutage: (error) => {
      logger.warn({ err: error }, 'shared rate counting failed; each process limits by itself');
    },
    onRecovery: () => {
      logger.info('shared rate counting recovered');
    },
  });
  return { defaults, limits };
}
