import { Sequelize } from 'sequelize';
import { currentSpan, traced, errorType, statementSpan } from '../../infrastructure/work-context.js';
import { DatabaseFailure } from './database-failure.js';
import { directTraits, type ConnectionTraits } from './pooling.js';
import type { PoolState, ReadPool, Statement } from './read-pool.js';
import {
  EFFECTIVE_ROLE_CHECK,
  sessionSettings,
  transactionSettings,
  defaultTimeouts,
  silenceLimit,
  type DatabaseTimeouts,
  isSilence,
  silenceBoundDriver,
  type SilenceBoundClient,
} from './session-settings.js';
import { settled } from '../../infrastructure/promises.js';

interface WritePoolOptions {
  readonly url: string;
  readonly poolSize: number;
  /** Transactions that may wait for a connection; more fail at once. Unset: no limit. */
  readonly queueSize?: number | undefined;
  readonly timeouts?: DatabaseTimeouts | undefined;
  /** Of its connections; unset: as direct ones. */
  readonly traits?: ConnectionTraits | undefined;
  onError(error: Error): void;
  /** Receives every SQL statement; tests count with it. */
  onStatement?: ((sql: string) => void) | undefined;
}

interface QueryResult {
  readonly rows: unknown[];
  /** COMMIT of a failed transaction returns ROLLBACK. */
  readonly command: string;
}

export interface WriteClient extends Pick<
  SilenceBoundClient,
  'connection' | 'end' | 'limitSilence' | 'destroy'
> {
  /** Sends statements before earlier ones are answered; Sequelize always waits. */
  pipeline: boolean;
  query(statement: Statement | string, values?: readonly unknown[]): Promise<QueryResult>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

type AnyQuery = (first: unknown, ...rest: unknown[]) => Promise<unknown> | undefined;
type QueryCallback = (error: unknown, result: unknown) => void;

/** Statements of units of work await a promise, those of models pass a callback. */
function traceStatements(client: WriteClient): void {
  const send = client.query.bind(client) as unknown as AnyQuery;
  const query: AnyQuery = (first, ...rest) => {
    const unit = currentSpan();
    if (unit === undefined) return send(first, ...rest);
    const statement = typeof first === 'string' ? { text: first } : (first as Statement);
    const callback = rest.at(-1);
    if (typeof callback !== 'function')
      return traced(
        () => statementSpan(statement),
        async () => send(first, ...rest),
      );
    const span = unit.child(statementSpan(statement));
    const done: QueryCallback = (error, result) => {
      if (error) span.fail(errorType(error));
      span.end();
      (callback as QueryCallback)(error, result);
    };
    return send(first, ...rest.slice(0, -1), done);
  };
  Object.assign(client, { query });
}

/** Connections as the service role: Sequelize for models, and its pool for transactions. */
export class WritePool {
  readonly sequelize: Sequelize;
  readonly onStatement: ((sql: string) => void) | undefined;
  readonly traits: ConnectionTraits;
  /** SQL that follows BEGIN, where connections keep no session. */
  readonly transactionSettings: string;
  readonly #options: WritePoolOptions;
  /** Connections that Sequelize's pool has dropped. */
  readonly #failed = new WeakSet<object>();
  readonly #idle = new Set<WriteClient>();
  readonly #silenceMs: number;
  #open = 0;
  #busy = 0;
  #pending = 0;

  constructor(options: WritePoolOptions) {
    const { url, poolSize, timeouts = defaultTimeouts, traits = directTraits, onStatement } = options;
    this.#options = options;
    this.traits = traits;
    this.transactionSettings = traits.keepsSession ? '' : transactionSettings('headwater_service', timeouts);
    this.onStatement = onStatement;
    this.#silenceMs = silenceLimit(timeouts);
    this.sequelize = new Sequelize({
      dialect: 'postgres',
      dialectModule: silenceBoundDriver(url, this.#silenceMs),
      logging: onStatement ?? false,
      pool: { max: poolSize, min: 0, acquire: timeouts.connectionMs, idle: 30_000 },
      dialectOptions: {
        application_name: 'headwater_service',
        connectionTimeoutMillis: timeouts.connectionMs,
        // Sequelize would set it for the session; each transaction does.
        ...(!traits.keepsSession && { clientMinMessages: 'ignore' }),
      },
      // Sequelize's types lack it.
      ...({ keepDefaultTimezone: !traits.keepsSession } as object),
      retry: { max: 0 },
    });
    this.sequelize.addHook('afterConnect', (connection) => this.#prepare(connection as WriteClient));
    this.sequelize.addHook('afterDisconnect', (connection) => {
      this.#idle.delete(connection as WriteClient);
      this.#open -= 1;
    });
  }

  get state(): PoolState {
    return { open: this.#open, busy: this.#busy, waiting: Math.max(0, this.#waiting) };
  }

  /**
   * A connection for one transaction; return it with {@link release}.
   * @throws DatabaseFailure `unavailable` at once when the queue is full
   */
  async acquire(): Promise<WriteClient> {
    if (this.#waiting >= (this.#options.queueSize ?? Infinity))
      throw new DatabaseFailure('unavailable', undefined);
    this.#pending += 1;
    try {
      const client = (await this.sequelize.connectionManager.getConnection({ type: 'write' })) as WriteClient;
      this.#idle.delete(client);
      client.limitSilence(this.#silenceMs);
      this.#busy += 1;
      return client;
    } finally {
      this.#pending -= 1;
    }
  }

  /** @param isUsable false closes the connection */
  async release(client: WriteClient, isUsable: boolean): Promise<void> {
    this.#busy -= 1;
    if (this.#failed.has(client)) return;
    const { connectionManager } = this.sequelize;
    if (isUsable) {
      client.limitSilence(0);
      this.#idle.add(client);
      connectionManager.releaseConnection(client);
    } else await settled(connectionManager.destroyConnection(client));
  }

  async close(): Promise<void> {
    await this.sequelize.close();
  }

  /** Requests beyond those that a free connection can serve. */
  get #waiting(): number {
    return this.#pending - (this.#options.poolSize - this.#busy);
  }

  /** One silent connection makes the others suspect, which would each cost a request its time limit. */
  #closeIdle(): void {
    for (const client of this.#idle) client.destroy();
    this.#idle.clear();
  }

  async #prepare(client: WriteClient): Promise<void> {
    const { onError, timeouts } = this.#options;
    client.on('error', (error) => {
      this.#failed.add(client);
      this.#idle.delete(client);
      if (isSilence(error)) this.#closeIdle();
      onError(error);
    });
    try {
      if (this.traits.keepsSession) await client.query(sessionSettings('headwater_service', timeouts));
      client.pipeline = true;
      traceStatements(client);
      client.limitSilence(0);
      this.#open += 1;
    } catch (error) {
      // Not yet in the pool, so it is closed here.
      await client.end().catch(onError);
      throw error;
    }
  }
}

/** @throws Error that names the fix if the role bypasses row-level security */
export async function assertBoundRole(pool: Pick<ReadPool, 'execute'>): Promise<void> {
  const { rows } = await pool.execute(EFFECTIVE_ROLE_CHECK);
  const [role] = rows as { role: string; unbound: boolean; owner: boolean }[];
  if (role === undefined || role.unbound || role.owner) {
    throw new Error(
      `The database role ${role?.role ?? '(unknown)'} would bypass the walls between tenants: ` +
        'give a DATABASE_URL whose role may SET ROLE headwater_service.',
    );
  }
}
