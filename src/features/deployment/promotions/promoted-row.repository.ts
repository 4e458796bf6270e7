import { keyErrors } from '../../entries/entries/index.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { ItemKey, ItemKind } from './item-kinds.js';
import { keptRows as kept, taken, takenValues } from './kept-rows.js';

interface PromotedTable {
  readonly table: string;
  readonly keys: readonly string[];
  /** Kind of the items and the key column with their id. */
  readonly item?: readonly [ItemKind, string];
  /** Counts the changes of a row: goes on, because versions are never repeated. */
  readonly counter?: string;
  /** Columns that change without a change of the item, beside {@link derived}. */
  readonly volatile?: readonly string[];
}

/** Parents precede children. */
const tables: readonly PromotedTable[] = [
  { table: 'custom_field_types', keys: ['id'], item: ['customFieldType', 'id'], counter: 'version' },
  { table: 'workflows', keys: ['id'], item: ['workflow', 'id'] },
  { table: 'content_types', keys: ['id'], item: ['contentType', 'id'], counter: 'schema_version' },
  { table: 'fields', keys: ['id'], item: ['contentType', 'id'] },
  { table: 'media_folders', keys: ['id'], item: ['mediaFolder', 'id'] },
  { table: 'media_assets', keys: ['id'], item: ['media', 'id'], counter: 'version', volatile: ['is_used'] },
  { table: 'media_asset_locales', keys: ['asset_id', 'locale'], item: ['media', 'asset_id'] },
  { table: 'entries', keys: ['id'], item: ['entry', 'id'], counter: 'version' },
  { table: 'owned_blocks', keys: ['id'] },
  { table: 'entry_locales', keys: ['entry_id', 'locale'], item: ['entry', 'entry_id'] },
  { table: 'entry_links', keys: ['entry_id', 'locale', 'field_id', 'target_id'] },
  { table: 'published_entries', keys: ['entry_id', 'locale'], item: ['entry', 'entry_id'] },
  { table: 'published_media', keys: ['entry_id', 'locale', 'field_id', 'asset_id'] },
  { table: 'unique_values', keys: ['field_id', 'locale', 'value_hash', 'entry_id', 'published_locale'] },
  { table: 'tree_nodes', keys: ['id'], item: ['treeNode', 'id'], counter: 'version' },
  { table: 'redirects', keys: ['id'], item: ['redirect', 'id'], volatile: ['hit_count', 'last_hit_at'] },
  { table: 'translation_sources', keys: ['entry_id'] },
  { table: 'translations', keys: ['entry_id', 'locale'], item: ['entry', 'entry_id'] },
];

/** Columns of documents that follow from others. */
const derived = ['body', 'all_locales', 'own_values', 'own_blocks'];

/** A document as it says itself, without values that it shows of fallbacks. */
const ownDocument = `CASE WHEN r.own_values IS NULL AND r.own_blocks IS NULL THEN to_jsonb(r)
    ELSE to_jsonb(own_document(r)) END`;

/** Types had no such key before, which is that of most. */
const ownType = `to_jsonb(r) - CASE WHEN r.field_fallback THEN '{}'::text[] ELSE '{field_fallback}' END`;

const rowsAsHashed: Readonly<Record<string, string>> = {
  published_entries: ownDocument,
  content_types: ownType,
};

const keyJoin = ({ table, keys }: PromotedTable): string =>
  `CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, p.key) AS k
   ${keys.length > 0 ? `LEFT JOIN ${table} r ON r.environment_id = $3 AND ${keys.map((key) => `r.${key} = k.${key}`).join(' AND ')}` : ''}`;
const hash = ({ table, counter, volatile = [] }: PromotedTable): string =>
  `CASE WHEN r.environment_id IS NOT NULL THEN md5((${rowsAsHashed[table] ?? 'to_jsonb(r)'} - '{${[...derived, counter ?? [], ...volatile].flat().join(',')}}'::text[])::text) END`;

const routeJoin = `CROSS JOIN LATERAL jsonb_populate_record(NULL::routes, p.key) AS k JOIN routes r ON r.environment_id = $3
   AND r.site_id = k.site_id AND r.locale = k.locale AND r.entry_id IS NOT DISTINCT FROM k.entry_id
   AND r.node_id IS NOT DISTINCT FROM k.node_id`;

