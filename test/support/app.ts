import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import http from 'node:http';
import pg from 'pg';
import supertest from 'supertest';
import type { MediaOptions } from '../../src/process/parts/media.js';
import { compose, type Composition } from '../../src/process/compose.js';
import type { CompositionOptions } from '../../src/process/parts/services.js';
import type { DatabaseTimeouts } from '../../src/persistence/connections/session-settings.js';
import { toDatabaseFailure } from '../../src/persistence/work/unit-of-work.js';
import { bounded } from './bounded.js';
import { watchedLogger } from './log-lines.js';
import { secretWatch } from './secrets/secret-watch.js';
import { watchedHandler } from './secrets/watched-handler.js';
import { answerWatch } from './answers/answer-watch.js';
import { filled } from './filled-xliff.js';
import { createTestDatabase } from './test-postgres.js';
import { testMedia } from './test-media.js';

/** Signs session tokens. */
export const testSecret = Buffer.from('a secret of the tests, more than thirty-two bytes long');
secretWatch.learn(testSecret.toString(), 'secret of sessions');

/** A service with its own database, listening on loopback. */
export interface TestApp {
  readonly composition: Composition;
  readonly baseUrl: string;
  readonly databaseUrl: string;
  /** The time of the service. */
  now(): Date;
  readonly media: MediaOptions;
  readonly request: ReturnType<typeof supertest>;
  /** Runs `work` and records every SQL statement of the service. */
  recordStatements<T>(work: () => Promise<T>): Promise<{ result: T; statements: string[] }>;
  /** Runs a statement as the owner; null sees the rows of every tenant. */
  rows<Row extends object>(tenantId: string | null, sql: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export type TestAppOptions = Partial<
  Pick<
    CompositionOptions,
    | 'clock'
    | 'dataRegion'
    | 'edge'
    | 'queryLimits'
    | 'logger'
    | 'media'
    | 'mcpAllowedOrigins'
    | 'neighbourMs'
    | 'metricsToken'
    | 'timeouts'
    | 'listenUrl'
    | 'poolSize'
    | 'preparedStatements'
    | 'promotionJobItems'
    | 'publicBaseUrl'
    | 'queueSize'
    | 'trustedProxies'
    | 'rateDefaults'
    | 'readUrl'
    | 'redisUrl'
    | 'reports'
    | 'retention'
    | 'role'
    | 'search'
    | 'serviceUrl'
    | 'smtp'
    | 'tokens'
    | 'tracer'
    | 'translator'
    | 'webhooks'
  >
>;

/** The owner's statements, on connections that stay open for the next ones. */
class OwnerRows {
  readonly #pool: pg.Pool;

  constructor(url: string) {
    this.#pool = new pg.Pool({ connectionString: url, max: 4, idleTimeoutMillis: 0, allowExitOnIdle: true });
    // A test may end it; the next statement opens another.
    this.#pool.on('error', () => undefined);
  }

  async query<Row extends object>(tenantId: string | null, sql: string, values: unknown[]): Promise<Row[]> {
    const client = await this.#pool.connect();
    try {
      await client.query(
        "SELECT set_config('headwater.tenant_id', $1, false), set_config('headwater.platform', $2, false)",
        [tenantId ?? '', tenantId === null ? 'on' : ''],
      );
      const { rows } = await client.query<Row>(sql, values);
      client.release();
      return rows;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** Longer than the product's bounds, which only their own tests use: the machine may be busy. */
const longTimeouts: DatabaseTimeouts = {
  connectionMs: 30_000,
  statementMs: 60_000,
  lockMs: 30_000,
  idleMs: 60_000,
};

/** Caches are used although the database of a busy machine replies late. */
const patientHeartbeat = { staleAfterMs: 60_000, replyMs: 30_000 };
/** A database that replies late is ready. */
const patientReadinessMs = 30_000;
/** Tests that count redirects write them themselves: the timer would write while another test counts statements. */
const patientHitSeconds = 3600;

/** Composes a service, again while PostgreSQL refuses connections because the machine is busy. */
async function composeWithRetry(options: CompositionOptions): Promise<Composition> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await compose(options);
    } catch (error) {
      if (toDatabaseFailure(error)?.kind !== 'unavailable' || attempt === 10) throw error;
    }
  }
}

/** Starts a service with its own database; close it after the tests of the file. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  return startOver(await createTestDatabase(), options);
}

/** Starts another service over the same database and files; close it before the first. */
export function startBeside(
  { databaseUrl: url, media }: Pick<TestApp, 'databaseUrl' | 'media'>,
  options: TestAppOptions = {},
): Promise<TestApp> {
  return startOver({ url, drop: () => Promise.resolve() }, { media, ...options });
}

const watches = { secrets: secretWatch, answers: answerWatch };

/** Adds the watches to every response. */
export function watchSecrets<Composed extends Pick<Composition, 'handler' | 'operations'>>(
  composed: Composed,
): Composed {
  return { ...composed, handler: watchedHandler(composed.handler, composed.operations, watches) };
}

/** Starts a service over a migrated database. */
export async function startOver(
  database: { readonly url: string; drop(): Promise<void> },
  options: TestAppOptions,
): Promise<TestApp> {
  let recorded: string[] | undefined;
  const media = options.media ?? testMedia();
  const composed = await composeWithRetry({
    serviceUrl: database.url,
    readUrl: database.url,
    poolSize: 8,
    timeouts: longTimeouts,
    heartbeat: patientHeartbeat,
    readinessMs: patientReadinessMs,
    redirectHitSeconds: patientHitSeconds,
    validatesOutput: true,
    tokens: { algorithm: 'HS256', issuer: 'headwater', audience: 'headwater', secret: testSecret },
    logger: watchedLogger(),
    mcpAllowedOrigins: [],
    queryLimits: { maxQueryDepth: 10, maxComplexity: 1000, maxReferenceDepth: 3 },
    webhooks: { allowLoopback: true },
    translator: { translate: (xliff) => Promise.resolve(filled(xliff)) },
    onStatement: (sql) => recorded?.push(sql),
    ...options,
    media,
  });
  const composition = watchSecrets(composed);
  const server = http.createServer(composition.handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const owner = new OwnerRows(database.url);
  const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    composition,
    baseUrl,
    databaseUrl: database.url,
    now: options.clock ?? (() => new Date()),
    media,
    request: supertest(baseUrl),
    recordStatements: async (work) => {
      const statements: string[] = [];
      recorded = statements;
      try {
        return { result: await work(), statements };
      } finally {
        recorded = undefined;
      }
    },
    rows: (tenantId, sql, values = []) => owner.query(tenantId, sql, values),
    close: async () => {
      composition.beginDrain();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await bounded('A service', Promise.all([composition.close(), owner.close()]));
      if (options.media === undefined) await rm(media.directory, { recursive: true, force: true });
      await database.drop();
    },
  };
}
