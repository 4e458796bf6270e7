import type { FieldValues } from '../../../../content/model/field-definition.js';
import { RewritingRepository } from '../../../shared/rewriting.repository.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import type { DeliveredBlocks } from '../../../../content/deliver-fields.js';
import { renewTranslations } from '../../../environments/renames/index.js';
import type { LinkRow } from '../../../entries/entries/index.js';

/** Values as a version wrote them, under the names of that time. */
export interface FormerValues {
  readonly slug: string;
  readonly fields: FieldValues;
  readonly renameNumber: number;
}

/** One locale of an entry: now, before an apply, and as it was published if that was before the apply. */
export interface FormerLocale {
  readonly locale: string;
  readonly slug: string;
  readonly fields: FieldValues;
  readonly former: FormerValues | null;
  readonly published: { readonly own: FormerValues; readonly shared: FormerValues } | null;
}

export interface FormerEntry {
  readonly id: string;
  readonly contentTypeId: string;
  readonly shared: FieldValues;
  readonly former: FormerValues | null;
  /** Whether a version was written since the apply. */
  readonly isEdited: boolean;
  readonly locales: readonly FormerLocale[];
}

export interface RestoredLocale {
  readonly locale: string;
  readonly fields: FieldValues;
  /** Delivered values to add to the published document. */
  readonly live: FieldValues;
  /** Delivered values to add to its blocks, by id. */
  readonly liveBlocks: Readonly<Record<string, FieldValues>>;
  /** The blocks that were published; those that the document leads to again are added. */
  readonly formerBlocks: DeliveredBlocks | null;
  /** Whether the whole draft is that of the document. */
  readonly isSame: { readonly content: boolean; readonly shared: boolean };
  /** Whether the values added to the draft are. */
  readonly isAlike: { readonly content: boolean; readonly shared: boolean };
  readonly media: readonly { readonly fieldId: string; readonly assetId: string }[];
}

export interface RestoredEntry {
  readonly id: string;
  readonly shared: FieldValues;
  readonly locales: readonly RestoredLocale[];
  readonly links: readonly LinkRow[];
}

/** Entries of one statement: each can have a megabyte. */
const BATCH = 50;
const STATEMENT_SECONDS = 120;

const written = (
  column: string,
  of: string,
): string => `(SELECT jsonb_build_object('slug', v.slug, 'fields', v.${column}, 'renameNumber', v.rename_number)
  FROM whole_versions v WHERE v.environment_id = e.environment_id AND v.entry_id = e.id AND v.rename_number < $3 ${of}
  ORDER BY v.version_num DESC LIMIT 1)`;

const readSql = `SELECT e.id, e.content_type_id AS "contentTypeId", e.shared_fields AS shared, ${written('shared_fields', '')} AS former,
    EXISTS (SELECT FROM entry_versions v WHERE v.environment_id = e.environment_id AND v.entry_id = e.id
      AND v.rename_number >= $3) AS "isEdited",
    (SELECT coalesce(jsonb_agg(jsonb_build_object('locale', l.locale, 'slug', l.slug, 'fields', l.fields,
        'former', ${written('fields', 'AND v.locale = l.locale')},
        'published', CASE WHEN EXISTS (SELECT FROM entry_versions v WHERE v.environment_id = e.environment_id AND v.entry_id = e.id
            AND v.version_num = l.published_version AND v.rename_number < $3)
          THEN jsonb_build_object(
            'own', ${written('fields', 'AND v.locale = l.locale AND v.version_num <= l.published_version')},
            'shared', ${written('shared_fields', 'AND v.version_num = l.published_version')}) END) ORDER BY l.locale), '[]')
      FROM entry_locales l WHERE l.environment_id = e.environment_id AND l.entry_id = e.id) AS locales
  FROM entries e WHERE e.environment_id = $1 AND e.id > $4 AND (e.content_type_id = $2
    OR e.id IN (SELECT b.entry_id FROM owned_blocks b WHERE b.environment_id = $1 AND b.content_type_id = $2)) ORDER BY e.id LIMIT ${String(BATCH)}`;

/** A promotion compares what changes: the values return to fields that are new, though no version is written. */
const journal = (rows: string, part: string, isChanged: string): string =>
  `INSERT INTO environment_changes (tenant_id, environment_id, epoch, kind, item_id, part, before)
   SELECT r.tenant_id, r.environment_id, c.epoch, 'entry', g.id, ${part}, to_jsonb(r)
   FROM jsonb_to_recordset($2::jsonb) AS g (id uuid, locale text, shared jsonb, fields jsonb) JOIN ${rows}
     JOIN environment_epochs c ON c.environment_id = r.environment_id
   WHERE ${isChanged} ORDER BY 5, 6 ON CONFLICT DO NOTHING`;
const journalEntries = journal(
  'entries r ON r.environment_id = $1 AND r.id = g.id',
  `''`,
  'r.shared_fields <> g.shared',
);
const journalLocales = journal(
  'entry_locales r ON r.environment_id = $1 AND r.entry_id = g.id AND r.locale = g.locale',
  'r.locale',
  'r.fields <> g.fields',
);

