import { AppError } from '../../../../contracts/errors.js';
import type { SchemaChange, SchemaModel } from '../../../content/schema/index.js';
import { isUuid } from '../../../infrastructure/ids.js';
import { Repository } from '../../../persistence/repositories/repository.js';

export interface SchemaApplyRecord {
  readonly id: string;
  /** The sections that the document had. */
  readonly before: SchemaModel;
  readonly after: SchemaModel;
  /** Steps that renamed. */
  readonly renames: readonly SchemaChange[];
  /** Versions with a rename number below it were written before the apply. */
  readonly mark: number;
}

/** The last apply of the environment. Writers hold the schema lock. */
export class SchemaApplyRepository extends Repository {
  /** @throws AppError 404 `schema_apply_not_found` */
  async find(id: string): Promise<SchemaApplyRecord> {
    const [found] = await this.query<SchemaApplyRecord>(
      'SELECT id, before, after, renames, rename_number::float8 AS mark FROM schema_applies WHERE environment_id = $1 AND id = $2',
      [this.environmentId, isUuid(id) ? id : null],
    );
    if (found === undefined) throw new AppError('schema_apply_not_found');
    return found;
  }

  /** A number between the versions before and those after this call. */
  async mark(): Promise<number> {
    const [row] = await this.query<{ mark: number }>("SELECT nextval('rename_number')::float8 AS mark");
    return row?.mark ?? 0;
  }

  /** Replaces the previous one. */
  async save(
    { id, before, after, renames, mark }: SchemaApplyRecord,
    steps: readonly SchemaChange[],
  ): Promise<void> {
    this.#note('schema.apply', id, steps);
    await this.query(
      `INSERT INTO schema_applies (tenant_id, environment_id, id, before, after, renames, rename_number)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (environment_id) DO UPDATE SET id = excluded.id, before = excluded.before, after = excluded.after,
         renames = excluded.renames, rename_number = excluded.rename_number`,
      [
        this.tenantId,
        this.environmentId,
        id,
        JSON.stringify(before),
        JSON.stringify(after),
        JSON.stringify(renames),
        mark,
      ],
    );
  }

  /** After its undo. */
  async remove({ id }: SchemaApplyRecord, steps: readonly SchemaChange[]): Promise<void> {
    this.#note('schema.undo', id, steps);
    await this.query('DELETE FROM schema_applies WHERE environment_id = $1', [this.environmentId]);
  }

  /** The changes themselves have records with this one as their cause. */
  #note(action: string, id: string, steps: readonly SchemaChange[]): void {
    const name = this.bound.scope.environmentSlug ?? '';
    const after = { steps: steps.map(({ changes: _changes, ...step }) => step) };
    this.record({ action, target: { type: 'schema', id, name }, before: null, after });
  }
}
