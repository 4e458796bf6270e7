import { QueryTypes, Sequelize } from 'sequelize';
import { DatabaseFailure } from './database-failure.js';
import type { PoolState } from './read-pool.js';
import { EFFECTIVE_ROLE_CHECK, sessionSettings, usualPatience, type Patience } from './session-settings.js';

/** How to open the connection of the write model. */
export interface SequelizeOptions {
  readonly url: string;
  readonly poolSize: number;
  /** Transactions that may wait for a connection; more are refused at once. */
  readonly queueSize?: number | undefined;
  readonly patience?: Patience | undefined;
  onError(error: Error): void;
  /** Told of every statement; tests count with it. */
  onStatement?: ((sql: string) => void) | undefined;
}

interface RawClient {
  /** Whether statements are sent before those ahead of them are answered; Sequelize itself always waits. */
  pipeline: boolean;
  query(sql: string): Promise<unknown>;
  end(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): void;
}

/** What Sequelize's types leave out of its connection manager. */
interface PooledManager {
  readonly pool: {
    readonly size: number;
    readonly using: number;
    readonly waiting: number;
    acquire(): Promise<unknown>;
  };
}

/** How the pool of the write model stands. */
export function poolStateOf({ connectionManager }: Sequelize): PoolState {
  const { size: open, using: busy, waiting } = (connectionManager as unknown as PooledManager).pool;
  return { open, busy, waiting };
}

/**
 * Who would wait behind so many is better told now: the answer would come too late. Sequelize's hooks run before
 * a caller is counted as waiting, so that a burst would pass them; the pool itself counts at once.
 */
function boundQueue({ connectionManager }: Sequelize, queueSize: number): void {
  const { pool } = connectionManager as unknown as PooledManager;
  const acquire = pool.acquire.bind(pool);
  pool.acquire = () =>
    pool.waiting < queueSize ? acquire() : Promise.reject(new DatabaseFailure('unavailable', undefined));
}

/** Opens Sequelize on the write model as the service role. */
export function openSequelize(options: SequelizeOptions): Sequelize {
  const { url, poolSize, queueSize = Infinity, patience = usualPatience, onError, onStatement } = options;
  const { connectionMs } = patience;
  const sequelize = new Sequelize(url, {
    dialect: 'postgres',
    logging: onStatement ?? false,
    pool: { max: poolSize, min: 0, acquire: connectionMs, idle: 30_000 },
    dialectOptions: { application_name: 'headwater_service', connectionTimeoutMillis: connectionMs },
    retry: { max: 0 },
  });
  boundQueue(sequelize, queueSize);
  sequelize.addHook('afterConnect', async (connection) => {
    const client = connection as RawClient;
    client.on('error', onError);
    try {
      await client.query(sessionSettings('headwater_service', patience));
      client.pipeline = true;
    } catch (error) {
      // The pool never sees a connection that fails here, so nobody else would close it.
      await client.end().catch(onError);
      throw error;
    }
  });
  return sequelize;
}

/**
 * Refuses to serve with a role that the walls between tenants do not bind.
 * @throws Error naming the role and what to do
 */
export async function assertBoundRole(sequelize: Sequelize): Promise<void> {
  const rows = await sequelize.query<{ role: string; unbound: boolean; owner: boolean }>(
    EFFECTIVE_ROLE_CHECK,
    {
      type: QueryTypes.SELECT,
    },
  );
  const role = rows[0];
  if (role === undefined || role.unbound || role.owner) {
    throw new Error(
      `The database role ${role?.role ?? '(unknown)'} would bypass the walls between tenants: ` +
        'give a DATABASE_URL whose role may SET ROLE headwater_service.',
    );
  }
}