/** Rows made since that depend on what the promotion created, or have a value that it freed. */
const dependentSql = `
  WITH made AS (SELECT table_name, (key ->> 'id')::uuid AS id FROM promoted_rows p WHERE ${kept} AND before IS NULL AND key ? 'id'),
    known AS (SELECT table_name, key ->> 'id' AS id FROM promoted_rows p WHERE ${kept} AND key ? 'id'),
    reshaped AS (SELECT f.content_type_id, f.api_name FROM promoted_rows p JOIN fields f ON f.environment_id = $3
      AND f.id = (p.key ->> 'id')::uuid AND (p.before IS NULL
        OR (p.before ->> 'api_name', p.before ->> 'type', p.before ->> 'localized', p.before ->> 'is_list')
          IS DISTINCT FROM (f.api_name, f.type, f.localized::text, f.is_list::text))
      WHERE ${kept} AND p.table_name = 'fields')
  SELECT kind, id FROM (
    SELECT 'entry' AS kind, e.id, 'entries' AS table_name FROM made m JOIN entries e ON e.environment_id = $3 AND e.content_type_id = m.id
      WHERE m.table_name = 'content_types'
    UNION ALL SELECT 'treeNode', n.id, 'tree_nodes' FROM made m JOIN tree_nodes n ON n.environment_id = $3 AND n.parent_id = m.id
      WHERE m.table_name = 'tree_nodes'
    UNION ALL SELECT 'treeNode', n.id, 'tree_nodes' FROM made m JOIN tree_nodes n ON n.environment_id = $3 AND n.entry_id = m.id
      WHERE m.table_name = 'entries'
    UNION ALL SELECT 'entry', l.entry_id, 'entries' FROM made m JOIN entry_links l ON l.environment_id = $3 AND l.target_id = m.id
      WHERE m.table_name IN ('entries', 'media_assets')
    UNION ALL SELECT 'media', a.id, 'media_assets' FROM made m JOIN media_assets a ON a.environment_id = $3 AND a.folder_id = m.id
      WHERE m.table_name = 'media_folders'
    UNION ALL SELECT 'mediaFolder', f.id, 'media_folders' FROM made m JOIN media_folders f ON f.environment_id = $3 AND f.parent_id = m.id
      WHERE m.table_name = 'media_folders'
    UNION ALL SELECT 'entry', e.id, 'entries' FROM reshaped f JOIN entries e ON e.environment_id = $3 AND e.content_type_id = f.content_type_id
      WHERE to_jsonb(e.shared_fields) ? f.api_name
    UNION ALL SELECT 'entry', e.id, '' FROM reshaped f JOIN entries e ON e.environment_id = $3 AND e.content_type_id = f.content_type_id
      JOIN entry_locales l ON l.environment_id = $3 AND l.entry_id = e.id
      WHERE to_jsonb(l.fields) ? f.api_name AND NOT EXISTS (SELECT FROM promoted_rows p WHERE ${kept} AND p.table_name = 'entry_locales'
        AND p.key = jsonb_build_object('entry_id', l.entry_id, 'locale', l.locale))
    UNION ALL SELECT 'entry', r.entry_id, 'entries' FROM promoted_rows p CROSS JOIN LATERAL jsonb_populate_record(NULL::unique_values, p.key) AS k
      JOIN unique_values r ON r.environment_id = $3 AND r.field_id = k.field_id AND r.locale = k.locale AND r.value_hash = k.value_hash
        AND r.entry_id <> k.entry_id
      WHERE ${kept} AND p.table_name = 'unique_values' AND p.before IS NOT NULL) AS found
  WHERE NOT EXISTS (SELECT FROM known k WHERE k.table_name = found.table_name AND k.id = found.id::text)`;

const references = [
  ['treeNode', 'tree_nodes', 'parent_id', 'tree_nodes'],
  ['treeNode', 'tree_nodes', 'entry_id', 'entries'],
  ['media', 'media_assets', 'folder_id', 'media_folders'],
  ['mediaFolder', 'media_folders', 'parent_id', 'media_folders'],
] as const satisfies readonly (readonly [ItemKind, string, string, string])[];

