import { Transaction, type Sequelize } from 'sequelize';
import { DatabaseFailure, isResultUnknown, READ_ONLY, toDatabaseFailure } from './database-failure.js';
import type { Statement } from './read-pool.js';
import { silenceLimit } from './session-settings.js';
import type { WriteClient, WritePool } from './write-pool.js';
import { awaitedLater } from '../../infrastructure/promises.js';

/** Passed to models as `transaction`: Sequelize sends their statements over its `connection`. */
class WorkTransaction extends Transaction {
  constructor(
    sequelize: Sequelize,
    readonly connection: WriteClient,
  ) {
    super(sequelize, {});
  }
}

const CONFIGURATIONS = 2000;
const configurations = new Map<string, Statement>();

/** A named statement for the driver, which copies own properties at each call: these are inherited. */
function configurationOf(name: string, text: string): Statement {
  const known = configurations.get(name);
  if (known?.text === text) return known;
  const configuration = Object.create({ name, text }) as Statement;
  if (configurations.size >= CONFIGURATIONS) configurations.clear();
  configurations.set(name, configuration);
  return configuration;
}

const IN_FAILED_TRANSACTION = '25P02';

const isConsequence = (error: unknown): boolean =>
  toDatabaseFailure(error)?.sqlState === IN_FAILED_TRANSACTION;

/**
 * The connection of one transaction. Statements are pipelined and those of one turn of the event loop sent
 * together, because round trips cost more than most statements. They run in order; after a failure the database
 * rejects the rest.
 */
export class WorkConnection {
  #isGathering = false;
  #isOver = false;
  /** The answer to the COMMIT of changes. */
  #committed: Promise<unknown> | undefined;
  readonly #unawaited = new Set<Promise<unknown>>();
  readonly #checks: Promise<unknown>[] = [];

  private constructor(
    private readonly client: WriteClient,
    private readonly pool: Pick<WritePool, 'onStatement' | 'traits'>,
    /** The same transaction, for models. */
    readonly transaction: Transaction,
  ) {}

  /**
   * Runs `work` in a transaction that `work` commits; otherwise it is rolled back.
   * @param begin SQL that opens the transaction, sent with the first statement
   * @throws the first failure, which caused the later ones; DatabaseFailure with `isOutcomeUnknown` when the
   * connection was lost before `commit` was answered
   */
  static async transact<T>(
    pool: WritePool,
    begin: string,
    work: (connection: WorkConnection) => Promise<T>,
  ): Promise<T> {
    const client = await pool.acquire();
    const transaction = new WorkTransaction(pool.sequelize, client);
    const connection = new WorkConnection(client, pool, transaction);
    let isUsable = true;
    try {
      connection.track(connection.run(begin));
      const answer = await work(connection);
      await connection.settle();
      return answer;
    } catch (error) {
      const cause = await connection.causeOf(error);
      const isOutcomeUnknown = await connection.#mayHaveCommitted(cause);
      isUsable = await connection.#end(cause);
      throw isOutcomeUnknown ? new DatabaseFailure('unavailable', cause, { isOutcomeUnknown }) : cause;
    } finally {
      await pool.release(client, isUsable);
    }
  }

  /** Sent at once, before the rows are awaited. */
  async run<Row extends object>(
    statement: string | Statement,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    const { rows } = await this.#send(statement, values);
    return rows as Row[];
  }

  /** Raises the limits of later statements of the transaction, in the database and for its silence. */
  async allowTime(seconds: number): Promise<void> {
    this.client.limitSilence(silenceLimit({ statementMs: seconds * 1000 }));
    await this.run("SELECT set_config('statement_timeout', $1, true)", [`${String(seconds)}s`]);
  }

  /** Does not wait for a statement; its failure still undoes the transaction. */
  track(answer: Promise<unknown>): void {
    this.#unawaited.add(answer);
    // {@link settle} waits for it.
    void awaitedLater(answer);
  }

  /** A condition from outside the database that must hold before the commit. */
  check(answer: Promise<unknown>): void {
    this.#checks.push(answer);
    this.track(answer);
  }

  async awaitChecks(): Promise<void> {
    await Promise.all(this.#checks);
  }

  /** Waits for tracked statements; throws the first failure, which stays for {@link causeOf}. */
  async settle(): Promise<void> {
    for (const answer of this.#unawaited) {
      await answer;
      this.#unawaited.delete(answer);
    }
  }

  /** Sent last: after any failure of an earlier statement nothing is committed. */
  async commit({ isReadOnly }: { readonly isReadOnly: boolean }): Promise<void> {
    this.#isOver = true;
    const sent = this.#send('COMMIT', []);
    if (!isReadOnly) this.#committed = sent;
    const { command } = await sent;
    await this.settle();
    if (command !== 'COMMIT') throw new Error('a statement failed and its error was never handled');
  }

  #send(given: string | Statement, values: readonly unknown[]) {
    const { onStatement, traits } = this.pool;
    const { text, name }: Statement = typeof given === 'string' ? { text: given } : given;
    onStatement?.(text);
    this.#gather();
    const isPrepared = traits.keepsStatements && name !== undefined;
    return this.client.query(isPrepared ? configurationOf(name, text) : text, values);
  }

  /** Collects statements until this turn's promises have run. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    const { stream } = this.client.connection;
    stream.cork();
    queueMicrotask(() => {
      process.nextTick(() => {
        this.#isGathering = false;
        stream.uncork();
      });
    });
  }

  /** The first of a failure and those of tracked statements. */
  async causeOf(error: unknown): Promise<unknown> {
    const unawaited = [...this.#unawaited];
    this.#unawaited.clear();
    const answers = await Promise.allSettled(unawaited);
    const failed = answers.find((answer) => answer.status === 'rejected' && !isConsequence(answer.reason));
    return failed?.status === 'rejected' ? failed.reason : error;
  }

  /** The server answers in order: a failure that it reported before its answer to COMMIT undid the transaction. */
  async #mayHaveCommitted(cause: unknown): Promise<true | undefined> {
    if (this.#committed === undefined) return undefined;
    const [answer] = await Promise.allSettled([this.#committed]);
    if (answer.status === 'fulfilled' || !isResultUnknown(answer.reason)) return undefined;
    const isReported = cause !== answer.reason && toDatabaseFailure(cause)?.sqlState !== undefined;
    return (!isReported && isResultUnknown(cause)) || undefined;
  }

  /** @returns whether the connection can be reused */
  async #end(cause: unknown): Promise<boolean> {
    const { kind, sqlState } = toDatabaseFailure(cause) ?? {};
    // A session keeps the read-only mode that it was opened in.
    if (sqlState === READ_ONLY) return false;
    if (this.#isOver) return kind !== 'unavailable';
    return this.run('ROLLBACK').then(
      () => true,
      () => false,
    );
  }
}
