import { Repository } from '../../../../persistence/repositories/repository.js';

/** A block with the entry that it belongs to. */
export interface OwnedBlock {
  readonly id: string;
  readonly entryId: string;
  readonly contentTypeId: string;
}

export interface ForeignId {
  readonly id: string;
  readonly isEntry: boolean;
}

const claim = {
  name: 'claim_blocks',
  text: `INSERT INTO owned_blocks (tenant_id, environment_id, id, entry_id, content_type_id)
    SELECT $1, $2, g.id, g.entry_id, g.content_type_id
    FROM unnest($3::uuid[], $4::uuid[], $5::uuid[]) AS g (id, entry_id, content_type_id)
    ON CONFLICT (environment_id, id) DO NOTHING`,
};
const taken = {
  name: 'taken_blocks',
  text: `SELECT g.id FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) AS g (id, entry_id, content_type_id)
    WHERE EXISTS (SELECT FROM owned_blocks b WHERE b.environment_id = $1 AND b.id = g.id
        AND (b.entry_id <> g.entry_id OR b.content_type_id <> g.content_type_id))
      OR EXISTS (SELECT FROM entries e WHERE e.environment_id = $1 AND e.id = g.id)`,
};

/** Which entry a block belongs to. An id belongs to one entry for ever, also after the block was removed. */
export class OwnedBlockRepository extends Repository {
  /** Gives ids that no other entry can have. Does not wait. */
  note(blocks: readonly OwnedBlock[]): void {
    if (blocks.length > 0)
      this.defer(this.query(claim, [this.tenantId, this.environmentId, ...columns(blocks)]));
  }

  /** As {@link note}, of ids that callers chose. @returns those that are not theirs */
  async claim(blocks: readonly OwnedBlock[]): Promise<Set<string>> {
    if (blocks.length === 0) return new Set();
    const [, rows] = await Promise.all([
      this.query(claim, [this.tenantId, this.environmentId, ...columns(blocks)]),
      this.query<{ id: string }>(taken, [this.environmentId, ...columns(blocks)]),
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Gives blocks to another entry. Does not wait. */
  move(ids: readonly string[], entryId: string): void {
    if (ids.length === 0) return;
    const text = 'UPDATE owned_blocks SET entry_id = $3 WHERE environment_id = $1 AND id = ANY($2::uuid[])';
    this.defer(this.query(text, [this.environmentId, [...ids], entryId]));
  }

  /** Ids that the entry cannot have: those of entries, and of blocks of others. */
  foreign(ids: readonly string[], entryId: string): Promise<ForeignId[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.query<ForeignId>(
      `SELECT g.id, e.id IS NOT NULL AS "isEntry" FROM unnest($2::uuid[]) AS g (id)
         LEFT JOIN entries e ON e.environment_id = $1 AND e.id = g.id
         LEFT JOIN owned_blocks b ON b.environment_id = $1 AND b.id = g.id
       WHERE e.id IS NOT NULL OR b.entry_id <> $3`,
      [this.environmentId, [...ids], entryId],
    );
  }

  /** Those of the ids that blocks of entries have, and no entries. */
  async blocksAmong(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.query<{ id: string }>(
      `SELECT b.id FROM owned_blocks b WHERE b.environment_id = $1 AND b.id = ANY($2::uuid[])
         AND NOT EXISTS (SELECT FROM entries e WHERE e.environment_id = $1 AND e.id = b.id)`,
      [this.environmentId, [...ids]],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** The owners of blocks, by id of the block. */
  async ownersOf(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.query<{ id: string; entryId: string }>(
      'SELECT id, entry_id AS "entryId" FROM owned_blocks WHERE environment_id = $1 AND id = ANY($2::uuid[])',
      [this.environmentId, [...ids]],
    );
    return new Map(rows.map(({ id, entryId }) => [id, entryId]));
  }
}

const columns = (blocks: readonly OwnedBlock[]): string[][] => [
  blocks.map(({ id }) => id),
  blocks.map(({ entryId }) => entryId),
  blocks.map(({ contentTypeId }) => contentTypeId),
];
