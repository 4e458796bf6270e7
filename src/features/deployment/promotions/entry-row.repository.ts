import { keyErrors } from '../../entries/entries/index.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { EntryRows } from './entry-rows.js';

const writeSql = `WITH given AS (
    SELECT * FROM jsonb_to_recordset($5::jsonb) AS g (id uuid, "contentTypeId" uuid, "siteId" uuid, "externalId" text, "sharedFields" jsonb,
      "changedFields" jsonb, "isNew" boolean)),
  locale AS (
    SELECT * FROM jsonb_to_recordset($6::jsonb) AS l ("entryId" uuid, locale text, slug text, title text, fields jsonb,
      "workflowState" text, "isWritten" boolean)),
  entry AS (
    INSERT INTO entries AS e (tenant_id, environment_id, id, content_type_id, site_id, version, shared_fields, created_at, created_by,
      updated_at, updated_by, external_id)
    SELECT $1, $2, id, "contentTypeId", "siteId", 1, "sharedFields", $3, $4, $3, $4, "externalId" FROM given ORDER BY id
    ON CONFLICT (environment_id, id) DO UPDATE SET version = e.version + 1, shared_fields = excluded.shared_fields, deleted_at = NULL,
      external_id = excluded.external_id, updated_at = excluded.updated_at, updated_by = excluded.updated_by
    RETURNING id, version),
  state AS (
    INSERT INTO entry_locales AS s (tenant_id, environment_id, entry_id, locale, content_type_id, site_id, slug, title, fields, in_tree,
      shared_hash, is_shown, created_at, updated_at, workflow_state)
    SELECT $1, $2, l."entryId", l.locale, g."contentTypeId", g."siteId", l.slug, l.title, l.fields, g.id = ANY ($7::uuid[]),
      md5(g."sharedFields"::text), false, $3, $3, l."workflowState"
    FROM locale l JOIN given g ON g.id = l."entryId" ORDER BY l."entryId", l.locale
    ON CONFLICT (environment_id, entry_id, locale) DO UPDATE SET slug = excluded.slug, title = excluded.title, fields = excluded.fields,
      in_tree = excluded.in_tree, shared_hash = excluded.shared_hash, is_deleted = false,
      workflow_state = CASE WHEN s.is_deleted THEN excluded.workflow_state ELSE s.workflow_state END,
      updated_at = CASE WHEN s.fields = excluded.fields AND s.slug = excluded.slug THEN s.updated_at ELSE excluded.updated_at END)
  INSERT INTO entry_versions (tenant_id, environment_id, entry_id, version_num, locale, change_type, slug, fields, shared_fields,
    changed_fields, comment, created_at, created_by)
  SELECT $1, $2, g.id, e.version, l.locale, CASE WHEN g."isNew" THEN 'create' ELSE 'update' END, l.slug, l.fields, g."sharedFields",
    ARRAY(SELECT jsonb_array_elements_text(g."changedFields")), $8, $3, $4
  FROM given g JOIN entry e ON e.id = g.id JOIN locale l ON l."entryId" = g.id AND l."isWritten"`;

/** Exactly one locale represents each entry: where its one document is, or the default one of its site, else the first. */
const showSql = `UPDATE entry_locales l SET is_shown = best.locale = l.locale FROM (
    SELECT DISTINCT ON (c.entry_id) c.entry_id, c.locale FROM entry_locales c JOIN sites s ON s.tenant_id = c.tenant_id AND s.id = c.site_id
      JOIN content_types t ON t.environment_id = c.environment_id AND t.id = c.content_type_id
    WHERE c.environment_id = $1 AND c.entry_id = ANY ($2::uuid[])
    ORDER BY c.entry_id, c.is_shown AND NOT t.is_localized DESC, c.locale = s.default_locale DESC, c.created_at, c.locale) AS best
  WHERE l.environment_id = $1 AND l.entry_id = best.entry_id AND l.is_shown <> (best.locale = l.locale)`;

