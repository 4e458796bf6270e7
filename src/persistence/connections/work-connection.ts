import { Transaction, type Sequelize } from 'sequelize';
import { toDatabaseFailure } from './database-failure.js';
import type { Statement } from './read-pool.js';
import type { WriteClient, WritePool } from './write-pool.js';

/** Passed to models as `transaction`: Sequelize sends their statements over its `connection`. */
class WorkTransaction extends Transaction {
  constructor(
    sequelize: Sequelize,
    readonly connection: WriteClient,
  ) {
    super(sequelize, {});
  }
}

const IN_FAILED_TRANSACTION = '25P02';

const isConsequence = (error: unknown): boolean =>
  toDatabaseFailure(error)?.sqlState === IN_FAILED_TRANSACTION;

/**
 * The connection of one transaction. Statements are sent without waiting for the answers to those before, and
 * all of one turn of the event loop in one piece, because round trips cost more than most statements. The
 * database runs them in order, each with what was committed before it began; after a failure it refuses the rest.
 */
export class WorkConnection {
  #isGathering = false;
  #isOver = false;
  readonly #unawaited: Promise<unknown>[] = [];
  readonly #checks: Promise<unknown>[] = [];

  private constructor(
    private readonly client: WriteClient,
    private readonly onStatement: ((sql: string) => void) | undefined,
    /** The same transaction, for models. */
    readonly transaction: Transaction,
  ) {}

  /**
   * Runs `work` in a transaction, which `work` commits itself; where it fails or does not commit, it is rolled back.
   * @param begin SQL that opens the transaction; sent along with the first statement of `work`
   * @throws the first failure, which is the cause of those that come after it
   */
  static async transact<T>(
    pool: WritePool,
    begin: string,
    work: (connection: WorkConnection) => Promise<T>,
  ): Promise<T> {
    const client = await pool.acquire();
    const transaction = new WorkTransaction(pool.sequelize, client);
    const connection = new WorkConnection(client, pool.onStatement, transaction);
    let isUsable = true;
    try {
      connection.track(connection.run(begin));
      const answer = await work(connection);
      await connection.settle();
      return answer;
    } catch (error) {
      const cause = await connection.causeOf(error);
      isUsable = await connection.#end(cause);
      throw cause;
    } finally {
      await pool.release(client, isUsable);
    }
  }

  /** Rows of a statement; sent at once, before this is awaited. */
  async run<Row extends object>(
    statement: string | Statement,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    const { rows } = await this.#send(statement, values);
    return rows as Row[];
  }

  /** Lets a statement run without being waited for: that the database refuses it undoes the transaction. */
  track(answer: Promise<unknown>): void {
    this.#unawaited.push(answer);
    // Looked at when the others are through.
    answer.catch(() => undefined);
  }

  /** Something that this process finds out meanwhile and that must hold before anything is committed. */
  check(answer: Promise<unknown>): void {
    this.#checks.push(answer);
    this.track(answer);
  }

  /** Waits until every check is made. */
  async awaitChecks(): Promise<void> {
    await Promise.all(this.#checks);
  }

  /** Waits for what nobody has waited for; throws its first failure. */
  async settle(): Promise<void> {
    for (const answer of this.#unawaited.splice(0)) await answer;
  }

  /** Sent behind everything else; where something before it fails, nothing is committed. */
  async commit(): Promise<void> {
    this.#isOver = true;
    const { command } = await this.#send('COMMIT', []);
    await this.settle();
    if (command !== 'COMMIT') throw new Error('a statement failed and its error was never handled');
  }

  #send(given: string | Statement, values: readonly unknown[]) {
    const statement = typeof given === 'string' ? { text: given } : given;
    this.onStatement?.(statement.text);
    this.#gather();
    return this.client.query({ ...statement, values });
  }

  /** Holds back what is sent until this turn's promises are through. */
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

  /** Of a failure and what nobody has waited for, the failure that came first. */
  async causeOf(error: unknown): Promise<unknown> {
    const answers = await Promise.allSettled(this.#unawaited.splice(0));
    const failed = answers.find((answer) => answer.status === 'rejected' && !isConsequence(answer.reason));
    return failed?.status === 'rejected' ? failed.reason : error;
  }

  /** @returns whether the connection may serve others */
  async #end(cause: unknown): Promise<boolean> {
    if (this.#isOver) return toDatabaseFailure(cause)?.kind !== 'unavailable';
    return this.run('ROLLBACK').then(
      () => true,
      () => false,
    );
  }
}
