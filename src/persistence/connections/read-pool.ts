import pg from 'pg';
import { DatabaseFailure, toDatabaseFailure } from './database-failure.js';
import {
  sessionSettings,
  defaultTimeouts,
  type DatabaseRole,
  type DatabaseTimeouts,
} from './session-settings.js';

/** A statement. With a name it is prepared once per connection; one made for a single request has none. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** How to open a pool. */
export interface PoolOptions {
  readonly url: string;
  readonly role: DatabaseRole;
  readonly size: number;
  /** Statements that may wait for a connection; more are refused at once. */
  readonly queueSize?: number | undefined;
  readonly timeouts?: DatabaseTimeouts | undefined;
  onError(error: Error): void;
  /** Told of every statement's name and text; tests count with it. */
  onStatement?: ((statement: string) => void) | undefined;
}

/** Connections of a pool: open, at work, and statements that wait for one. */
export interface PoolState {
  readonly open: number;
  readonly busy: number;
  readonly waiting: number;
}

/** Prepared reads over a pool of its own. Failures are {@link DatabaseFailure}s. */
export class ReadPool {
  readonly #pool: pg.Pool;
  readonly #onStatement: ((statement: string) => void) | undefined;

  readonly #queueSize: number;

  constructor(options: PoolOptions) {
    const {
      url,
      role,
      size,
      queueSize = Infinity,
      timeouts = defaultTimeouts,
      onError,
      onStatement,
    } = options;
    this.#queueSize = queueSize;
    this.#onStatement = onStatement;
    // pg waits for what the hook returns before the connection serves anybody; its types do not say so.
    const prepare: (client: pg.ClientBase) => unknown = (client) => {
      client.on('error', onError);
      return client.query(sessionSettings(role, timeouts));
    };
    this.#pool = new pg.Pool({
      connectionString: url,
      max: size,
      connectionTimeoutMillis: timeouts.connectionMs,
      idleTimeoutMillis: 30_000,
      application_name: role,
      // Awaited before the connection serves anybody.
      onConnect: prepare,
    });
    // Without a listener, a server that goes away would end the process.
    this.#pool.on('error', onError);
  }

  async run<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    this.#onStatement?.(statement.text);
    this.#assertRoom();
    try {
      const { rows } = await this.#pool.query<Row>({ ...statement, values: [...values] });
      return rows;
    } catch (error) {
      throw toDatabaseFailure(error) ?? error;
    }
  }

  /** Runs a statement that somebody else wrote, such as a library's, as it is. */
  async execute(sql: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }> {
    try {
      return await this.#pool.query<Record<string, unknown>>(sql, values && [...values]);
    } catch (error) {
      throw toDatabaseFailure(error) ?? error;
    }
  }

  /** How the pool stands. */
  get state(): PoolState {
    const { totalCount: open, idleCount, waitingCount: waiting } = this.#pool;
    return { open, busy: open - idleCount, waiting };
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** Who would wait behind so many is better told now: the answer would come too late. */
  #assertRoom(): void {
    if (this.#pool.waitingCount >= this.#queueSize) throw new DatabaseFailure('unavailable', undefined);
  }
}