const writeLocales = `UPDATE entry_locales l SET fields = g.fields, shared_hash = md5(g.shared::text),
    published_content_hash = CASE WHEN (g."isSame" ->> 'content')::boolean
      OR l.published_content_hash = l.content_hash AND (g."isAlike" ->> 'content')::boolean
      THEN md5(l.slug || chr(10) || g.fields::text) ELSE l.published_content_hash END,
    published_shared_hash = CASE WHEN (g."isSame" ->> 'shared')::boolean
      OR l.published_shared_hash = l.shared_hash AND (g."isAlike" ->> 'shared')::boolean
      THEN md5(g.shared::text) ELSE l.published_shared_hash END
  FROM jsonb_to_recordset($2::jsonb) AS g (id uuid, locale text, shared jsonb, fields jsonb, "isSame" jsonb, "isAlike" jsonb)
  WHERE l.environment_id = $1 AND l.entry_id = g.id AND l.locale = g.locale`;

const writeEntries = `UPDATE entries e SET shared_fields = g.shared FROM jsonb_to_recordset($2::jsonb) AS g (id uuid, shared jsonb)
  WHERE e.environment_id = $1 AND e.id = g.id AND e.shared_fields <> g.shared`;

const writeDocuments = `UPDATE published_entries p SET fields = p.fields || g.live, blocks = held_blocks(p.fields || g.live, (
    SELECT jsonb_object_agg(b.id, CASE WHEN p.blocks ? b.id THEN jsonb_set(p.blocks -> b.id, '{fields}',
      (p.blocks -> b.id -> 'fields') || coalesce(g."liveBlocks" -> b.id, '{}')) ELSE g."formerBlocks" -> b.id END)
    FROM (SELECT jsonb_object_keys(p.blocks) UNION SELECT jsonb_object_keys(nullif(g."formerBlocks", 'null'))) AS b (id)))
  FROM jsonb_to_recordset($2::jsonb) AS g (id uuid, locale text, live jsonb, "liveBlocks" jsonb, "formerBlocks" jsonb)
  WHERE p.environment_id = $1 AND p.entry_id = g.id AND p.locale = g.locale`;

const dropLinks = `DELETE FROM entry_links k USING jsonb_to_recordset($2::jsonb) AS g (id uuid)
  WHERE k.environment_id = $1 AND k.entry_id = g.id`;

const writeLinks = `INSERT INTO entry_links (tenant_id, environment_id, entry_id, locale, field_id, target_id, is_media)
  SELECT $3, $1, g.id, g.locale, g."fieldId", g."targetId", g."isMedia"
  FROM jsonb_to_recordset($2::jsonb) AS g (id uuid, locale text, "fieldId" uuid, "targetId" uuid, "isMedia" boolean)
  ORDER BY g."targetId" ON CONFLICT DO NOTHING`;

const writeMedia = `INSERT INTO published_media (environment_id, entry_id, locale, field_id, asset_id)
  SELECT $1, p.entry_id, p.locale, g."fieldId", g."assetId"
  FROM jsonb_to_recordset($2::jsonb) AS g (id uuid, locale text, "fieldId" uuid, "assetId" uuid)
    JOIN published_entries p ON p.environment_id = $1 AND p.entry_id = g.id AND p.locale = g.locale
  ORDER BY g."assetId" ON CONFLICT DO NOTHING`;

/** Content of a type, and of entries with blocks of it, before an apply, and its return. Writers hold the schema lock. */
export class FormerContentRepository extends Repository {
  /** @param mark see `SchemaApplyRecord.mark` */
  async *entries(contentTypeId: string, mark: number): AsyncGenerator<FormerEntry[]> {
    await this.allowTime(STATEMENT_SECONDS);
    let last = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const bind = [this.environmentId, contentTypeId, mark, last];
      const rows = await this.query<FormerEntry>(readSql, bind);
      if (rows.length === 0) return;
      yield rows;
      last = rows.at(-1)?.id ?? last;
    }
  }

  /** No version is written, and what is published and unchanged remains so. */
  async write(entries: readonly RestoredEntry[]): Promise<void> {
    const ids = entries.map(({ id }) => id);
    await new RewritingRepository(this.bound).run(() => this.#write(entries), ids);
  }

  async #write(entries: readonly RestoredEntry[]): Promise<void> {
    await new RewritingRepository(this.bound).begin();
    const locales = entries.flatMap(({ id, shared, locales: own }) =>
      own.map((locale) => ({ id, shared, ...locale })),
    );
    const written = entries.map(({ id, shared }) => ({ id, shared }));
    await this.#run(journalEntries, written);
    await this.#run(journalLocales, locales);
    for (const sql of renewTranslations.before) await this.#run(sql, locales);
    await this.#run(writeLocales, locales);
    await this.#run(writeEntries, written);
    await this.#run(writeDocuments, locales);
    const ids = entries.map(({ id }) => id);
    for (const sql of renewTranslations.after) await this.query(sql, [this.environmentId, ids]);
    await this.#run(dropLinks, written);
    const links = entries.flatMap(({ id, links: own }) => own.map((link) => ({ id, ...link })));
    await this.query(writeLinks, [this.environmentId, JSON.stringify(links), this.tenantId]);
    const media = locales.flatMap(({ id, locale, media: own }) => own.map((one) => ({ id, locale, ...one })));
    await this.#run(writeMedia, media);
  }

  async #run(sql: string, rows: readonly object[]): Promise<void> {
    if (rows.length > 0) await this.query(sql, [this.environmentId, JSON.stringify(rows)]);
  }
}
