import type { AuditSubject, AuditVerb } from '../../../contracts/change-names.js';
import type { CreationAttributes, Model, ModelStatic, Transaction, WhereOptions } from 'sequelize';
import { isUuid } from '../../infrastructure/ids.js';
import type { Models } from '../models/index.js';
import type { Change, Snapshot } from '../work/change-log.js';
import { findNamedPage, type PageQuery, Repository } from './repository.js';

interface RowPage<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

export interface TableDefinition<Row extends object> {
  readonly model: (models: Models) => ModelStatic<Model<Row, Row>>;
  /** Target type of audit records and prefix of their actions: `api_key` gives `api_key.create`. */
  readonly resource: AuditSubject;
  readonly notFound: () => Error;
  /** The column callers address rows by. An `id` that is no UUID is not found. */
  readonly key?: 'id' | 'slug';
  /** The error of each constraint that a write may violate. */
  readonly violations?: Readonly<Record<string, (row: Row) => Error>>;
}

/**
 * A repository of one table: reads within `scope`, and writes with their audit record. A simple resource needs
 * its definition only:
 *
 *     export class WorkflowRepository extends TableRepository<WorkflowRow> {
 *       protected readonly table = {
 *         model: ({ workflows }: Models) => workflows,
 *         resource: 'workflow',
 *         notFound: () => new AppError('workflow_not_found'),
 *         key: 'slug',
 *         violations: {
 *           workflows_slug_key: ({ slug }) => new AppError('slug_conflict', { slug }),
 *           entries_workflow_fkey: () => new AppError('workflow_in_use'),
 *         },
 *       } as const satisfies TableDefinition<WorkflowRow>;
 *
 *       protected override snapshot({ internalNote: _note, ...shown }: WorkflowRow): Snapshot {
 *         return shown;
 *       }
 *     }
 *
 *     const workflows = work.use(WorkflowRepository);
 *     const before = await workflows.lock(input.slug);
 *     await workflows.save(before, { ...before, name: input.name, updatedAt: work.now });
 */
export abstract class TableRepository<Row extends { readonly id: string }> extends Repository {
  protected abstract readonly table: TableDefinition<Row>;

  /** @throws the table's `notFound` */
  find(key: string): Promise<Row> {
    return this.one(key, false);
  }

  /**
   * Locks the row until the unit of work ends.
   * @throws the table's `notFound`
   */
  lock(key: string): Promise<Row> {
    return this.one(key, true);
  }

  list(query: PageQuery): Promise<RowPage<Row>> {
    return this.pageWhere(this.readable, query);
  }

  count(where: object = {}): Promise<number> {
    return this.model.count({ where: { ...this.scope, ...where } as WhereOptions<Row>, ...this.options });
  }

  async insert(row: Row): Promise<void> {
    await this.create(row);
    this.note('create', null, row);
  }

  async save(before: Row, after: Row, verb: AuditVerb = 'update'): Promise<void> {
    const where = this.rowOf(before);
    await this.write(this.model.update(this.changeable(after), { where, ...this.options }), after);
    this.note(verb, before, after);
  }

  async remove(row: Row): Promise<void> {
    await this.write(this.model.destroy({ where: this.rowOf(row), ...this.options }), row);
    this.note('delete', row, null);
  }

  /** Records one change; `before` is null for a creation, `after` for a removal. */
  note(verb: AuditVerb, before: Row | null, after: Row | null): void {
    const row = after ?? before;
    if (row === null) return;
    const { resource } = this.table;
    const { name, ...place } = this.target(row);
    this.record({
      action: `${resource}.${verb}`,
      target: { type: resource, id: row.id, name },
      before: before && this.snapshot(before),
      after: after && this.snapshot(after),
      ...place,
    });
  }

  /** Columns common to every row of this unit of work. */
  protected get scope(): object {
    return { tenantId: this.tenantId, projectId: this.projectId };
  }

  /** The rows that the actor may read. */
  protected get readable(): object {
    return this.scope;
  }

  /** Name and scope of a row in its audit records. */
  protected target(row: Row): { readonly name: string } & Pick<Change, 'siteId' | 'locale' | 'tenantId'> {
    return { name: 'name' in row && typeof row.name === 'string' ? row.name : row.id };
  }

  protected snapshot(row: Row): Snapshot {
    return { ...row };
  }

  protected changeable(row: Row): Partial<Row> {
    return row;
  }

  protected get model(): ModelStatic<Model<Row, Row>> {
    return this.table.model(this.bound.models);
  }

  protected get options(): { readonly transaction: Transaction } {
    return { transaction: this.bound.transaction };
  }

  protected pageWhere(where: object, query: PageQuery): Promise<RowPage<Row>> {
    return findNamedPage(this.model, query, { where, ...this.options });
  }

  protected async findWhere(where: object): Promise<Row | undefined> {
    const found = await this.model.findOne({ where: where as WhereOptions<Row>, ...this.options });
    return found?.get();
  }

  protected async listWhere(where: object): Promise<Row[]> {
    const rows = await this.model.findAll({ where: where as WhereOptions<Row>, ...this.options });
    return rows.map((row) => row.get());
  }

  /** Inserts a row without an audit record. */
  protected async create(row: Row): Promise<void> {
    await this.write(this.model.create(row as CreationAttributes<Model<Row, Row>>, this.options), row);
  }

  private async one(key: string, isLocked: boolean): Promise<Row> {
    const { key: column = 'id', notFound } = this.table;
    const { transaction } = this.bound;
    const found =
      column === 'id' && !isUuid(key)
        ? null
        : await this.model.findOne({
            where: { ...this.readable, [column]: key } as WhereOptions<Row>,
            transaction,
            ...(isLocked && { lock: transaction.LOCK.UPDATE }),
          });
    if (found === null) throw notFound();
    return found.get();
  }

  private rowOf({ id }: Row): WhereOptions<Row> {
    return { ...this.scope, id } as WhereOptions<Row>;
  }

  private async write(write: Promise<unknown>, row: Row): Promise<void> {
    const violations = Object.entries(this.table.violations ?? {});
    const failures = violations.map(([constraint, failure]) => [constraint, () => failure(row)] as const);
    await this.mapViolations(write, Object.fromEntries(failures));
  }
}
