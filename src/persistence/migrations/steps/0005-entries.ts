import {
  afterStatement,
  countSlot,
  grant,
  ownersFunction,
  steps,
  tenantWall,
  unlessEmpty,
  verbs,
  type Migration,
  type Verb,
} from './migration.js';

const countKeys = 'environment_id, is_deleted, locale, status, content_type_id, site_id, workflow_state';

/** Each locale under its code, and under '' where it stands for its entry. */
const countedLocales = (source: string, step: string): string =>
  `SELECT r.environment_id, r.is_deleted, shown.locale, r.status, r.content_type_id, r.site_id,
      coalesce(r.workflow_state, '') AS workflow_state, r.entry_id, ${step} AS step
    FROM ${source} r CROSS JOIN LATERAL (SELECT r.locale UNION ALL SELECT '' WHERE r.is_shown) AS shown (locale)`;

const countName = (verb: Verb): string => `count_entry_locales_${verb.toLowerCase()}`;

const countLocales = (verb: Verb): string =>
  ownersFunction(
    countName(verb),
    `${unlessEmpty(verb)}
      INSERT INTO entry_counts AS c (${countKeys}, slot, entries)
        SELECT ${countKeys}, ${countSlot} AS slot, sum(step) FROM (${steps(verb, countedLocales)}) AS changed
          GROUP BY ${countKeys}, slot HAVING sum(step) <> 0 ORDER BY ${countKeys}, slot
        ON CONFLICT (${countKeys}, slot) DO UPDATE SET entries = c.entries + excluded.entries;`,
  );

/**
 * The write model: entries with their blocks, locales, versions, links and publications, and what lists count. Counters
 * have 16 slots, so that concurrent writers rarely block each other.
 */
