import { writeDraftVersions, writePublishedVersions } from './embedded-blocks-history.js';

/** The rows of an entry with its blocks, and what was kept for these while they were entries (migration 0085). */

/** What was published and unchanged remains so, unless one of its blocks is changed. */
const publishedHash = (column: string, hash: string, next: string): string =>
  `${column} = CASE WHEN l.${column} = l.${hash} AND d.is_live THEN ${next} ELSE l.${column} END`;

const writeDrafts = `
      UPDATE entry_locales l SET fields = d.vals, shared_hash = md5(d.shared::text),
          ${publishedHash('published_content_hash', 'content_hash', 'md5(l.slug || chr(10) || d.vals::text)')},
          ${publishedHash('published_shared_hash', 'shared_hash', 'md5(d.shared::text)')}
        FROM batch_drafts d WHERE l.environment_id = environment AND l.entry_id = d.id AND l.locale = d.locale;
      UPDATE scheduled_jobs j SET version = j.version + 1 FROM entries e
        WHERE e.environment_id = environment AND e.id IN (SELECT id FROM batch_drafts) AND j.environment_id = environment AND j.entry_id = e.id
          AND j.version = e.version AND j.status = 'scheduled';
      UPDATE workflow_approvals a SET version = a.version + 1 FROM entries e
        WHERE e.environment_id = environment AND e.id IN (SELECT id FROM batch_drafts) AND a.environment_id = environment AND a.entry_id = e.id AND a.version = e.version;
      UPDATE entries e SET shared_fields = d.shared, version = e.version + 1
        FROM (SELECT DISTINCT ON (id) id, shared FROM batch_drafts ORDER BY id, locale) AS d WHERE e.environment_id = environment AND e.id = d.id;
      INSERT INTO owned_blocks (tenant_id, environment_id, id, entry_id, content_type_id)
        SELECT tenant, environment, b.id, b.owner_id, b.content_type_id FROM batch_blocks b;`;

const writePublished = `
      UPDATE published_entries p SET blocks = coalesce(p.blocks, '{}') || s.blocks
        FROM (SELECT owner_id, locale, jsonb_object_agg(id, jsonb_build_object('type', type_id, 'fields', vals)) AS blocks
          FROM batch_published GROUP BY 1, 2) AS s
        WHERE p.environment_id = environment AND p.entry_id = s.owner_id AND p.locale = s.locale;
      INSERT INTO published_media (environment_id, entry_id, locale, field_id, asset_id)
        SELECT DISTINCT environment, s.owner_id, s.locale, m.field_id, m.asset_id FROM batch_published s
          JOIN published_media m ON m.environment_id = environment AND m.entry_id = s.id AND m.locale = s.live
        ORDER BY m.asset_id ON CONFLICT DO NOTHING;
      INSERT INTO unique_values (tenant_id, environment_id, field_id, locale, value_hash, entry_id, published_locale)
        SELECT tenant, environment, u.field_id, CASE WHEN u.locale = '' THEN '' ELSE s.locale END, u.value_hash, s.owner_id, s.locale
        FROM batch_published s JOIN unique_values u ON u.environment_id = environment AND u.entry_id = s.id AND u.published_locale = s.live
        ON CONFLICT DO NOTHING;`;

const writeLinks = `
      INSERT INTO entry_links (tenant_id, environment_id, entry_id, locale, field_id, target_id, is_media)
        SELECT DISTINCT tenant, environment, b.owner_id, CASE WHEN k.locale = '' AND NOT b.is_localized THEN '' ELSE r.locale END,
          k.field_id, k.target_id, k.is_media
        FROM batch_blocks b JOIN batch_locales r ON r.id = b.id
          JOIN entry_links k ON k.environment_id = environment AND k.entry_id = b.id AND k.locale IN ('', r.draft)
        WHERE b.is_held AND NOT EXISTS (SELECT FROM batch_blocks t WHERE t.id = k.target_id)
        ORDER BY k.target_id ON CONFLICT DO NOTHING;
      DELETE FROM entry_links k USING batch_blocks b WHERE k.environment_id = environment AND k.entry_id = b.parent_id AND k.target_id = b.id;
      UPDATE entry_comments c SET entry_id = b.owner_id, block_id = CASE WHEN c.field_id IS NOT NULL THEN b.id END
        FROM batch_blocks b WHERE c.environment_id = environment AND c.entry_id = b.id;`;

/** Values of blocks in shared lists as translations name them. */
const marksOf = (columns: string): string => `SELECT ${columns}
          FROM batch_blocks b JOIN batch_locales r ON r.id = b.id JOIN batch_local v ON v.id = b.id AND v.locale = r.locale
            CROSS JOIN LATERAL jsonb_each(v.vals) AS f (name, value)
            CROSS JOIN LATERAL (SELECT b.root || '[' || b.id || '].' || f.name AS mark) AS m`;
const sourceOf = `JOIN entries e ON e.environment_id = environment AND e.id = k.entry_id
          JOIN sites s ON s.tenant_id = e.tenant_id AND s.id = e.site_id`;

/** A localized list is one value. Its hash is another one now, where it was the same. */
const listHash = (known: string): string => `CASE ${known}
            WHEN field_hash(d.former -> x.key) THEN field_hash(d.vals -> x.key) ELSE ${known} END`;
const isChangedList =
  'x.key IN (SELECT b.place_name FROM batch_blocks b WHERE b.parent_id = k.entry_id AND b.in_locale)';

/**
 * Sources first. A translation is outdated where that of the block was: its value was made from the source as it is now, or from
 * another one before.
 */