/** Rows whose former parent or entry was deleted since. */
const orphanSql = references
  .map(
    ([
      kind,
      table,
      column,
      parents,
    ]) => `SELECT '${kind}' AS kind, (p.key ->> 'id')::uuid AS id FROM promoted_rows p
     WHERE ${kept} AND p.table_name = '${table}' AND p.before ->> '${column}' IS NOT NULL
       AND NOT EXISTS (SELECT FROM ${parents} r WHERE r.environment_id = $3 AND r.id = (p.before ->> '${column}')::uuid)
       AND NOT EXISTS (SELECT FROM promoted_rows o WHERE o.tenant_id = $1 AND o.promotion_id = $2 AND o.table_name = '${parents}'
         AND o.before IS NOT NULL AND o.key ->> 'id' = p.before ->> '${column}')`,
  )
  .join(' UNION ');

const violations = { ...keyErrors, ...takenValues, routes_path_key: taken('slug_conflict') };

/** Rows exchange values that are unique: they are free until all are put back. */
const vacant = {
  entry_locales: 'in_tree = true',
  entries: 'external_id = NULL',
  redirects: "source = '/' || d.id",
} as const;

/** Only rows that were deleted come back. */
const histories = ['entry_versions', 'media_asset_versions'];

const deferred = [
  ...['routes_path_key', 'tree_nodes_rank_key', 'tree_nodes_environment_id_parent_id_fkey'],
  ...['tree_nodes_environment_id_entry_id_fkey', 'media_folders_parent_fkey', 'media_assets_folder_fkey'],
].join(', ');

/** The rows that a promotion replaced. They are kept by triggers while `headwater.promotion` names it. */
export interface ReversedRename {
  readonly contentTypeId: string;
  /** Null for the type itself. */
  readonly fieldId: string | null;
  readonly from: string;
  readonly to: string;
}

export class PromotedRowRepository extends Repository {
  async keepFor(promotionId: string): Promise<void> {
    await this.query("SELECT set_config('headwater.promotion', $1, true)", [promotionId]);
  }

  /** Ends keeping and remembers the rows as the promotion leaves them. */
  async finish(promotionId: string): Promise<void> {
    await this.query('SET CONSTRAINTS ALL IMMEDIATE');
    await this.query("SELECT set_config('headwater.promotion', '', true)");
    const bind = [this.tenantId, promotionId, this.environmentId];
    for (const table of tables)
      await this.query(
        `UPDATE promoted_rows u SET after_hash = now.hash FROM (
           SELECT p.key, ${hash(table)} AS hash FROM promoted_rows p ${keyJoin(table)} WHERE ${kept} AND p.table_name = '${table.table}') AS now
         WHERE u.tenant_id = $1 AND u.promotion_id = $2 AND u.table_name = '${table.table}' AND u.key = now.key`,
        bind,
      );
  }

  /** Items that were changed, or that use what the promotion created, since then. */
  async changedSince(promotionId: string): Promise<ItemKey[]> {
    const bind = [this.tenantId, promotionId, this.environmentId];
    const changed = await this.query<ItemKey>(
      tables
        .flatMap((table) => {
          if (table.item === undefined) return [];
          const [kind, id] = table.item;
          const itemId =
            table.table === 'fields'
              ? "coalesce(r.content_type_id, (p.before ->> 'content_type_id')::uuid, k.id)"
              : `k.${id}`;
          return [
            `SELECT '${kind}' AS kind, ${itemId} AS id FROM promoted_rows p ${keyJoin(table)}
             WHERE ${kept} AND p.table_name = '${table.table}' AND p.after_hash IS DISTINCT FROM ${hash(table)}`,
          ];
        })
        .join(' UNION '),
      bind,
    );
    const dependent = await this.query<ItemKey>(dependentSql, bind);
    return [...changed, ...dependent, ...(await this.query<ItemKey>(orphanSql, bind))];
  }

