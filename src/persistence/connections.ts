import type { Sequelize } from 'sequelize';
import type { Logger } from '../infrastructure/logger.js';
import { ReadPool } from './read-pool.js';
import { openSequelize } from './sequelize.js';

/** The pools of the process. */
export interface Connections {
  readonly sequelize: Sequelize;
  /** Looks keys up as the service role, apart from the transactions. */
  readonly keyPool: ReadPool;
  readonly readPool: ReadPool;
  /** The job queue's own, so that it never waits behind requests. */
  readonly jobPool: ReadPool;
}

/** How to open the pools. */
interface ConnectionOptions {
  /** Connection strings: of the write model, and of the read model if that is elsewhere. */
  readonly serviceUrl: string;
  readonly readUrl: string;
  readonly poolSize: number;
  readonly queueSize?: number | undefined;
  readonly logger: Logger;
  readonly onStatement?: ((sql: string) => void) | undefined;
}

const JOB_CONNECTIONS = 2;

/** Opens the pools; nothing is connected before the first statement. */
export function connect({
  serviceUrl,
  readUrl,
  poolSize,
  queueSize,
  logger,
  onStatement,
}: ConnectionOptions): Connections {
  const onError = (error: Error): void => {
    logger.warn({ reason: error.message }, 'a database connection was lost');
  };
  const pool = { onError, onStatement, queueSize };
  return {
    sequelize: openSequelize({ url: serviceUrl, poolSize, ...pool }),
    keyPool: new ReadPool({
      url: serviceUrl,
      role: 'headwater_service',
      size: Math.max(2, Math.ceil(poolSize / 4)),
      ...pool,
    }),
    readPool: new ReadPool({ url: readUrl, role: 'headwater_reader', size: poolSize, ...pool }),
    jobPool: new ReadPool({ url: serviceUrl, role: 'headwater_service', size: JOB_CONNECTIONS, ...pool }),
  };
}

/** Closes the pools. */
export const disconnect = async ({ sequelize, keyPool, readPool, jobPool }: Connections): Promise<void> => {
  await Promise.all([sequelize.close(), keyPool.close(), readPool.close(), jobPool.close()]);
};
