import { Repository } from '../../persistence/repositories/repository.js';
import type { ItemKind, ItemSelection } from './item-kinds.js';
import { partsSql } from './item.repository.js';
import type { EnvironmentPair } from './pair.repository.js';
import type { SettledStatus } from './publication.js';

/** What the branch had of items without a base when it was made. Bind: branch, ids, kinds, kind, tenant. */
const formerSql = `WITH given AS (
    SELECT id FROM unnest($2::uuid[]) AS i (id)
    WHERE NOT EXISTS (SELECT FROM environment_bases b WHERE b.branch_id = $1 AND b.kind = $4 AND b.item_id = i.id)),
  former AS (
    SELECT DISTINCT ON (c.item_id, c.part) c.item_id, c.part, to_json(c.before) AS row, c.rename_number
    FROM environment_changes c JOIN given g ON g.id = c.item_id WHERE c.environment_id = $1 AND c.kind = $4
    ORDER BY c.item_id, c.part, c.epoch)
  INSERT INTO environment_bases (tenant_id, branch_id, kind, item_id, part, environment_id, row, rename_number)
  SELECT $5::uuid, $1::uuid, $4::text, item_id, part, $1::uuid, row, rename_number FROM former
  UNION ALL
  SELECT $5, $1, $4, p.id, p.part, $1, p.row, last_rename() FROM (${partsSql}) AS p JOIN given g ON g.id = p.id
  WHERE NOT EXISTS (SELECT FROM former f WHERE f.item_id = p.id AND f.part = p.part)`;

/** The common states from which comparisons of promoted items start. */
export class BaseRepository extends Repository {
  /** Later comparisons of the items, or of their locales, start from their present state in the source. */
  async settle(pair: EnvironmentPair, items: readonly ItemSelection[]): Promise<void> {
    for (const [kind, some] of Map.groupBy(items, (item) => item.kind)) {
      await this.#settleWhole(
        pair,
        kind,
        some.flatMap(({ id, locales }) => (locales === undefined ? [id] : [])),
      );
      await this.#settleParts(
        pair,
        kind,
        some.flatMap(
          ({ id, locales }) => locales?.map((part) => ({ id, part })).concat({ id, part: '' }) ?? [],
        ),
      );
    }
  }

  async #settleWhole(
    { branchId, source }: EnvironmentPair,
    kind: ItemKind,
    ids: readonly string[],
  ): Promise<void> {
    if (ids.length === 0) return;
    await this.query(
      'DELETE FROM environment_bases WHERE branch_id = $1 AND kind = $2 AND item_id = ANY ($3::uuid[])',
      [branchId, kind, ids],
    );
    // An absent item keeps a row, too: it is deleted in both environments.
    await this.query(
      `INSERT INTO environment_bases (tenant_id, branch_id, kind, item_id, part, environment_id, row)
       SELECT $4, $5, $6, i.id, coalesce(p.part, ''), $1, p.row FROM unnest($2::uuid[]) AS i (id)
         LEFT JOIN (${partsSql}) AS p ON p.id = i.id`,
      [source.id, ids, [kind], this.tenantId, branchId, kind],
    );
  }

  /** The other parts of the items keep their base. */
  async #settleParts(
    { branchId, source }: EnvironmentPair,
    kind: ItemKind,
    parts: readonly { readonly id: string; readonly part: string }[],
  ): Promise<void> {
    if (parts.length === 0) return;
    const ids = [...new Set(parts.map(({ id }) => id))];
    await this.query(formerSql, [branchId, ids, [kind], kind, this.tenantId]);
    const given = JSON.stringify(parts);
    await this.query(
      `DELETE FROM environment_bases b USING jsonb_to_recordset($3::jsonb) AS g (id uuid, part text)
       WHERE b.branch_id = $1 AND b.kind = $2 AND b.item_id = g.id AND b.part = g.part`,
      [branchId, kind, given],
    );
    await this.query(
      `INSERT INTO environment_bases (tenant_id, branch_id, kind, item_id, part, environment_id, row)
       SELECT $4, $5, $6, p.id, p.part, $1, p.row FROM (${partsSql}) AS p
         JOIN jsonb_to_recordset($7::jsonb) AS g (id uuid, part text) ON g.id = p.id AND g.part = p.part`,
      [source.id, ids, [kind], this.tenantId, branchId, kind, given],
    );
  }

  /** Of locales whose status was not carried. */
  async settleStatuses({ branchId }: EnvironmentPair, statuses: readonly SettledStatus[]): Promise<void> {
    if (statuses.length === 0) return;
    await this.query(
      `UPDATE environment_bases b SET status = g.status FROM jsonb_to_recordset($2::jsonb) AS g (id uuid, locale text, status text)
       WHERE b.branch_id = $1 AND b.kind = 'entry' AND b.item_id = g.id AND b.part = g.locale`,
      [branchId, JSON.stringify(statuses)],
    );
  }
}
