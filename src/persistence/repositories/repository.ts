import type { Model, ModelStatic } from 'sequelize';
import type { Change } from '../work/change-log.js';
import { DatabaseFailure, toDatabaseFailure } from '../connections/database-failure.js';
import { findNamedPage, type PageQuery } from './named-page.js';
import type { Statement } from '../connections/read-pool.js';
import type { BoundWork } from '../work/unit-of-work.js';

export { containing, type PageQuery } from './named-page.js';
export type { Statement } from '../connections/read-pool.js';

/** Base of every repository: SQL inside the unit of work's transaction, changes into its log. */
export abstract class Repository {
  constructor(protected readonly bound: BoundWork) {}

  /** The tenant of this work; a repository of tenant data is never used without one. */
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
   * Rows of a statement, which is sent at once; values are bound as `$1`, `$2` … One with a name is prepared once per
   * connection: for what is run often and always reads the same.
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

  /** Lets a write run without being waited for; where the database refuses it, the whole work fails with that. */
  protected defer(write: Promise<unknown>): void {
    this.bound.connection.track(write);
  }

  /** One page of a model's rows within `where`, by name and in the order asked for. */
  protected page<Row extends object>(
    model: ModelStatic<Model<Row, Row>>,
    where: object,
    query: PageQuery,
  ): Promise<{ items: Row[]; total: number }> {
    return findNamedPage(model, query, { where, transaction: this.bound.transaction });
  }

  /** Notes one change for the audit record. */
  protected record(change: Change): void {
    this.bound.log.record(change);
  }

  /** Gives this run of the work up, to be run again from its beginning: something changed that it had not locked. */
  protected retryFailure(): DatabaseFailure {
    return new DatabaseFailure('retry', undefined);
  }

  /** Runs a write; a broken constraint among `failures` becomes that error. */
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