const writeTranslations = `
      UPDATE translation_sources k SET names = field_names(d.vals), hashes = CASE WHEN k.version IS NULL THEN k.hashes ELSE (
          SELECT coalesce(jsonb_object_agg(x.key, CASE WHEN ${isChangedList} AND d.is_live THEN to_jsonb(${listHash("x.value #>> '{}'")}) ELSE x.value END), '{}')
            FROM jsonb_each(k.hashes) AS x) || coalesce((
          ${marksOf(`jsonb_object_agg(m.mark, CASE WHEN r.is_live THEN to_jsonb(field_hash(f.value)) ELSE bk.hashes -> f.name END)`)}
            LEFT JOIN translation_sources bk ON bk.environment_id = environment AND bk.entry_id = b.id
            WHERE b.owner_id = k.entry_id AND NOT b.is_localized AND r.locale = s.default_locale
              AND EXISTS (SELECT FROM batch_published p WHERE p.owner_id = b.owner_id AND p.id = b.id AND p.locale = r.locale)
              AND (r.is_live OR bk.hashes ? f.name)), '{}') END
        FROM batch_drafts d ${sourceOf.replace('k.entry_id', 'd.id')}
        WHERE k.environment_id = environment AND k.entry_id = d.id AND d.locale = s.default_locale;
      UPDATE translations k SET names = field_names(w.vals), provenance = w.provenance, outdated = w.outdated,
          stale_at = CASE WHEN k.stage = 'complete' AND cardinality(w.outdated) > 0 THEN coalesce(k.stale_at, now()) ELSE k.stale_at END
        FROM (SELECT t.entry_id, t.locale, o.vals, n.provenance, outdated_fields(n.provenance, src.hashes, src.version) AS outdated
          FROM translations t JOIN batch_drafts o ON o.id = t.entry_id AND o.locale = t.locale
            JOIN entries e ON e.environment_id = environment AND e.id = t.entry_id
            JOIN sites s ON s.tenant_id = e.tenant_id AND s.id = e.site_id
            LEFT JOIN batch_drafts d ON d.id = t.entry_id AND d.locale = s.default_locale
            LEFT JOIN translation_sources src ON src.environment_id = environment AND src.entry_id = t.entry_id
            CROSS JOIN LATERAL (SELECT (
              SELECT coalesce(jsonb_object_agg(x.key, CASE WHEN ${isChangedList.replace('k.entry_id', 't.entry_id')} AND d.id IS NOT NULL
                  THEN x.value || jsonb_build_object('hash', ${listHash("x.value ->> 'hash'")}) ELSE x.value END), '{}')
                FROM jsonb_each(t.provenance) AS x) || coalesce((
              ${marksOf(`jsonb_object_agg(m.mark, CASE
                  WHEN NOT b.has_locales THEN jsonb_build_object('hash', field_hash(f.value), 'version', 0)
                  WHEN bt.provenance ? f.name THEN (bt.provenance -> f.name) || jsonb_build_object('version',
                    CASE WHEN (bt.provenance -> f.name ->> 'version')::integer <= coalesce(bk.version, -1) THEN 0 ELSE e.version END)
                  ELSE jsonb_build_object('hash', NULL, 'version', 0) END)`)}
                LEFT JOIN translations bt ON bt.environment_id = environment AND bt.entry_id = b.id AND bt.locale = r.locale AND bt.is_written
                LEFT JOIN translation_sources bk ON bk.environment_id = environment AND bk.entry_id = b.id
                WHERE b.owner_id = t.entry_id AND NOT b.is_localized AND r.locale = t.locale), '{}') AS provenance OFFSET 0) AS n
          WHERE t.environment_id = environment AND t.is_written) AS w
        WHERE k.environment_id = environment AND k.entry_id = w.entry_id AND k.locale = w.locale;`;

/** Owners and blocks that were changed after the plan was made are left to the next plan. */
const chooseOwners = `
      INSERT INTO batch_owners SELECT o.id FROM unnest(owners) AS o (id)
        WHERE NOT EXISTS (SELECT FROM embedding_owners p WHERE p.environment_id = environment AND p.id = o.id
            AND p.mark IS DISTINCT FROM pg_temp.entry_mark(environment, o.id))
          AND NOT EXISTS (SELECT FROM embedded_blocks b WHERE b.environment_id = environment AND b.owner_id = o.id
            AND (b.mark IS DISTINCT FROM pg_temp.entry_mark(environment, b.id)
              OR EXISTS (SELECT FROM entry_links k WHERE k.environment_id = environment AND k.target_id = b.id AND k.entry_id <> b.parent_id)
              OR EXISTS (SELECT FROM tree_nodes n WHERE n.environment_id = environment AND n.entry_id = b.id)
              OR EXISTS (SELECT FROM scheduled_jobs j WHERE j.environment_id = environment AND j.entry_id = b.id AND j.status = 'scheduled')));
      GET DIAGNOSTICS chosen = ROW_COUNT;`;

export const rowFunctions = `
    CREATE OR REPLACE FUNCTION pg_temp.embed_blocks(tenant uuid, environment uuid, owners uuid[]) RETURNS integer LANGUAGE plpgsql AS $f$
    DECLARE chosen integer;
    BEGIN
      TRUNCATE batch_owners;
      ${chooseOwners}
      PERFORM pg_temp.compose_batch(environment);
      PERFORM set_config('headwater.rewriting_fields', 'on', true);
      PERFORM pg_temp.embed_journal(tenant, environment);
      ${writePublishedVersions}
      ${writeDrafts}
      ${writeDraftVersions}
      ${writePublished}
      ${writeLinks}
      ${writeTranslations}
      DELETE FROM entries e USING batch_blocks b WHERE e.environment_id = environment AND e.id = b.id;
      DELETE FROM environment_changes c USING batch_blocks b WHERE c.environment_id = environment AND c.kind = 'entry' AND c.item_id = b.id;
      RETURN chosen;
    END $f$;`;
