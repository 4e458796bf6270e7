import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { ItemKind, ItemKey, ItemSelection } from './item-kinds.js';
import { hasCommonStart, partsSql } from './item.repository.js';
import type { ComparedEnvironment, EnvironmentPair, Relative } from './pair.repository.js';
import type { SettledStatus } from './publication.js';
import type { Relation } from './relation.js';

const STEP = 2 ** 32;

/** Moves of both environments can make a cycle; its nodes are never reached from a root. */
const deepSql = `WITH RECURSIVE above AS (
    SELECT id AS start, parent_id, 1 AS depth FROM tree_nodes WHERE environment_id = $1 AND id = ANY ($2::uuid[])
    UNION ALL
    SELECT a.start, n.parent_id, a.depth + 1 FROM above a JOIN tree_nodes n ON n.environment_id = $1 AND n.id = a.parent_id
    WHERE a.depth <= $3)
  SELECT start AS id FROM above GROUP BY start HAVING max(depth) > $3 LIMIT 10`;

/** Each step is computed once: nested, the planner may compute the inner ones for every node. */
const respaceSql = `WITH touched AS MATERIALIZED (
    SELECT DISTINCT siblings FROM tree_nodes WHERE environment_id = $1 AND id = ANY ($2::uuid[])),
  crowded AS MATERIALIZED (
    SELECT n.siblings FROM touched t JOIN tree_nodes n ON n.environment_id = $1 AND n.siblings = t.siblings
    GROUP BY n.siblings HAVING count(*) > count(DISTINCT n.rank)),
  placed AS MATERIALIZED (
    SELECT n.id, row_number() OVER (PARTITION BY n.siblings ORDER BY n.rank, n.id) AS place
    FROM crowded c JOIN tree_nodes n ON n.environment_id = $1 AND n.siblings = c.siblings)
  UPDATE tree_nodes n SET rank = r.place * ${String(STEP)} FROM placed r WHERE n.environment_id = $1 AND n.id = r.id`;

/** Tree nodes that are written by id. Requires the locks of all trees. */
export class NodeRowRepository extends Repository {
  /** Until {@link settleRanks} siblings may have equal ranks. */
  async deferRanks(): Promise<void> {
    await this.query('SET CONSTRAINTS tree_nodes_rank_key DEFERRED');
  }

  /** @throws AppError 409 `tree_cycle` */
  async settleRanks(ids: readonly string[]): Promise<void> {
    await this.query(respaceSql, [this.environmentId, ids]);
    await this.query('SET CONSTRAINTS tree_nodes_rank_key IMMEDIATE');
    const cycles = await this.query<{ id: string }>(deepSql, [this.environmentId, ids, limits.treeDepth]);
    if (cycles.length > 0) throw new AppError('tree_cycle', { nodeIds: cycles.map(({ id }) => id) });
  }

  /** @throws AppError 409 `node_has_children` */
  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const children = await this.query<{ id: string }>(
      'SELECT id FROM tree_nodes WHERE environment_id = $1 AND parent_id = ANY ($2::uuid[]) AND id <> ALL ($2::uuid[]) LIMIT 10',
      [this.environmentId, ids],
    );
    if (children.length > 0)
      throw new AppError('node_has_children', { nodeIds: children.map(({ id }) => id) });
    await this.query('DELETE FROM tree_nodes WHERE environment_id = $1 AND id = ANY ($2::uuid[])', [
      this.environmentId,
      ids,
    ]);
  }

  /** Existing nodes of these entries. */
  async ofEntries(entryIds: readonly string[]): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      'SELECT id FROM tree_nodes WHERE environment_id = $1 AND entry_id = ANY ($2::uuid[])',
      [this.environmentId, entryIds],
    );
    return rows.map(({ id }) => id);
  }
}

/** An item whose last state in common with another environment the target takes over from the source. */
export interface Follower extends ItemKey {
  readonly environmentId: string;
}

interface Ends {
  readonly low: string;
  readonly high: string;
}

const endsOf = (one: string, other: string): Ends =>
  one < other ? { low: one, high: other } : { low: other, high: one };

/** What two environments had of items without a base when the first left the other. Bind: start, ids, kinds, kind, tenant, low, high, number, shared. */
const startSql = `WITH given AS (
    SELECT id FROM unnest($2::uuid[]) AS i (id) WHERE NOT EXISTS (
      SELECT FROM environment_bases b WHERE b.kind = $4 AND b.item_id = i.id AND b.low_id = $6 AND b.high_id = $7)),
  former AS (
    SELECT DISTINCT ON (c.item_id, c.part) c.item_id, c.part, to_json(c.before) AS row, c.rename_number
    FROM environment_changes c JOIN given g ON g.id = c.item_id WHERE c.environment_id = $1 AND c.kind = $4
    ORDER BY c.item_id, c.part, c.epoch),
  known AS (
    SELECT item_id, part, row, rename_number FROM former
    UNION ALL
    SELECT p.id, p.part, p.row, last_rename() FROM (${partsSql}) AS p JOIN given g ON g.id = p.id
    WHERE NOT EXISTS (SELECT FROM former f WHERE f.item_id = p.id AND f.part = p.part))
  INSERT INTO environment_bases (tenant_id, low_id, high_id, kind, item_id, part, environment_id, row, rename_number, number)
  SELECT $5::uuid, $6::uuid, $7::uuid, $4::text, g.id, coalesce(k.part, ''), $1::uuid, k.row, coalesce(k.rename_number, last_rename()),
    $8::bigint
  FROM given g LEFT JOIN known k ON k.item_id = g.id AND $9`;

