import type { Logger } from '../../infrastructure/logger.js';
import { openCounter, type OpenCounter } from '../../infrastructure/rate-counter.js';
import type { Neighbours } from '../../infrastructure/neighbours/neighbours.js';
import { RateLimits } from '../../infrastructure/rate-limits.js';
import {
  assertHears,
  inspectConnection,
  readHosts,
  type ConnectionTraits,
  type PreparedStatements,
} from '../../persistence/connections/pooling.js';
import { LogPositions } from '../../persistence/connections/log-positions.js';
import { ReadPool, type PoolOptions } from '../../persistence/connections/read-pool.js';
import {
  Replica,
  ReplicaReads,
  type ReplicaOptions,
  type ReplicaPools,
} from '../../persistence/connections/replicas.js';
import type { Coherence } from '../../infrastructure/coherence.js';
import { WritePool } from '../../persistence/connections/write-pool.js';
import { defaultTimeouts, type DatabaseTimeouts } from '../../persistence/connections/session-settings.js';
import type { RateDefaults, RateServices } from '../../procedures/index.js';
import type { Clock } from '../../infrastructure/clock.js';
import { DatabaseClock } from '../../infrastructure/database-clock.js';
import { settled } from '../../infrastructure/promises.js';

export interface ConnectionOptions {
  readonly serviceUrl: string;
  /** Its hosts, separated by commas, may be replicas. */
  readonly readUrl: string;
  /** For notifications; unset: that of the service. */
  readonly listenUrl?: string | undefined;
  /** Unset: `auto`. */
  readonly preparedStatements?: PreparedStatements | undefined;
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
  /** On the primary. */
  readonly readPool: ReadPool;
  readonly replicas: readonly Pick<ReplicaOptions, 'name' | 'open'>[];
  /** Of the replicas, once they are opened. */
  readonly reads?: ReplicaReads;
  /** Separate, so that the job queue never waits behind requests. */
  readonly jobPool: ReadPool;
}

const JOB_CONNECTIONS = 2;

/** By URL. */
interface Traits {
  readonly service: ConnectionTraits;
  readonly read: ConnectionTraits;
}

const inspectOptions = ({ listenUrl, timeouts = defaultTimeouts, ...options }: ConnectionOptions) => ({
  hasListenUrl: listenUrl !== undefined,
  preparedStatements: options.preparedStatements ?? ('auto' as const),
  limitMs: timeouts.connectionMs,
});

/**
 * Finds out what poolers keep, before anything is left in their sessions.
 * @throws Error, in one line that names the cause, when the service cannot work through one
 */
async function inspect(options: ConnectionOptions, readUrl: string): Promise<Traits> {
  const { serviceUrl, listenUrl, logger } = options;
  const common = inspectOptions(options);
  if (listenUrl !== undefined) await assertHears(listenUrl, serviceUrl, common);
  const service = await inspectConnection(serviceUrl, { ...common, setting: 'DATABASE_URL' });
  const read =
    readUrl === serviceUrl
      ? service
      : await inspectConnection(readUrl, { ...common, setting: 'DATABASE_READ_URL', hasListenUrl: true });
  if (common.preparedStatements === 'auto' && !(service.keepsStatements && read.keepsStatements))
    logger.info('the pooler keeps no prepared statements: each is planned again');
  return { service, read };
}

/** Where published reads go: a login on the primary, and the replicas. */
function readPlaces({ serviceUrl, readUrl }: Pick<ConnectionOptions, 'serviceUrl' | 'readUrl'>): {
  readonly primary: string;
  readonly replicas: readonly string[];
} {
  const service = new URL(serviceUrl);
  const hosts = readHosts(readUrl).map((host) => new URL(host));
  const isPrimary = ({ host, pathname }: URL): boolean =>
    host === service.host && pathname === service.pathname;
  const primary = new URL(hosts.find(isPrimary) ?? hosts[0] ?? service);
  // A replica has the logins of its primary.
  primary.hostname = service.hostname;
  primary.port = service.port;
  primary.pathname = service.pathname;
  return {
    primary: primary.href,
    replicas: hosts.filter((host) => !isPrimary(host)).map(({ href }) => href),
  };
}

/** Fails while the replica does not respond. */
async function openReplica(
  url: string,
  options: ConnectionOptions,
  pool: PoolOptions,
): Promise<ReplicaPools> {
  const setting = { setting: 'DATABASE_READ_URL', hasListenUrl: true };
  const traits = await inspectConnection(url, { ...inspectOptions(options), ...setting });
  const reads = new ReadPool({ ...pool, traits });
  const checks = new ReadPool({ ...pool, traits, size: 1, onStatement: undefined });
  const close = async (): Promise<void> => {
    await Promise.all([reads.close(), checks.close()]);
  };
  return { reads, checks, close };
}

/** Published reads on the replicas, if there are any, and what they need to have replayed. */
export function openReplicas(
  { readPool, replicas }: Pick<Connections, 'readPool' | 'replicas'>,
  coherence: Coherence,
  logger: Logger,
): { readonly reads: ReplicaReads; readonly positions: LogPositions | undefined } {
  const positions = new LogPositions(coherence);
  const onChange: ReplicaOptions['onChange'] = ({ replica, reason }) => {
    if (reason === undefined) logger.info({ replica }, 'replica used again');
    else logger.warn({ replica, reason }, 'replica left out');
  };
  const opened = replicas.map((replica) => new Replica({ ...replica, positions, onChange }));
  const reads = new ReplicaReads({ primary: readPool, replicas: opened, positions });
  return { reads, positions: opened.length === 0 ? undefined : positions };
}

/** Opens pools, and no connection of them yet. */
export async function connect(options: ConnectionOptions): Promise<Connections> {
  const { primary, replicas } = readPlaces(options);
  const traits = await inspect(options, primary);
  const { serviceUrl, poolSize, queueSize, timeouts, logger, onStatement, redisUrl } = options;
  const onError = (error: Error): void => {
    logger.warn({ reason: error.message }, 'database connection lost');
  };
  const pool = { onError, onStatement, queueSize, timeouts };
  const keyPool = new ReadPool({
    url: serviceUrl,
    role: 'headwater_service',
    size: Math.max(2, Math.ceil(poolSize / 4)),
    traits: traits.service,
    ...pool,
  });
  const readers = { role: 'headwater_reader', keepsPlans: true, ...pool } as const;
  return {
    replicas: replicas.map((url) => ({
      name: new URL(url).host,
      open: () => openReplica(url, options, { ...readers, size: poolSize, url }),
    })),
    counter: options.rateDefaults === undefined ? undefined : openCounter({ redisUrl, database: keyPool }),
    writePool: new WritePool({ url: serviceUrl, poolSize, traits: traits.service, ...pool }),
    keyPool,
    readPool: new ReadPool({ ...readers, url: primary, size: poolSize, traits: traits.read }),
    jobPool: new ReadPool({
      url: serviceUrl,
      role: 'headwater_service',
      size: JOB_CONNECTIONS,
      traits: traits.service,
      ...pool,
    }),
  };
}

export const disconnect = async (connections: Connections): Promise<void> => {
  const { counter, writePool, keyPool, readPool, jobPool, reads } = connections;
  counter?.close();
  await reads?.close();
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
  await settled(clock.measure());
  return clock;
}
