import pg from 'pg';
import { DatabaseFailure, toDatabaseFailure } from './database-failure.js';
import {
  sessionSettings,
  defaultTimeouts,
  silenceLimit,
  type DatabaseRole,
  type DatabaseTimeouts,
  isSilence,
  silenceBound,
  type SilenceBoundClient,
} from './session-settings.js';

/** Named statements are prepared once per connection; one-off statements have no name. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

export interface PoolOptions {
  readonly url: string;
  readonly role: DatabaseRole;
  readonly size: number;
  /** Statements that may wait for a connection; more fail at once. */
  readonly queueSize?: number | undefined;
  readonly timeouts?: DatabaseTimeouts | undefined;
  /** Plans named statements once for any values: planning costs more than most of them. */
  readonly keepsPlans?: boolean;
  onError(error: Error): void;
  /** Receives every statement's name and text; tests count with it. */
  onStatement?: ((statement: string) => void) | undefined;
}

export interface PoolState {
  readonly open: number;
  readonly busy: number;
  readonly waiting: number;
}

/** Runs prepared reads. */
export type StatementReader = Pick<ReadPool, 'run'>;

const KEPT_PLANS = 'SET plan_cache_mode = force_generic_plan';
const OWN_PLANS = 'SET plan_cache_mode = auto';

function markIdle(client: pg.PoolClient, isIdle: boolean): void {
  (client as pg.PoolClient & SilenceBoundClient).isIdle = isIdle;
}

/** Prepared reads on a separate pool. Fails with {@link DatabaseFailure}. */
export class ReadPool {
  readonly #pool: pg.Pool;
  readonly #onStatement: ((statement: string) => void) | undefined;

  readonly #queueSize: number;
  readonly #keepsPlans: boolean;

  constructor(options: PoolOptions) {
    const {
      url,
      role,
      size,
      queueSize = Infinity,
      timeouts = defaultTimeouts,
      keepsPlans = false,
      onError,
      onStatement,
    } = options;
    this.#queueSize = queueSize;
    this.#keepsPlans = keepsPlans;
    this.#onStatement = onStatement;
    // pg awaits the hook's result; its types do not say so.
    const prepare: (client: pg.ClientBase) => unknown = (client) => {
      client.on('error', onError);
      return client.query(`${sessionSettings(role, timeouts)}${keepsPlans ? KEPT_PLANS : ''}`);
    };
    this.#pool = new pg.Pool({
      Client: silenceBound(silenceLimit(timeouts)),
      connectionString: url,
      max: size,
      connectionTimeoutMillis: timeouts.connectionMs,
      idleTimeoutMillis: 30_000,
      application_name: role,
      onConnect: prepare,
    });
    // Without a listener, a lost server would end the process.
    this.#pool.on('error', onError);
    this.#pool.on('acquire', (client) => {
      markIdle(client, false);
    });
    this.#pool.on('release', (_error, client) => {
      markIdle(client, true);
    });
  }

  async run<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    this.#onStatement?.(statement.text);
    this.#assertRoom();
    const query = { ...statement, values: [...values] };
    const isPlanned = this.#keepsPlans && statement.name === undefined;
    const { rows } = await this.#query(isPlanned ? this.#plan<Row>(query) : this.#pool.query<Row>(query));
    return rows;
  }

  /** Runs a statement of a library. */
  async execute(sql: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }> {
    return this.#query(this.#pool.query<Record<string, unknown>>(sql, values && [...values]));
  }

  get state(): PoolState {
    const { totalCount: open, idleCount, waitingCount: waiting } = this.#pool;
    return { open, busy: open - idleCount, waiting };
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** Plans a statement for its values. The caller does not wait until the connection keeps plans again. */
  async #plan<Row extends object>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    const client = await this.#pool.connect();
    try {
      await client.query(OWN_PLANS);
      return await client.query<Row>(query);
    } finally {
      client.query(KEPT_PLANS).then(
        () => {
          client.release();
        },
        () => {
          client.release(true);
        },
      );
    }
  }

  async #query<Result>(answer: Promise<Result>): Promise<Result> {
    try {
      return await answer;
    } catch (error) {
      if (isSilence(error)) this.#closeIdle();
      throw toDatabaseFailure(error) ?? error;
    }
  }

  /** One silent connection makes the others suspect, which would each cost a request its time limit. */
  #closeIdle(): void {
    for (let count = this.#pool.idleCount; count > 0; count -= 1)
      this.#pool.connect().then(
        (client) => {
          client.release(true);
        },
        () => undefined,
      );
  }

  /** Fails early: a longer wait would time out. */
  #assertRoom(): void {
    if (this.#pool.waitingCount >= this.#queueSize) throw new DatabaseFailure('unavailable', undefined);
  }
}
