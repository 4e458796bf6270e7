import { AppError } from '../../../../contracts/errors.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { keyErrors } from '../../entries/entries/index.js';
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

/** A block that belonged to another entry, or that has become a shared block. */
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

const writeBlocksSql = `INSERT INTO owned_blocks AS b (tenant_id, environment_id, id, entry_id, content_type_id)
  SELECT $3, $1, g.id, g."entryId", g."contentTypeId" FROM ${given} ORDER BY g.id
  ON CONFLICT (environment_id, id) DO UPDATE SET entry_id = excluded.entry_id WHERE b.entry_id <> excluded.entry_id`;

const containing = (values: string): string =>
  `jsonb_path_exists(to_jsonb(${values}), 'strict $.** ? (@._ref == $id && exists(@.fields))', jsonb_build_object('id', g.id), true)`;

/** Entries that still contain blocks which others have. */
const keptBlocksSql = `SELECT DISTINCT e.id, g."entryId" FROM jsonb_to_recordset($2::jsonb) AS g (id uuid, "entryId" uuid, "formerId" uuid)
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
      await this.query(writeBlocksSql, [this.environmentId, JSON.stringify(blocks), this.tenantId]);
    return former;
  }

  /**
   * An entry that had such a block must be promoted, too.
   * @throws AppError 409 `promotion_incomplete`
   */
  async assertMoved(moved: readonly MovedBlock[]): Promise<void> {
    if (moved.length === 0) return;
    const kept = await this.query<{ id: string; entryId: string }>(keptBlocksSql, [
      this.environmentId,
      JSON.stringify(moved),
    ]);
    if (kept.length === 0) return;
    const missing = kept.map(({ id, entryId }) => ({
      kind: 'entry',
      id,
      neededBy: { kind: 'entry', id: entryId },
    }));
    throw new AppError('promotion_incomplete', { missing });
  }
}
