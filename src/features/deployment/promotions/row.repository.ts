import { Repository } from '../../../persistence/repositories/repository.js';
import type { ItemRow } from './item.repository.js';
import { taken, takenValues } from './kept-rows.js';

/** Stored columns of the tables whose rows are written as they are. */
const columns = {
  custom_field_types: `id, api_name, name, description, json_schema, graphql_type_name, default_value, editor, index_as, version,
    created_at, updated_at`,
  workflows: `id, slug, name, is_default, content_type_ids, site_ids, enforcement, per_locale, base_state, states, transitions,
    role_ids, created_at, updated_at`,
  content_types: `id, api_name, type_name, name, description, display_field, is_page, is_block, is_singleton, is_localized,
    field_fallback, workflow_slug, slug_pattern, preview_path, schema_version, created_at, updated_at`,
  fields: `id, content_type_id, api_name, name, type, description, required, localized, "unique", is_list, default_value, position,
    "group", hidden, deprecated, settings, validations, created_at, updated_at`,
  media_folders: 'id, parent_id, name, created_at, updated_at',
  media_assets: `id, project_id, checksum, source_checksum, storage_key, file_name, mime_type, size, width, height, has_alpha, frames,
    pages, duration_seconds, codec, placeholder, dominant_color, metadata, scan_status, folder_id, tags, site_ids, visibility,
    focal_point_x, focal_point_y, version, created_at, created_by, updated_at, updated_by`,
  media_asset_locales: `asset_id, locale, alt_text, title, description, override_storage_key, override_asset_id, created_at, updated_at`,
  tree_nodes: `id, site_id, parent_id, entry_id, type, name, slug, url, rank, hide_in_menu, version, created_at, updated_at`,
  redirects: `id, site_id, source, target, status, match_type, query_match, locale, is_active, origin, note, created_at, updated_at`,
} as const;
export type RowTable = keyof typeof columns;

const keyOf = (table: RowTable): string => (table === 'media_asset_locales' ? 'asset_id, locale' : 'id');

const upsertSql = (table: RowTable): string => {
  const list = columns[table];
  const names = list.split(',').map((name) => name.trim());
  const changed = names.filter((name) => !keyOf(table).split(', ').includes(name) && name !== 'created_at');
  return `INSERT INTO ${table} (tenant_id, environment_id, ${list})
    SELECT $1, $2, ${list} FROM json_populate_recordset(NULL::${table}, $3::json)
    ON CONFLICT (environment_id, ${keyOf(table)}) DO UPDATE SET ${changed.map((name) => `${name} = excluded.${name}`).join(', ')}`;
};

const violations = {
  ...takenValues,
  fields_api_name_key: taken('api_name_conflict'),
  media_assets_folder_fkey: taken('folder_not_empty'),
  media_folders_parent_fkey: taken('folder_not_empty'),
};

/** Writes whole rows of an environment. */
export class RowRepository extends Repository {
  async upsert(table: RowTable, rows: readonly ItemRow[]): Promise<void> {
    if (rows.length === 0) return;
    const written = this.query(upsertSql(table), [this.tenantId, this.environmentId, JSON.stringify(rows)]);
    await this.mapViolations(written, violations);
  }

  async remove(table: RowTable, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const removed = this.query(`DELETE FROM ${table} WHERE environment_id = $1 AND id = ANY ($2::uuid[])`, [
      this.environmentId,
      [...ids],
    ]);
    await this.mapViolations(removed, violations);
  }

  async renameField(id: string, apiName: string): Promise<void> {
    await this.query('UPDATE fields SET api_name = $3 WHERE environment_id = $1 AND id = $2', [
      this.environmentId,
      id,
      apiName,
    ]);
  }

  async removeOverlays(keys: readonly { readonly id: string; readonly locale: string }[]): Promise<void> {
    if (keys.length === 0) return;
    await this.query(
      `DELETE FROM media_asset_locales o USING unnest($2::uuid[], $3::text[]) AS g (id, locale)
       WHERE o.environment_id = $1 AND o.asset_id = g.id AND o.locale = g.locale`,
      [this.environmentId, keys.map(({ id }) => id), keys.map(({ locale }) => locale)],
    );
  }

  /** Files of assets whose file came from the source, as versions. */
  async addMediaVersions(sourceId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.query(
      `INSERT INTO media_asset_versions (tenant_id, environment_id, asset_id, version, checksum, storage_key, file, created_at, created_by)
       SELECT v.tenant_id, $1, a.id, a.version, v.checksum, v.storage_key, v.file, $4, $5
       FROM media_assets a CROSS JOIN LATERAL (SELECT * FROM media_asset_versions v WHERE v.environment_id = $2 AND v.asset_id = a.id
         ORDER BY v.version DESC LIMIT 1) AS v
       WHERE a.environment_id = $1 AND a.id = ANY ($3::uuid[]) ON CONFLICT DO NOTHING`,
      [this.environmentId, sourceId, [...ids], this.bound.now, JSON.stringify(this.bound.scope.actor)],
    );
  }

  /** The restored files as versions of their assets, of which the last is the current one. */
  async addRestoredVersions(promotionId: string): Promise<void> {
    await this.query(
      `INSERT INTO media_asset_versions (tenant_id, environment_id, asset_id, version, checksum, storage_key, file, created_at, created_by)
       SELECT a.tenant_id, a.environment_id, a.id, a.version, v.checksum, v.storage_key, v.file, $4, $5
       FROM promoted_rows p JOIN media_assets a ON a.environment_id = $3 AND a.id = (p.key ->> 'id')::uuid
         CROSS JOIN LATERAL (SELECT * FROM media_asset_versions v WHERE v.environment_id = $3 AND v.asset_id = a.id
           AND v.storage_key = a.storage_key ORDER BY v.version DESC LIMIT 1) AS v
       WHERE p.tenant_id = $1 AND p.promotion_id = $2 AND p.table_name = 'media_assets' AND p.before IS NOT NULL AND EXISTS (SELECT FROM media_asset_versions l
         WHERE l.environment_id = $3 AND l.asset_id = a.id AND l.version > v.version)`,
      [
        this.tenantId,
        promotionId,
        this.environmentId,
        this.bound.now,
        JSON.stringify(this.bound.scope.actor),
      ],
    );
  }

  /** No other workflow is the default one. */
  async releaseDefaultWorkflow(): Promise<void> {
    await this.query('UPDATE workflows SET is_default = false WHERE environment_id = $1 AND is_default', [
      this.environmentId,
    ]);
  }

  /** Until they are written, the sources of these redirects are free. */
  async vacateSources(rows: readonly ItemRow[]): Promise<void> {
    await this.query(
      "UPDATE redirects SET source = '/' || id WHERE environment_id = $1 AND id = ANY ($2::uuid[])",
      [this.environmentId, rows.map(({ id }) => id)],
    );
  }

  /** Redirects that path changes created give way to those of the source. */
  async releaseSources(rows: readonly ItemRow[]): Promise<void> {
    await this.query(
      `DELETE FROM redirects r USING json_populate_recordset(NULL::redirects, $2::json) AS g
       WHERE r.environment_id = $1 AND r.site_id = g.site_id AND r.source = g.source AND r.locale IS NOT DISTINCT FROM g.locale
         AND r.id <> g.id AND r.origin = 'auto'`,
      [this.environmentId, JSON.stringify(rows)],
    );
  }
}
