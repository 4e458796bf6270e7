import { limits } from '../../../../../contracts/limits.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import type { LocalesRead } from '../anchored-values.js';

/** A draft that contains blocks. */
export interface BlockHolder {
  readonly id: string;
  readonly locale: string;
}

interface PendingBlock {
  readonly holderId: string;
  readonly id: string;
}

/**
 * Follows blocks fields from draft to draft. A block is read in the first locale of the chain that it has. `$1`
 * environment, `$2` and `$3` holders, `$4` blocks fields, `$5` locales, `$6` types without locales.
 */
const findPending = {
  name: 'find_pending_blocks',
  text: `WITH RECURSIVE reached (holder_id, entry_id, locale) AS (
      SELECT g.entry_id, g.entry_id, g.locale FROM unnest($2::uuid[], $3::text[]) AS g (entry_id, locale)
      UNION
      SELECT r.holder_id, k.target_id, s.locale
      FROM reached r
        JOIN entry_links k ON k.environment_id = $1 AND k.entry_id = r.entry_id AND k.locale IN ('', r.locale)
          AND k.field_id = ANY($4::uuid[])
        JOIN entries e ON e.environment_id = $1 AND e.id = k.target_id AND e.deleted_at IS NULL
        CROSS JOIN LATERAL (SELECT l.locale FROM entry_locales l WHERE l.environment_id = $1 AND l.entry_id = k.target_id
          AND (l.locale = ANY($5::text[]) OR (l.is_shown AND l.content_type_id = ANY($6::uuid[])))
          ORDER BY array_position($5::text[], l.locale) LIMIT 1) AS s)
    SELECT DISTINCT r.holder_id AS "holderId", r.entry_id AS id
    FROM reached r JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = r.entry_id AND l.locale = r.locale
    WHERE r.entry_id <> r.holder_id AND l.status <> 'published' ORDER BY 2, 1 LIMIT ${String(limits.publishedAlong * limits.bulkEntries)}`,
};

export class PendingBlockRepository extends Repository {
  /**
   * Blocks on any level that have a draft which is not published.
   */
  async find(
    holders: readonly BlockHolder[],
    fieldIds: readonly string[],
    { locales, forAll }: LocalesRead,
  ): Promise<PendingBlock[]> {
    if (holders.length === 0) return [];
    return this.query<PendingBlock>(findPending, [
      this.environmentId,
      holders.map(({ id }) => id),
      holders.map(({ locale }) => locale),
      [...fieldIds],
      [...locales],
      [...forAll],
    ]);
  }

  /** Those of the entries that have a newer draft than readers of the locale see. */
  async findChanged(ids: readonly string[], locale: string): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.query<{ id: string }>(
      `SELECT l.entry_id AS id FROM entry_locales l
       WHERE l.environment_id = $1 AND l.entry_id = ANY($2::uuid[]) AND l.locale = $3 AND l.status = 'changed' AND NOT l.is_deleted`,
      [this.environmentId, [...ids], locale],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
