import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { lazy } from './lazy.js';

/** How much one caller may do in a window of time. */
export interface Quota {
  /** Who is counted, and for what: the same in every process. */
  readonly key: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Counts points of keys in windows of time. */
export interface SharedCounter {
  /** Adds points; answers how many are spent in this window and when it ends. */
  add(quota: Quota, points: number): Promise<{ spent: number; msLeft: number }>;
  forget(key: string): Promise<unknown>;
}

/** A counter that all processes share, with what it needs to be kept tidy. */
export interface OpenCounter extends SharedCounter {
  /** Removes windows that have ended. */
  prune(): Promise<void>;
  close(): void;
}

/** Where to count. */
export interface CounterOptions {
  /** Redis, where there is one. */
  readonly redisUrl?: string | undefined;
  readonly database: { execute(sql: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }> };
}

/** The library only counts: what a number means, the leases decide. */
const common = { keyPrefix: 'hw', points: 2_000_000_000, duration: 60 };
const HOUR_MILLISECONDS = 3_600_000;

function toCounter(limiter: RateLimiterAbstract): SharedCounter {
  return {
    add: async ({ key, windowSeconds }, points) => {
      const { consumedPoints, msBeforeNext } = await limiter.consume(key, points, {
        customDuration: windowSeconds,
      });
      return { spent: consumedPoints, msLeft: msBeforeNext };
    },
    forget: (key) => limiter.delete(key),
  };
}

/** Counts for this process alone. */
export const memoryCounter = (): SharedCounter => toCounter(new RateLimiterMemory(common));

function openPostgres({ database }: CounterOptions): OpenCounter {
  const limiter = new RateLimiterPostgres({
    ...common,
    storeClient: {
      query: ({ text, values }: { text: string; values?: unknown[] }) => database.execute(text, values),
    },
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
  });
  const prune = async (): Promise<void> => {
    await database.execute('DELETE FROM rate_limits WHERE expire < $1', [Date.now() - HOUR_MILLISECONDS]);
  };
  return { ...toCounter(limiter), prune, close: () => undefined };
}

/** Begins to connect; the client is loaded only where there is a Redis. */
async function connectRedis(url: string) {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1000,
    commandTimeout: 500,
    // A connection that could not be made is given up at once, and does not hold up the end of the process.
    disconnectTimeout: 100,
  });
  // Every failed command is told of by itself.
  redis.on('error', () => undefined);
  const limiter = new RateLimiterRedis({ ...common, storeClient: redis, rejectIfRedisNotReady: true });
  return { redis, counter: toCounter(limiter) };
}

function openRedis(url: string): OpenCounter {
  const opening = lazy(() => connectRedis(url));
  void opening.get().catch(() => undefined);
  return {
    add: async (quota, points) => (await opening.get()).counter.add(quota, points),
    forget: async (key) => (await opening.get()).counter.forget(key),
    // Redis forgets by itself.
    prune: () => Promise.resolve(),
    close: () => {
      void opening.current().then((made) => made?.redis.disconnect());
    },
  };
}

/** Opens the counter in Redis where there is one, else in the table `rate_limits` of PostgreSQL. */
export const openCounter = (options: CounterOptions): OpenCounter =>
  options.redisUrl === undefined ? openPostgres(options) : openRedis(options.redisUrl);
