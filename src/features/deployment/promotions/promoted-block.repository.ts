import { AppError } from '../../../../contracts/errors.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { EntryRows } from './entry-rows.js';

/** A block of an entry that was one of another, or is an entry of its own now. */
export interface MovedBlock {
  readonly id: string;
  /** The entry that has it. */
  readonly entryId: string;
  /** The entry that had it. */
  readonly formerId: string;
}

const given = `jsonb_to_recordset($2::jsonb) AS g (id uuid, "entryId" uuid, "contentTypeId" uuid)`;

const formerSql = `SELECT g.id, g."entryId", b.entry_id AS "formerId" FROM ${given}
  JOIN owned_blocks b ON b.environment_id = $1 AND b.id = g.id AND b.entry_id <> g."entryId"`;

const writeSql = `INSERT INTO owned_blocks AS b (tenant_id, environment_id, id, entry_id, content_type_id)
  SELECT $3, $1, g.id, g."entryId", g."contentTypeId" FROM ${given} ORDER BY g.id
  ON CONFLICT (environment_id, id) DO UPDATE SET entry_id = excluded.entry_id WHERE b.entry_id <> excluded.entry_id`;

const containing = (values: string): string =>
  `jsonb_path_exists(to_jsonb(${values}), 'strict $.** ? (@._ref == $id && exists(@.fields))', jsonb_build_object('id', g.id), true)`;

/** Entries that still contain blocks which others have. */
const keptSql = `SELECT DISTINCT e.id, g."entryId" FROM jsonb_to_recordset($2::jsonb) AS g (id uuid, "entryId" uuid, "formerId" uuid)
    JOIN entries e ON e.environment_id = $1 AND e.id = g."formerId" AND e.deleted_at IS NULL
  WHERE ${containing('e.shared_fields')} OR EXISTS (SELECT FROM entry_locales l WHERE l.environment_id = $1 AND l.entry_id = e.id
    AND ${containing('l.fields')})
  ORDER BY e.id LIMIT 100`;

/** Which entries have the blocks that a promotion writes. */
export class PromotedBlockRepository extends Repository {
  /** Writes the blocks of entries. @returns those that another entry had */
  async write(rows: readonly EntryRows[]): Promise<MovedBlock[]> {
    const blocks = rows.flatMap((row) => row.blocks);
    // An entry that was a block of another.
    const shared = rows.flatMap(({ id, isNew }) => (isNew ? [{ id, entryId: id }] : []));
    const former = await this.query<MovedBlock>(formerSql, [
      this.environmentId,
      JSON.stringify([...blocks, ...shared]),
    ]);
    if (blocks.length > 0)
      await this.query(writeSql, [this.environmentId, JSON.stringify(blocks), this.tenantId]);
    return former;
  }

  /**
   * An entry that had such a block must be promoted, too.
   * @throws AppError 409 `promotion_incomplete`
   */
  async assertMoved(moved: readonly MovedBlock[]): Promise<void> {
    if (moved.length === 0) return;
    const kept = await this.query<{ id: string; entryId: string }>(keptSql, [
      this.environmentId,
      JSON.stringify(moved),
    ]);
    if (kept.length === 0) return;
    const missing = kept.map(({ id, entryId }) => ({
      ...{ kind: 'entry', id, neededBy: { kind: 'entry', id: entryId } },
    }));
    throw new AppError('promotion_incomplete', { missing });
  }
}
