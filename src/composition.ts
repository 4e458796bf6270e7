import type { RequestListener } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Sequelize } from 'sequelize';
import { SessionTokens, type TokenSettings } from './access/session-token.js';
import { createApp, type App } from './app.js';
import { ApiKeyLookup } from './features/api-keys/index.js';
import { CatalogStore, EnvironmentHeads } from './features/catalog/index.js';
import { PublishedDocuments } from './features/delivery/index.js';
import { systemClock, type Clock } from './infrastructure/clock.js';
import { newId } from './infrastructure/ids.js';
import type { Logger } from './infrastructure/logger.js';
import { defineModels } from './persistence/models/index.js';
import { ReadPool } from './persistence/read-pool.js';
import { assertBoundRole, openSequelize } from './persistence/sequelize.js';
import { UnitOfWorkFactory } from './persistence/unit-of-work.js';
import { appRouter, boundOperations, type BoundOperation, type Services } from './procedures/index.js';

/** What the process is made from. */
export interface CompositionOptions {
  /** Connection strings: of the write model, and of the read model if that is elsewhere. */
  readonly serviceUrl: string;
  readonly readUrl: string;
  readonly poolSize: number;
  readonly tokens: TokenSettings;
  readonly logger: Logger;
  readonly dataRegion?: string | undefined;
  readonly mcpAllowedOrigins: readonly string[];
  readonly queryLimits: {
    readonly maxQueryDepth: number;
    readonly maxComplexity: number;
    readonly maxReferenceDepth: number;
  };
  readonly clock?: Clock | undefined;
  /** Told of every SQL statement. */
  readonly onStatement?: ((sql: string) => void) | undefined;
}

/** A composed process: its request handler, its operations for the command line, and its end. */
export interface Composition {
  readonly handler: RequestListener;
  readonly services: Services;
  readonly operations: readonly BoundOperation[];
  /** Readiness turns false, so that a balancer sends no more requests. */
  beginDrain(): void;
  close(): Promise<void>;
}

/** Catalogs of this many environments are remembered. */
const REMEMBERED_ENVIRONMENTS = 500;

interface Connections {
  readonly sequelize: Sequelize;
  /** Looks keys up as the service role, apart from the transactions. */
  readonly keyPool: ReadPool;
  readonly readPool: ReadPool;
}

function connect({ serviceUrl, readUrl, poolSize, logger, onStatement }: CompositionOptions): Connections {
  const onError = (error: Error): void => {
    logger.warn({ err: error }, 'a database connection was lost');
  };
  const pool = { onError, onStatement };
  return {
    sequelize: openSequelize({ url: serviceUrl, poolSize, ...pool }),
    keyPool: new ReadPool({
      url: serviceUrl,
      role: 'headwater_service',
      size: Math.max(2, Math.ceil(poolSize / 4)),
      ...pool,
    }),
    readPool: new ReadPool({ url: readUrl, role: 'headwater_reader', size: poolSize, ...pool }),
  };
}

function servicesOver(
  { sequelize, keyPool, readPool }: Connections,
  { tokens, clock = systemClock }: CompositionOptions,
): Services {
  const memory = new LRUCache<string, object>({ max: REMEMBERED_ENVIRONMENTS });
  const units = new UnitOfWorkFactory({
    sequelize,
    models: defineModels(sequelize),
    memory,
    now: clock,
    newId,
  });
  return {
    clock,
    units,
    catalogs: new CatalogStore({ heads: new EnvironmentHeads(readPool), units, memory }),
    keys: new ApiKeyLookup(keyPool),
    tokens: new SessionTokens(tokens),
    publishedDocuments: (environmentId) => new PublishedDocuments(readPool, environmentId),
  };
}

/**
 * Wires the process; the only file that knows which part uses which.
 * @throws Error where the database role would bypass the walls between tenants
 */
export async function compose(options: CompositionOptions): Promise<Composition> {
  const connections = connect(options);
  const { sequelize, keyPool, readPool } = connections;
  await assertBoundRole(sequelize).catch(async (error: unknown) => {
    await Promise.all([sequelize.close(), keyPool.close(), readPool.close()]);
    throw error;
  });
  const services = servicesOver(connections, options);
  const operations = boundOperations(appRouter);
  const app: App = createApp({
    services,
    operations,
    logger: options.logger,
    dataRegion: options.dataRegion,
    mcpAllowedOrigins: options.mcpAllowedOrigins,
    queryLimits: options.queryLimits,
    checkDatabase: async () => void (await readPool.run({ name: 'ready', text: 'SELECT 1 AS ready' }, [])),
  });
  return {
    handler: app.handler,
    services,
    operations,
    beginDrain: app.beginDrain,
    close: async () => {
      app.beginDrain();
      await Promise.all([sequelize.close(), keyPool.close(), readPool.close()]);
    },
  };
}
