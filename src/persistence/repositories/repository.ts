import type { Model, ModelStatic } from 'sequelize';
import type { Change } from '../work/change-log.js';
import { DatabaseFailure, toDatabaseFailure } from '../connections/database-failure.js';
import { findNamedPage, type PageQuery } from './named-page.js';
import type { Statement } from '../connections/read-pool.js';
import type { BoundWork } from '../work/unit-of-work.js';

export { containing, type PageQuery } from './named-page.js';
export type { Statement } from '../connections/read-pool.js';

const holdKeys = {
  name: 'hold_keys',
  text: `SELECT pg_advisory_xact_lock(hashtextextended(key, 0))
    FROM unnest($1::text[]) WITH ORDINALITY AS given (key, place) ORDER BY place`,
};

/** Runs SQL in the unit of work's transaction and records changes in its log. */
export abstract class Repository {
  constructor(protected readonly bound: BoundWork) {}

  protected get tenantId(): string {
    return required(this.bound.scope.tenantId, 'tenant');
  }

  protected get projectId(): string {
    return required(this.bound.scope.projectId, 'project');
  }

  protected get environmentId(): string {
    return required(this.bound.scope.environmentId, 'environment');
  }

  /**
   * Sends at once; values are bound as `$1`, `$2` …. A named statement is prepared once per connection: for
   * frequent statements with fixed text.
   */
  protected async query<Row extends object>(
    statement: string | Statement,
    bind: readonly unknown[] = [],
  ): Promise<Row[]> {
    try {
      return await this.bound.connection.run<Row>(statement, bind);
    } catch (error) {
      throw toDatabaseFailure(error) ?? error;
    }
  }

  /** Locks names until the end of the transaction, shorter ones first. */
  protected async holdKeys(keys: Iterable<string>): Promise<void> {
    const ordered = [...new Set(keys)].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
    await this.query(holdKeys, [ordered]);
  }

  /** For statements that read or rewrite more than a request usually does. */
  protected async allowTime(seconds: number): Promise<void> {
    await this.bound.connection.allowTime(seconds);
  }

  /** Does not wait for a write; its failure fails the unit of work. */
  protected defer(write: Promise<unknown>): void {
    this.bound.connection.track(write);
  }

  protected page<Row extends object>(
    model: ModelStatic<Model<Row, Row>>,
    where: object,
    query: PageQuery,
  ): Promise<{ items: Row[]; total: number }> {
    return findNamedPage(model, query, { where, transaction: this.bound.transaction });
  }

  protected record(change: Change): void {
    this.bound.log.record(change);
  }

  /** Makes the unit of work run again: a row changed before it was locked. */
  protected retryFailure(): DatabaseFailure {
    return new DatabaseFailure('retry', undefined);
  }

  /** Turns a violated constraint among `failures` into its error. */
  protected async mapViolations<T>(
    write: Promise<T>,
    failures: Readonly<Record<string, () => Error>>,
  ): Promise<T> {
    try {
      return await write;
    } catch (error) {
      const failure = toDatabaseFailure(error);
      const known = failure?.constraint === undefined ? undefined : failures[failure.constraint];
      throw known?.() ?? failure ?? error;
    }
  }
}

function required(value: string | null, scope: string): string {
  if (value === null) throw new Error(`this unit of work has no ${scope}`);
  return value;
}