const linkSql = `WITH given AS (
    SELECT * FROM jsonb_to_recordset($4::jsonb) AS k ("entryId" uuid, "fieldId" uuid, locale text, "targetId" uuid, "isMedia" boolean)),
  unlinked AS (
    DELETE FROM entry_links k WHERE k.environment_id = $2 AND k.entry_id = ANY ($3::uuid[]) AND NOT EXISTS (
      SELECT FROM given g WHERE g."entryId" = k.entry_id AND g."fieldId" = k.field_id AND g.locale = k.locale AND g."targetId" = k.target_id))
  INSERT INTO entry_links (tenant_id, environment_id, entry_id, locale, field_id, target_id, is_media)
  SELECT $1, $2, "entryId", locale, "fieldId", "targetId", "isMedia" FROM given ORDER BY "isMedia", "targetId" ON CONFLICT DO NOTHING`;

interface Written {
  /** Entries with a node in the tree of their site. */
  readonly inTree: readonly string[];
  readonly comment: string | null;
}

/** Writes entries of a promotion by statements whose number does not depend on that of the entries. */
export class EntryRowRepository extends Repository {
  /** @throws AppError 409 `slug_conflict`, `external_id_conflict` */
  async write(rows: readonly EntryRows[], { inTree, comment }: Written): Promise<void> {
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    const entries = rows.map(
      ({
        locales: _locales,
        links: _links,
        blocks: _blocks,
        written: _written,
        removed: _removed,
        ...entry
      }) => entry,
    );
    const locales = rows.flatMap(({ locales: own, written }) =>
      own.map((one) => ({ ...one, isWritten: written.includes(one.locale) })),
    );
    const written = this.query(writeSql, [
      this.tenantId,
      this.environmentId,
      this.bound.now,
      JSON.stringify(this.bound.scope.actor),
      JSON.stringify(entries),
      JSON.stringify(locales),
      inTree,
      comment,
    ]);
    await this.mapViolations(written, keyErrors);
    await this.query(showSql, [this.environmentId, ids]);
    const links = JSON.stringify(rows.flatMap((row) => row.links));
    await this.query(linkSql, [this.tenantId, this.environmentId, ids, links]);
  }

  /** Until they are written, the slugs of these locales are free, as those of pages in a tree are. */
  async vacateSlugs(locales: readonly { readonly id: string; readonly locale: string }[]): Promise<void> {
    if (locales.length === 0) return;
    await this.query(
      `UPDATE entry_locales l SET in_tree = true FROM unnest($2::uuid[], $3::text[]) AS g (id, locale)
       WHERE l.environment_id = $1 AND l.entry_id = g.id AND l.locale = g.locale AND NOT l.in_tree`,
      [this.environmentId, locales.map(({ id }) => id), locales.map(({ locale }) => locale)],
    );
  }

  async vacateExternalIds(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.query(
      'UPDATE entries SET external_id = NULL WHERE environment_id = $1 AND id = ANY ($2::uuid[]) AND external_id IS NOT NULL',
      [this.environmentId, ids],
    );
  }

  async removeLocales(rows: readonly EntryRows[]): Promise<void> {
    const keys = rows.flatMap(({ id, removed }) => removed.map((locale) => ({ id, locale })));
    if (keys.length === 0) return;
    await this.query(
      `DELETE FROM entry_locales l USING unnest($2::uuid[], $3::text[]) AS g (id, locale)
       WHERE l.environment_id = $1 AND l.entry_id = g.id AND l.locale = g.locale`,
      [this.environmentId, keys.map(({ id }) => id), keys.map(({ locale }) => locale)],
    );
  }

  /** Entries with a node in the tree of their site. */
  async inTree(ids: readonly string[]): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      `SELECT e.id FROM entries e JOIN tree_nodes n ON n.environment_id = e.environment_id AND n.entry_id = e.id AND n.site_id = e.site_id
       WHERE e.environment_id = $1 AND e.id = ANY ($2::uuid[])`,
      [this.environmentId, ids],
    );
    return rows.map(({ id }) => id);
  }
}