  /** Puts every row back. Counters of changes go on. */
  async restore(promotionId: string): Promise<void> {
    const bind = [this.tenantId, promotionId, this.environmentId];
    const columns = await this.#columns();
    await this.query(`SET CONSTRAINTS ${deferred} DEFERRED`);
    await this.query(
      `DELETE FROM routes d USING promoted_rows p ${routeJoin} WHERE ${kept} AND p.table_name = 'routes' AND d.ctid = r.ctid`,
      bind,
    );
    for (const one of [...tables].reverse())
      await this.query(
        `DELETE FROM ${one.table} d USING promoted_rows p CROSS JOIN LATERAL jsonb_populate_record(NULL::${one.table}, p.key) AS k
         WHERE ${kept} AND p.table_name = '${one.table}' AND p.before IS NULL AND d.environment_id = $3
           AND ${one.keys.map((key) => `d.${key} = k.${key}`).join(' AND ')}`,
        bind,
      );
    for (const { table, keys } of tables)
      if (table in vacant)
        await this.query(
          `UPDATE ${table} d SET ${vacant[table as keyof typeof vacant]} FROM promoted_rows p
             CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, p.key) AS k
           WHERE ${kept} AND p.table_name = '${table}' AND d.environment_id = $3 AND ${keys.map((key) => `d.${key} = k.${key}`).join(' AND ')}`,
          bind,
        );
    for (const one of tables) await this.#putBack(one, columns.get(one.table) ?? [], bind);
    await this.query(this.#insertSql('routes', columns.get('routes') ?? []), bind);
    for (const table of histories)
      await this.query(`${this.#insertSql(table, columns.get(table) ?? [])} ON CONFLICT DO NOTHING`, bind);
  }

  /** Restored nodes, and those of restored entries. */
  async restoredNodes(promotionId: string): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      `SELECT DISTINCT n.id FROM promoted_rows p JOIN tree_nodes n ON n.environment_id = $3
         AND (p.table_name = 'tree_nodes' AND n.id = (p.key ->> 'id')::uuid OR p.table_name = 'entries' AND n.entry_id = (p.key ->> 'id')::uuid)
       WHERE ${kept} AND p.table_name IN ('tree_nodes', 'entries')`,
      [this.tenantId, promotionId, this.environmentId],
    );
    return rows.map(({ id }) => id);
  }

  async checkConstraints(): Promise<void> {
    await this.mapViolations(this.query('SET CONSTRAINTS ALL IMMEDIATE'), violations);
  }

  /** Undoes the renames of the promotion, last first, so that versions are read under the names of now. */
  reverseRenames(promotedAt: Date): Promise<ReversedRename[]> {
    return this.query(
      `INSERT INTO renames (tenant_id, environment_id, content_type_id, field_id, from_name, to_name, renamed_at)
       SELECT tenant_id, environment_id, content_type_id, field_id, to_name, from_name, $3 FROM renames
       WHERE environment_id = $1 AND renamed_at = $2 ORDER BY number DESC
       RETURNING content_type_id AS "contentTypeId", field_id AS "fieldId", from_name AS "from", to_name AS "to"`,
      [this.environmentId, promotedAt, this.bound.now],
    );
  }

  async #putBack(
    { table, keys, counter, volatile = [] }: PromotedTable,
    columns: readonly string[],
    bind: readonly unknown[],
  ): Promise<void> {
    const lasting = [...keys, ...volatile, 'environment_id'];
    const changed = columns.filter((column) => !lasting.includes(column));
    const value = (column: string): string =>
      column === counter ? `${column} = ${table}.${column} + 1` : `"${column}" = excluded."${column}"`;
    const update = changed.length === 0 ? 'NOTHING' : `UPDATE SET ${changed.map(value).join(', ')}`;
    const sql = `${this.#insertSql(table, columns)} ORDER BY p.number DESC ON CONFLICT (environment_id, ${keys.join(', ')}) DO ${update}`;
    await this.mapViolations(this.query(sql, bind), violations);
  }

  #insertSql(table: string, columns: readonly string[]): string {
    const list = columns.map((column) => `"${column}"`).join(', ');
    const values = columns.map((column) => `b."${column}"`).join(', ');
    return `INSERT INTO ${table} (${list}) SELECT ${values} FROM promoted_rows p
      CROSS JOIN LATERAL json_populate_record(NULL::${table}, p.before) AS b
      WHERE ${kept} AND p.table_name = '${table}' AND p.before IS NOT NULL AND b.environment_id = $3`;
  }

  /** Stored columns by table: later migrations add some. */
  async #columns(): Promise<Map<string, string[]>> {
    const names = [...tables.map(({ table }) => table), 'routes', ...histories];
    const rows = await this.query<{ table: string; columns: string[] }>(
      `SELECT attrelid::regclass::text AS table, array_agg(attname::text ORDER BY attnum) AS columns FROM pg_attribute
       WHERE attrelid = ANY ($1::regclass[]) AND attnum > 0 AND NOT attisdropped AND attgenerated = '' GROUP BY 1`,
      [names],
    );
    return new Map(rows.map(({ table, columns }) => [table, columns]));
  }
}