/** Items whose common state with a relative is later in the source. Bind: relatives, ids, kind, source, target. */
const followersSql = `WITH relative AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS r (id uuid, "sourceNumber" bigint, "targetNumber" bigint)),
  known AS (
    SELECT item_id, low_id, high_id, max(number) AS number FROM environment_bases
    WHERE kind = $3 AND item_id = ANY ($2::uuid[]) GROUP BY 1, 2, 3)
  SELECT r.id AS "environmentId", $3 AS kind, i.id FROM relative r CROSS JOIN unnest($2::uuid[]) AS i (id)
    LEFT JOIN known s ON s.item_id = i.id AND s.low_id = least(r.id, $4) AND s.high_id = greatest(r.id, $4)
    LEFT JOIN known t ON t.item_id = i.id AND t.low_id = least(r.id, $5) AND t.high_id = greatest(r.id, $5)
  WHERE coalesce(s.number, r."sourceNumber") > coalesce(t.number, r."targetNumber")`;

interface KindSelection {
  readonly kind: ItemKind;
  readonly ids: readonly string[];
  /** Of items of which only some locales are settled, with what these share. */
  readonly parts: readonly { readonly id: string; readonly part: string }[];
}

function byKind(items: readonly ItemSelection[]): KindSelection[] {
  return [...Map.groupBy(items, ({ kind }) => kind)].map(([kind, some]) => ({
    kind,
    ids: some.flatMap(({ id, locales }) => (locales === undefined ? [id] : [])),
    parts: some.flatMap(
      ({ id, locales }) => locales?.map((part) => ({ id, part })).concat({ id, part: '' }) ?? [],
    ),
  }));
}

/** The last states that environments had in common, from which comparisons of promoted items start. */
export class BaseRepository extends Repository {
  /**
   * Items of which the target gets a later common state with a third environment: what the source has in common with it, the target
   * has after the promotion.
   */
  async followers(
    { source, target }: EnvironmentPair,
    { items, relatives }: { items: readonly ItemSelection[]; relatives: readonly Relative[] },
  ): Promise<Follower[]> {
    if (relatives.length === 0) return [];
    const given = relatives.map(({ id, withSource, withTarget }) => ({
      id,
      sourceNumber: withSource.number,
      targetNumber: withTarget.number,
    }));
    const found: Follower[] = [];
    for (const [kind, some] of Map.groupBy(items, (item) => item.kind)) {
      const ids = some.map(({ id }) => id);
      const bind = [JSON.stringify(given), ids, kind, source.id, target.id];
      found.push(...(await this.query<Follower>(followersSql, bind)));
    }
    return found;
  }

  /** The target takes over what the source has in common with others. Before {@link settle}. */
  async follow(
    { source, target }: EnvironmentPair,
    {
      items,
      relatives,
      followers,
    }: { items: readonly ItemSelection[]; relatives: readonly Relative[]; followers: readonly Follower[] },
  ): Promise<void> {
    for (const [id, some] of Map.groupBy(followers, ({ environmentId }) => environmentId)) {
      const relative = relatives.find((one) => one.id === id);
      if (relative === undefined) continue;
      const keys = new Set(some.map((one) => `${one.kind} ${one.id}`));
      const own = items.filter((one) => keys.has(`${one.kind} ${one.id}`));
      const [from, to] = [endsOf(id, source.id), endsOf(id, target.id)];
      for (const { kind, ids, parts } of byKind(own)) {
        const partial = [...new Set(parts.map((part) => part.id))];
        await this.#keepStart(from, relative.withSource, { kind, ids: [...ids, ...partial] });
        await this.#keepStart(to, relative.withTarget, { kind, ids: partial });
        await this.#deleteWhole(to, kind, ids);
        await this.#deleteParts(to, kind, parts);
        await this.query(
          `INSERT INTO environment_bases (tenant_id, low_id, high_id, kind, item_id, part, environment_id, row, rename_number, status, number)
           SELECT b.tenant_id, $3, $4, b.kind, b.item_id, b.part, b.environment_id, b.row, b.rename_number, b.status, b.number
           FROM environment_bases b WHERE b.low_id = $1 AND b.high_id = $2 AND b.kind = $5 AND (b.item_id = ANY ($6::uuid[])
             OR (b.item_id, b.part) IN (SELECT id, part FROM jsonb_to_recordset($7::jsonb) AS g (id uuid, part text)))`,
          [from.low, from.high, to.low, to.high, kind, ids, JSON.stringify(parts)],
        );
      }
    }
  }