export const entries: Migration = {
  name: '0005-entries',
  up: `
    CREATE TABLE entries (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      content_type_id uuid NOT NULL,
      site_id uuid NOT NULL,
      version integer NOT NULL,
      shared_fields jsonb NOT NULL,
      shared_hash text NOT NULL GENERATED ALWAYS AS (md5((shared_fields)::text)) STORED,
      created_at timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      updated_at timestamptz NOT NULL,
      updated_by jsonb NOT NULL,
      deleted_at timestamptz,
      created_by_id text GENERATED ALWAYS AS (created_by ->> 'id') STORED,
      updated_by_id text GENERATED ALWAYS AS (updated_by ->> 'id') STORED,
      external_id text COLLATE "C",
      PRIMARY KEY (environment_id, id),
      FOREIGN KEY (environment_id, content_type_id) REFERENCES content_types (environment_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id),
      FOREIGN KEY (tenant_id, site_id) REFERENCES sites (tenant_id, id)
    );
    CREATE INDEX entries_content_type ON entries (environment_id, content_type_id, site_id);
    CREATE INDEX entries_created ON entries (environment_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
    CREATE INDEX entries_created_by ON entries (environment_id, created_by_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
    CREATE INDEX entries_deleted ON entries (environment_id, deleted_at DESC, id DESC) WHERE deleted_at IS NOT NULL;
    CREATE UNIQUE INDEX entries_external_id_key ON entries (environment_id, external_id, content_type_id) WHERE (external_id IS NOT NULL) AND (deleted_at IS NULL);
    CREATE INDEX entries_site ON entries (tenant_id, site_id);
    CREATE INDEX entries_site_updated ON entries (environment_id, site_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
    CREATE INDEX entries_type_created ON entries (environment_id, content_type_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
    CREATE INDEX entries_type_updated ON entries (environment_id, content_type_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
    CREATE INDEX entries_updated ON entries (environment_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
    CREATE INDEX entries_updated_by ON entries (environment_id, updated_by_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
    COMMENT ON COLUMN entries.external_id IS 'Id in another system, unique within the type.';

    CREATE TABLE entry_locales (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      locale text NOT NULL,
      content_type_id uuid NOT NULL,
      site_id uuid NOT NULL,
      slug text NOT NULL,
      title text NOT NULL,
      fields jsonb NOT NULL,
      content_hash text NOT NULL GENERATED ALWAYS AS (md5(((slug || chr(10)) || (fields)::text))) STORED,
      published_content_hash text,
      published_shared_hash text,
      published_version integer,
      published_at timestamptz,
      first_published_at timestamptz,
      is_deleted boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      in_tree boolean NOT NULL DEFAULT false,
      shared_hash text NOT NULL,
      is_shown boolean NOT NULL,
      status text NOT NULL GENERATED ALWAYS AS (
CASE
    WHEN (published_content_hash IS NULL) THEN 'draft'
    WHEN ((published_content_hash = md5(((slug || chr(10)) || (fields)::text))) AND (published_shared_hash = shared_hash)) THEN 'published'
    ELSE 'changed'
END) STORED,
      workflow_state text,
      assignee_id uuid,
      due_at timestamptz,
      PRIMARY KEY (environment_id, entry_id, locale),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE
    );
    CREATE INDEX entry_locales_approvals ON entry_locales (environment_id, workflow_state, content_type_id, due_at, entry_id, locale) WHERE (workflow_state IS NOT NULL) AND (NOT is_deleted);
    CREATE INDEX entry_locales_by_locale ON entry_locales (tenant_id, locale);
    CREATE INDEX entry_locales_by_slug ON entry_locales (environment_id, locale, slug) WHERE NOT is_deleted;
    CREATE INDEX entry_locales_due ON entry_locales (environment_id, due_at) WHERE (due_at IS NOT NULL) AND (NOT is_deleted);
    CREATE INDEX entry_locales_shown_title ON entry_locales (environment_id, title COLLATE "und-x-icu", entry_id, content_type_id) WHERE is_shown AND (NOT is_deleted);
    CREATE UNIQUE INDEX entry_locales_slug_key ON entry_locales (environment_id, site_id, content_type_id, locale, slug) WHERE (NOT is_deleted) AND (NOT in_tree);
    CREATE INDEX entry_locales_status ON entry_locales (environment_id, status, content_type_id, locale) WHERE NOT is_deleted;
    CREATE INDEX entry_locales_tasks ON entry_locales (environment_id, assignee_id, due_at, entry_id, locale) WHERE assignee_id IS NOT NULL;
    CREATE INDEX entry_locales_title ON entry_locales (environment_id, locale, title COLLATE "und-x-icu", entry_id, content_type_id) WHERE NOT is_deleted;
    CREATE INDEX entry_locales_workflow ON entry_locales (environment_id, workflow_state, content_type_id, locale) WHERE (workflow_state IS NOT NULL) AND (NOT is_deleted);
    COMMENT ON COLUMN entry_locales.is_deleted IS 'Not read: the entry is deleted, or its type has no locales and another locale is shown.';
    COMMENT ON COLUMN entry_locales.shared_hash IS 'That of the entry, whose writers keep it here, too.';
    COMMENT ON COLUMN entry_locales.is_shown IS 'Exactly one locale of an entry stands for it where none is asked for: the default one of its site, else the first.';
    COMMENT ON COLUMN entry_locales.workflow_state IS 'Null is the base state. Equal in all locales of an entry unless its workflow is per locale, as are the assignee and the due time.';

    CREATE TABLE entry_versions (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      version_num integer NOT NULL,
      locale text NOT NULL,
      change_type text NOT NULL,
      slug text NOT NULL,
      fields jsonb NOT NULL,
      shared_fields jsonb NOT NULL,
      changed_fields text[] NOT NULL,
      comment text,
      created_at timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      rename_number bigint NOT NULL DEFAULT last_rename(),
      PRIMARY KEY (environment_id, entry_id, version_num, locale),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE
    );
    COMMENT ON TABLE entry_versions IS 'Append-only. A row holds one locale after a change; the whole entry at version n is the newest row up to n of each locale.';
    COMMENT ON COLUMN entry_versions.rename_number IS 'The last rename before the version was written: later ones change how it is read.';

    CREATE TABLE entry_links (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      locale text NOT NULL,
      field_id uuid NOT NULL,
      target_id uuid NOT NULL,
      is_media boolean NOT NULL DEFAULT false,
      PRIMARY KEY (environment_id, entry_id, locale, field_id, target_id),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE,
      FOREIGN KEY (environment_id, field_id) REFERENCES fields (environment_id, id) ON DELETE CASCADE
    );
    CREATE INDEX entry_links_target ON entry_links (environment_id, target_id, entry_id, field_id, locale);
    COMMENT ON COLUMN entry_links.locale IS 'Empty for fields that are the same in every locale.';
    COMMENT ON COLUMN entry_links.is_media IS 'Whether the target is an asset instead of an entry.';

    CREATE TABLE entry_publications (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      version_num integer NOT NULL,
      ordinal bigint GENERATED ALWAYS AS IDENTITY,
      locale text NOT NULL,
      kind text NOT NULL CHECK (kind IN ('publish', 'unpublish')),
      at timestamptz NOT NULL,
      by jsonb NOT NULL,
      comment text,
      PRIMARY KEY (environment_id, entry_id, version_num, ordinal),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE
    );
    CREATE INDEX entry_publications_calendar ON entry_publications (environment_id, at, entry_id);
    COMMENT ON TABLE entry_publications IS 'Append-only. A version that went live in a locale, or the live version that was taken offline.';

    CREATE TABLE entry_counts (
      environment_id uuid NOT NULL,
      content_type_id uuid NOT NULL,
      site_id uuid NOT NULL,
      locale text NOT NULL,
      status text NOT NULL,
      is_deleted boolean NOT NULL,
      slot integer NOT NULL,
      entries bigint NOT NULL,
      workflow_state text NOT NULL,
      PRIMARY KEY (environment_id, is_deleted, locale, status, content_type_id, site_id, workflow_state, slot)
    );
    COMMENT ON COLUMN entry_counts.locale IS 'Empty for the entries themselves, each by the locale that stands for it.';

    CREATE TABLE owned_blocks (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      entry_id uuid NOT NULL,
      content_type_id uuid NOT NULL,
      PRIMARY KEY (environment_id, id),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE
    );
    CREATE INDEX owned_blocks_entry ON owned_blocks (environment_id, entry_id);
    CREATE INDEX owned_blocks_type ON owned_blocks (environment_id, content_type_id);
    COMMENT ON TABLE owned_blocks IS 'Which entry has or had a block.';

    ${verbs.map((verb) => `${countLocales(verb)}${afterStatement({ verb, table: 'entry_locales', name: countName(verb) })}`).join('')}

    CREATE FUNCTION locale_chain(tenant uuid, code text, among text[]) RETURNS text[] LANGUAGE sql STABLE AS $$
      WITH RECURSIVE chain AS (
        SELECT code AS at, ARRAY[code] AS seen
        UNION ALL
        SELECT l.fallback_code, c.seen || l.fallback_code FROM chain c
          JOIN locales l ON l.tenant_id = tenant AND l.code = c.at
        WHERE l.fallback_code IS NOT NULL AND l.fallback_code <> ALL (c.seen))
      SELECT array_agg(at ORDER BY cardinality(seen)) FROM chain WHERE at = code OR at = ANY (among) $$;
    COMMENT ON FUNCTION locale_chain IS 'A locale and its fallbacks among those of a site, best first.';

    CREATE FUNCTION compared_form(value jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN CASE
        WHEN value::text IS NFC NORMALIZED THEN value
        WHEN jsonb_typeof(value) = 'string' THEN to_jsonb(normalize(value #>> '{}', NFC))
        WHEN jsonb_typeof(value) = 'array' THEN (
          SELECT jsonb_agg(CASE jsonb_typeof(item) WHEN 'string' THEN to_jsonb(normalize(item #>> '{}', NFC)) ELSE item END ORDER BY place)
          FROM jsonb_array_elements(value) WITH ORDINALITY AS items (item, place))
        ELSE value END;
    COMMENT ON FUNCTION compared_form IS 'A value of a field as it is compared: strings in NFC.';

    CREATE FUNCTION block_targets(blocks jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT coalesce(array_agg(DISTINCT ref #>> '{}'), '{}')
        FROM jsonb_path_query(blocks, 'strict $.**._ref', silent => true) AS ref
        WHERE NOT blocks ? (ref #>> '{}')
    $$;

    ${tenantWall('entries')}
    ${tenantWall('entry_links')}
    ${tenantWall('entry_locales')}
    ${tenantWall('entry_publications')}
    ${tenantWall('entry_versions')}
    CREATE POLICY delivered ON owned_blocks FOR SELECT TO headwater_reader
      USING (true);
    ${tenantWall('owned_blocks')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'entries, entry_locales, entry_links, owned_blocks')}
    ${grant('SELECT', 'entry_counts')}
    ${grant('SELECT, INSERT', 'entry_versions, entry_publications')}
    GRANT SELECT ON owned_blocks TO headwater_reader;
    GRANT EXECUTE ON FUNCTION locale_chain(uuid, text, text[]) TO headwater_service;
  `,
  down: `
    DROP FUNCTION count_entry_locales_insert, count_entry_locales_update, count_entry_locales_delete,
      locale_chain, compared_form, block_targets CASCADE;
    DROP TABLE owned_blocks, entry_counts, entry_publications, entry_links, entry_versions, entry_locales,
      entries CASCADE;
  `,
};
