import pg from 'pg';
import { traced, statementSpan } from '../../infrastructure/work-context.js';
import { DatabaseFailure, toDatabaseFailure } from './database-failure.js';
import { directTraits, type ConnectionTraits } from './pooling.js';
import {
  sessionSettings,
  transactionSettings,
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
  /** Of its connections; unset: as direct ones. */
  readonly traits?: ConnectionTraits | undefined;
  onError(error: Error): void;
  /** Receives every statement's name and text; tests count with it. */
  onStatement?: ((statement: string) => void) | undefined;
}

export interface PoolState {
  readonly open: number;
  readonly busy: number;
  readonly waiting: number;
}

/** Which servers may run a statement. */
export interface ServerTest {
  readonly test: string;
  accepts(row: object | undefined): boolean;
}

/** Runs prepared reads. */
export type StatementReader = Pick<ReadPool, 'run'>;

const tracedStatement = <T>(statement: Statement, send: () => Promise<T>): Promise<T> =>
  traced(() => statementSpan(statement), send);

const KEPT_PLANS = 'SET plan_cache_mode = force_generic_plan';
const OWN_PLANS = 'SET plan_cache_mode = auto';
const KEPT_PLAN = 'SET LOCAL plan_cache_mode = force_generic_plan;';

function onlyOne<Row extends object>([answer]: pg.QueryResult<Row>[]): pg.QueryResult<Row> {
  if (answer === undefined) throw new Error('a statement has no result');
  return answer;
}

type PipelinedClient = pg.PoolClient & SilenceBoundClient & { pipeline: boolean };

function markIdle(client: pg.PoolClient, isIdle: boolean): void {
  (client as pg.PoolClient & SilenceBoundClient).isIdle = isIdle;
}

/** Prepared reads on a separate pool. Fails with {@link DatabaseFailure}. */
export class ReadPool {
  readonly #pool: pg.Pool;
  readonly #onStatement: ((statement: string) => void) | undefined;

  readonly #queueSize: number;
  readonly #keepsPlans: boolean;
  readonly #traits: ConnectionTraits;
  /** Opens a transaction where connections keep no session. */
  readonly #begin: string;

  constructor(options: PoolOptions) {
    const {
      url,
      role,
      size,
      queueSize = Infinity,
      timeouts = defaultTimeouts,
      keepsPlans = false,
      traits = directTraits,
      onError,
      onStatement,
    } = options;
    this.#queueSize = queueSize;
    this.#keepsPlans = keepsPlans && traits.keepsStatements;
    this.#traits = traits;
    this.#begin = `BEGIN;${transactionSettings(role, timeouts)}`;
    this.#onStatement = onStatement;
    // pg awaits the hook's result; its types do not say so.
    const prepare: (client: pg.ClientBase) => unknown = (client) => {
      client.on('error', onError);
      if (traits.keepsSession)
        return client.query(`${sessionSettings(role, timeouts)}${this.#keepsPlans ? KEPT_PLANS : ''}`);
      (client as PipelinedClient).pipeline = true;
      return undefined;
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
    const { rows } = await tracedStatement(statement, () =>
      this.#query(this.#send<Row>(this.#admit(statement, values))),
    );
    return rows;
  }

  /**
   * Runs a statement on a server that passes a test, in the same session or transaction. The test is a statement whose
   * row is judged.
   * @returns undefined if it does not
   */
  async runIf<Row extends object>(
    { test, accepts }: ServerTest,
    statement: Statement,
    values: readonly unknown[],
  ): Promise<Row[] | undefined> {
    const query = this.#admit(statement, values);
    const answers = await tracedStatement(statement, () =>
      this.#query(
        this.#traits.keepsSession
          ? this.#inSession<Row>([test], query)
          : this.#transact<Row>({ text: test }, query),
      ),
    );
    const [tested, answer] = answers;
    return accepts(tested?.rows[0]) ? answer?.rows : undefined;
  }

  /** Runs a statement of a library. */
  async execute(sql: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }> {
    const query = { text: sql, ...(values && { values: [...values] }) };
    return tracedStatement(query, () =>
      this.#query(
        this.#traits.keepsSession
          ? this.#pool.query<Record<string, unknown>>(query)
          : this.#transact<Record<string, unknown>>(query).then(onlyOne),
      ),
    );
  }

  get state(): PoolState {
    const { totalCount: open, idleCount, waitingCount: waiting } = this.#pool;
    return { open, busy: open - idleCount, waiting };
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  #send<Row extends object>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    if (!this.#traits.keepsSession) return this.#transact<Row>(query).then(onlyOne);
    const isPlanned = this.#keepsPlans && query.name === undefined;
    return isPlanned ? this.#plan(query) : this.#pool.query<Row>(query);
  }

  #admit({ name, text }: Statement, values: readonly unknown[]): pg.QueryConfig {
    this.#onStatement?.(text);
    this.#assertRoom();
    return {
      text,
      values: [...values],
      ...(this.#traits.keepsStatements && name !== undefined && { name }),
    };
  }

  /** One transaction with its own settings, sent at once. A statement that fails makes the commit a rollback. */
  async #transact<Row extends object>(...queries: pg.QueryConfig[]): Promise<pg.QueryResult<Row>[]> {
    const client = (await this.#pool.connect()) as PipelinedClient;
    const { stream } = client.connection;
    const settings = this.#keepsPlans && queries.some(({ name }) => name !== undefined) ? KEPT_PLAN : '';
    stream.cork();
    const begun = client.query(`${this.#begin}${settings}`);
    const answers = queries.map((query) => client.query<Row>(query));
    const ended = client.query('COMMIT');
    stream.uncork();
    const [end] = await Promise.allSettled([ended, begun, ...answers]);
    client.release(end.status === 'rejected');
    await begun;
    const results = await Promise.all(answers);
    await ended;
    return results;
  }

  /** Plans a statement for its values. The caller does not wait until the connection keeps plans again. */
  async #plan<Row extends object>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    return onlyOne(await this.#inSession<Row>([], query));
  }

  /** Sends statements one after the other over one connection. */
  async #inSession<Row extends object>(
    before: readonly string[],
    query: pg.QueryConfig,
  ): Promise<pg.QueryResult<Row>[]> {
    const client = await this.#pool.connect();
    const isPlanned = this.#keepsPlans && query.name === undefined;
    const results: pg.QueryResult<Row>[] = [];
    try {
      for (const text of before) results.push(await client.query<Row>(text));
      if (isPlanned) await client.query(OWN_PLANS);
      results.push(await client.query<Row>(query));
      return results;
    } finally {
      if (!isPlanned) client.release();
      else
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
