import {
  col,
  fn,
  literal,
  Op,
  where as compare,
  type Model,
  type ModelStatic,
  type Order,
  type Transaction,
  type WhereOptions,
} from 'sequelize';
import { inTextOrder } from '../../infrastructure/text-order.js';
import type { Change } from '../work/change-log.js';
import { DatabaseFailure, toDatabaseFailure } from '../connections/database-failure.js';
import type { Statement } from '../connections/read-pool.js';
import { FOR_ANY_VALUES, type BoundWork } from '../work/unit-of-work.js';

/**
 * Sort as `key:asc
 * desc`; filter by part of a name.
 */
export interface PageQuery {
  readonly page: number;
  readonly limit: number;
  readonly orderBy: string;
  readonly q?: string | undefined;
}

/** A LIKE pattern for "contains"; escapes wildcards. What it is compared with must be in NFC, as it is. */
export function containing(text: string): string {
  return `%${text.normalize('NFC').replace(/[\\%_]/g, '\\$&')}%`;
}

const texts: ReadonlySet<string> = new Set(['name', 'slug']);

/** Ties are broken by id. */
export async function findNamedPage<Row extends object>(
  model: ModelStatic<Model<Row, Row>>,
  { page, limit, orderBy, q }: PageQuery,
  { where, transaction }: { where: object; transaction: Transaction },
): Promise<{ items: Row[]; total: number }> {
  const [key = 'updatedAt', direction = 'desc'] = orderBy.split(':');
  const named = q === undefined ? [] : [compare(fn('normalize', col('name')), Op.iLike, containing(q))];
  const order: Order = [
    [texts.has(key) ? literal(inTextOrder(`"${key}"`)) : key, direction],
    ['id', direction],
  ];
  const { rows, count } = await model.findAndCountAll({
    where: { [Op.and]: [where, ...named] } as WhereOptions<Row>,
    order,
    limit,
    offset: (page - 1) * limit,
    transaction,
  });
  return { items: rows.map((row) => row.get()), total: count };
}

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

  /** Uses generic plans for the statements that follow: see `WorkRequest.plans`. */
  protected planForAnyValues(): void {
    this.defer(this.query(`SELECT ${FOR_ANY_VALUES}`));
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
