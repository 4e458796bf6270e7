import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { lazy } from './lazy.js';
import { settled } from './promises.js';

export interface Quota {
  /** Caller and purpose: the same in every process. */
  readonly key: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

export interface SharedCounter {
  /** Adds points; returns the sum and the rest of this window. */
  add(quota: Quota, points: number): Promise<{ spent: number; msLeft: number }>;
  forget(key: string): Promise<unknown>;
}

/** A counter shared by all processes. */
export interface OpenCounter extends SharedCounter {
  /** Deletes windows that have ended. */
  prune(): Promise<void>;
  close(): void;
}

export interface CounterOptions {
  readonly redisUrl?: string | undefined;
  readonly database: { execute(sql: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }> };
}

/** The library only counts; leases apply the limits. */
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

/** Loads the client only if Redis is used. */
async function connectRedis(url: string) {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1000,
    commandTimeout: 500,
    // A failed connection must not delay the exit.
    disconnectTimeout: 100,
  });
  // Each failed command reports its own error.
  redis.on('error', () => undefined);
  const limiter = new RateLimiterRedis({ ...common, storeClient: redis, rejectIfRedisNotReady: true });
  return { redis, counter: toCounter(limiter) };
}

function openRedis(url: string): OpenCounter {
  const opening = lazy(() => connectRedis(url));
  void settled(opening.get());
  return {
    add: async (quota, points) => (await opening.get()).counter.add(quota, points),
    forget: async (key) => (await opening.get()).counter.forget(key),
    // Redis expires keys itself.
    prune: () => Promise.resolve(),
    close: () => {
      void opening.current().then((made) => made?.redis.disconnect());
    },
  };
}

/** Without Redis the table `rate_limits` counts. */
export const openCounter = (options: CounterOptions): OpenCounter =>
  options.redisUrl === undefined ? openPostgres(options) : openRedis(options.redisUrl);
