import { Repository } from '../../../persistence/repositories/repository.js';
import type { ChangedContent } from '../../entries/entries/index.js';
import { keptRows as kept } from './kept-rows.js';
import { AppError } from '../../../../contracts/errors.js';
import type { ItemKind } from './item-kinds.js';

/** Names whose values differ between the row before the promotion and `r`, whatever fields were called since. */
const differingSql = (column: string, type: string): string => `ARRAY(
    SELECT coalesce(o.name, n.name) FROM
      (SELECT o.key AS name, o.value, coalesce(m.present, o.key) AS present FROM jsonb_each(coalesce(p.before::jsonb -> '${column}', '{}')) AS o
        LEFT JOIN renamed m ON m.content_type_id = ${type} AND m.former = o.key) AS o
      FULL JOIN (SELECT key AS name, value FROM jsonb_each(coalesce(to_jsonb(r.${column}), '{}'))) AS n ON n.name = o.present
    WHERE o.value IS DISTINCT FROM n.value)`;

/** Before rows are put back. */
const restoredContentSql = `WITH renamed AS MATERIALIZED (
    SELECT f.content_type_id, p.before ->> 'api_name' AS former, f.api_name AS present FROM promoted_rows p
      JOIN fields f ON f.environment_id = $3 AND f.id = (p.key ->> 'id')::uuid
    WHERE ${kept} AND p.table_name = 'fields' AND p.before ->> 'api_name' <> f.api_name),
  changed AS (
    SELECT r.id, NULL AS locale, ${differingSql('shared_fields', 'r.content_type_id')} AS names
    FROM promoted_rows p JOIN entries r ON r.environment_id = $3 AND r.id = (p.key ->> 'id')::uuid
    WHERE ${kept} AND p.table_name = 'entries' AND p.before IS NOT NULL
    UNION ALL
    SELECT e.id, CASE WHEN p.before IS NOT NULL THEN p.key ->> 'locale' END, ${differingSql('fields', 'e.content_type_id')}
      || CASE WHEN p.before ->> 'slug' IS DISTINCT FROM r.slug THEN ARRAY['_slug'] ELSE '{}' END
    FROM promoted_rows p JOIN entries e ON e.environment_id = $3 AND e.id = (p.key ->> 'entry_id')::uuid
      LEFT JOIN entry_locales r ON r.environment_id = $3 AND r.entry_id = e.id AND r.locale = p.key ->> 'locale'
    WHERE ${kept} AND p.table_name = 'entry_locales' AND EXISTS (SELECT FROM promoted_rows o WHERE o.tenant_id = $1 AND o.promotion_id = $2
      AND o.table_name = 'entries' AND o.before IS NOT NULL AND (o.key ->> 'id')::uuid = e.id))
  SELECT id, locale, names FROM changed WHERE names <> '{}'`;

/** Content of entries that a rollback changes. */
export class RestoredContentRepository extends Repository {
  /** What putting rows back is going to change in entries that stay. */
  find(promotionId: string): Promise<ChangedContent[]> {
    return this.query<ChangedContent>(restoredContentSql, [this.tenantId, promotionId, this.environmentId]);
  }

  /** The restored content as versions of its entries, which name what changed, so that approvals lapse. */
  async addVersions(promotionId: string, content: readonly ChangedContent[]): Promise<void> {
    await this.query(
      `WITH changed AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($6::jsonb) AS c (id uuid, locale text, names text[]))
       INSERT INTO entry_versions (tenant_id, environment_id, entry_id, version_num, locale, change_type, slug, fields, shared_fields,
         changed_fields, created_at, created_by)
       SELECT e.tenant_id, e.environment_id, e.id, e.version, l.locale, 'restore', l.slug, l.fields, e.shared_fields,
         ARRAY(SELECT DISTINCT n FROM changed c, unnest(c.names) AS n WHERE c.id = e.id AND (c.locale IS NULL OR c.locale = l.locale) ORDER BY n),
         $4, $5
       FROM promoted_rows p JOIN entries e ON e.environment_id = $3 AND e.id = (p.key ->> 'id')::uuid
         JOIN entry_locales l ON l.environment_id = e.environment_id AND l.entry_id = e.id
       WHERE ${kept} AND p.table_name = 'entries' AND p.before IS NOT NULL`,
      [
        this.tenantId,
        promotionId,
        this.environmentId,
        this.bound.now,
        JSON.stringify(this.bound.scope.actor),
        JSON.stringify(content),
      ],
    );
  }
}

const named: readonly [ItemKind, string, string][] = [
  ['contentType', 'content_types', ''],
  ['mediaFolder', 'media_folders', ''],
  ['media', 'media_assets', ''],
  ['entry', 'entries', ' AND deleted_at IS NULL'],
  ['treeNode', 'tree_nodes', ''],
];

const missingSql = named
  .map(
    ([
      kind,
      table,
      extra,
    ]) => `SELECT '${kind}' AS kind, id FROM ${table} WHERE environment_id = $2 AND id = ANY ($3::uuid[])${extra}
      AND id NOT IN (SELECT id FROM ${table} WHERE environment_id = $1 AND id = ANY ($3::uuid[])${extra})`,
  )
  .join(' UNION ALL ');

export class PromotionCheckRepository extends Repository {
  /** Of these ids, items that the source has and this environment lacks. */
  missing(sourceId: string, ids: readonly string[]): Promise<{ kind: ItemKind; id: string }[]> {
    return this.query(`${missingSql} ORDER BY 1, 2`, [this.environmentId, sourceId, ids]);
  }

  /** @throws AppError 409 `media_in_use` */
  async assertUnused(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const used = await this.query<{ id: string }>(
      'SELECT id FROM media_assets WHERE environment_id = $1 AND id = ANY ($2::uuid[]) AND is_used ORDER BY id',
      [this.environmentId, ids],
    );
    if (used.length > 0) throw new AppError('media_in_use', { assetIds: used.map(({ id }) => id) });
  }

  /** Sites of the project. */
  async siteIds(): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      'SELECT id FROM sites WHERE tenant_id = $1 AND project_id = $2',
      [this.tenantId, this.projectId],
    );
    return rows.map(({ id }) => id);
  }
}