  /** Orders the states of this promotion after all that environments had in common before. */
  async nextNumber(): Promise<number> {
    const [next] = await this.query<{ number: number }>(
      "SELECT nextval('common_version_number')::float8 AS number",
      [],
    );
    return next?.number ?? 0;
  }

  /** Later comparisons of the items, or of their locales, start from their present state in the source. */
  async settle(pair: EnvironmentPair, items: readonly ItemSelection[], number: number): Promise<void> {
    const ends = endsOf(pair.source.id, pair.target.id);
    for (const { kind, ids, parts } of byKind(items)) {
      await this.#deleteWhole(ends, kind, ids);
      await this.#insertWhole(pair.source, { ends, kind, ids, number });
      if (parts.length === 0) continue;
      const partial = [...new Set(parts.map(({ id }) => id))];
      await this.#keepStart(ends, pair, { kind, ids: partial });
      await this.#deleteParts(ends, kind, parts);
      await this.query(
        `INSERT INTO environment_bases (tenant_id, low_id, high_id, kind, item_id, part, environment_id, row, number)
         SELECT $4, $5, $6, $7, p.id, p.part, $1, p.row, $9 FROM (${partsSql}) AS p
           JOIN jsonb_to_recordset($8::jsonb) AS g (id uuid, part text) ON g.id = p.id AND g.part = p.part`,
        [
          ...[pair.source.id, partial, [kind], this.tenantId, ends.low, ends.high, kind],
          ...[JSON.stringify(parts), number],
        ],
      );
    }
  }

  /** Of locales whose status was not carried. */
  async settleStatuses(
    { source, target }: EnvironmentPair,
    { statuses, followers }: { statuses: readonly SettledStatus[]; followers: readonly Follower[] },
  ): Promise<void> {
    if (statuses.length === 0) return;
    const others = Map.groupBy(followers, ({ id }) => id);
    const rows = statuses.flatMap((status) =>
      [source.id, ...(others.get(status.id) ?? []).map(({ environmentId }) => environmentId)].map((id) => ({
        ...status,
        ...endsOf(id, target.id),
      })),
    );
    await this.query(
      `UPDATE environment_bases b SET status = g.status
       FROM jsonb_to_recordset($1::jsonb) AS g (id uuid, locale text, status text, low uuid, high uuid)
       WHERE b.low_id = g.low AND b.high_id = g.high AND b.kind = 'entry' AND b.item_id = g.id AND b.part = g.locale`,
      [JSON.stringify(rows)],
    );
  }

  /** Of items without a base: the state that both began with. */
  async #keepStart(
    { low, high }: Ends,
    relation: Relation,
    { kind, ids }: { kind: ItemKind; ids: readonly string[] },
  ): Promise<void> {
    if (ids.length === 0) return;
    const { startId, number } = relation;
    const shared = hasCommonStart(relation, kind);
    await this.query(startSql, [startId, ids, [kind], kind, this.tenantId, low, high, number, shared]);
  }

  async #insertWhole(
    source: ComparedEnvironment,
    { ends, kind, ids, number }: { ends: Ends; kind: ItemKind; ids: readonly string[]; number: number },
  ): Promise<void> {
    if (ids.length === 0) return;
    // An absent item keeps a row, too: it is deleted in both environments.
    await this.query(
      `INSERT INTO environment_bases (tenant_id, low_id, high_id, kind, item_id, part, environment_id, row, number)
       SELECT $4, $5, $6, $7, i.id, coalesce(p.part, ''), $1, p.row, $8 FROM unnest($2::uuid[]) AS i (id)
         LEFT JOIN (${partsSql}) AS p ON p.id = i.id`,
      [source.id, ids, [kind], this.tenantId, ends.low, ends.high, kind, number],
    );
  }

  async #deleteWhole({ low, high }: Ends, kind: ItemKind, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.query(
      'DELETE FROM environment_bases WHERE low_id = $1 AND high_id = $2 AND kind = $3 AND item_id = ANY ($4::uuid[])',
      [low, high, kind, ids],
    );
  }

  /** The other parts of the items keep their base. */
  async #deleteParts({ low, high }: Ends, kind: ItemKind, parts: KindSelection['parts']): Promise<void> {
    if (parts.length === 0) return;
    await this.query(
      `DELETE FROM environment_bases b USING jsonb_to_recordset($4::jsonb) AS g (id uuid, part text)
       WHERE b.low_id = $1 AND b.high_id = $2 AND b.kind = $3 AND b.item_id = g.id AND b.part = g.part`,
      [low, high, kind, JSON.stringify(parts)],
    );
  }
}
