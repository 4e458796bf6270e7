import {
  afterStatement,
  countSlot,
  grant,
  ownersFunction,
  steps,
  tenantWall,
  verbs,
  type Migration,
  type Verb,
} from './migration.js';

const countedDocuments = (source: string, step: string): string =>
  `SELECT environment_id, content_type_id, site_id, locale, entry_id, ${step} AS step FROM ${source}`;

const keepCounts = (verb: Verb): string => {
  const name = `keep_published_counts_${verb.toLowerCase()}`;
  const count = `
      INSERT INTO published_counts AS c (environment_id, content_type_id, site_id, locale, slot, entries)
        SELECT environment_id, content_type_id, site_id, locale, ${countSlot}, sum(step)
          FROM (${steps(verb, countedDocuments)}) AS changed
          GROUP BY 1, 2, 3, 4, 5 HAVING sum(step) <> 0 ORDER BY 1, 2, 3, 4, 5
        ON CONFLICT (environment_id, content_type_id, site_id, locale, slot)
          DO UPDATE SET entries = c.entries + excluded.entries;`;
  const trigger = `keep_counts_${verb.toLowerCase()}`;
  return `${ownersFunction(name, count)}${afterStatement({ verb, table: 'published_entries', name: trigger, called: name })}`;
};

/** Rows of one statement that are noted one by one; the types of more are noted whole. */
const NOTED_ONE_BY_ONE = 1000;

const changedValues: Readonly<Record<Verb, string>> = {
  INSERT: 'added',
  UPDATE: `(SELECT a.* FROM added a JOIN removed r USING (environment_id, entry_id, locale)
        WHERE a.fields IS DISTINCT FROM r.fields)`,
  DELETE: 'removed',
};

const noteFilters = (verb: Verb): string => {
  const name = `note_filters_${verb.toLowerCase()}`;
  const note = `
      IF EXISTS (SELECT FROM ${verb === 'DELETE' ? 'removed' : 'added'} OFFSET ${String(NOTED_ONE_BY_ONE)}) THEN
        INSERT INTO filter_notes (environment_id, content_type_id)
          SELECT DISTINCT environment_id, content_type_id FROM ${changedValues[verb]} AS changed;
      ELSE
        INSERT INTO filter_notes (environment_id, content_type_id, entry_id, locale)
          SELECT environment_id, content_type_id, entry_id, locale FROM ${changedValues[verb]} AS changed;
      END IF;`;
  return `${ownersFunction(name, note)}${afterStatement({ verb, table: 'published_entries', name })}`;
};

/**
 * The read model: published documents, each as values and as the text that delivery sends, unique values, and what
 * documents are filtered by besides equality: parts of strings, and fields with and without a value, as hashes; numbers
 * and beginnings of strings in their order. Triggers note what changed, and a worker indexes it, so that a publication
 * costs one row. Readers look at what is noted, too. A type with another field is noted whole.
 *
 * Neither form of a published document changes without the other: a text is removed when the values change without it,
 * and not written unless it says what they say.
 */
export const publishing: Migration = {
  name: '0006-publishing',
  up: `
    CREATE SEQUENCE filter_note_id;
    CREATE FUNCTION filter_values(environment_id uuid, content_type_id uuid, fields jsonb) RETURNS jsonb
      LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN (SELECT jsonb_build_object(environment_id::text, jsonb_build_object(content_type_id::text, jsonb_object_agg(key, compared_form(value))))
        FROM jsonb_each(fields) WHERE CASE jsonb_typeof(value)
          WHEN 'object' THEN value ? '_ref'
          WHEN 'string' THEN length(value #>> '{}') <= 1000
          ELSE value NOT IN ('null', '[]') END);

    CREATE TABLE published_entries (
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      locale text NOT NULL,
      content_type_id uuid NOT NULL,
      site_id uuid NOT NULL,
      slug text NOT NULL,
      fields jsonb NOT NULL,
      version integer NOT NULL,
      created_at timestamptz NOT NULL,
      published_at timestamptz NOT NULL,
      first_published_at timestamptz NOT NULL,
      is_unlisted boolean NOT NULL GENERATED ALWAYS AS (COALESCE(((fields -> 'noindex') = 'true'::jsonb), false)) STORED,
      filter_values jsonb GENERATED ALWAYS AS (filter_values(environment_id, content_type_id, fields)) STORED,
      body text STORAGE MAIN,
      all_locales boolean,
      blocks jsonb,
      own_values jsonb,
      own_blocks jsonb,
      PRIMARY KEY (environment_id, entry_id, locale),
      FOREIGN KEY (environment_id, entry_id, locale) REFERENCES entry_locales (environment_id, entry_id, locale) ON DELETE CASCADE
    ) WITH (toast_tuple_target=4080);
    CREATE INDEX published_block_targets ON published_entries USING gin (block_targets(blocks)) WHERE blocks IS NOT NULL;
    CREATE INDEX published_by_site ON published_entries (environment_id, content_type_id, locale, site_id, published_at DESC, entry_id DESC);
    CREATE INDEX published_by_site_created ON published_entries (environment_id, content_type_id, locale, site_id, created_at DESC, entry_id DESC);
    CREATE INDEX published_by_slug ON published_entries (environment_id, locale, slug);
    CREATE INDEX published_by_type ON published_entries (environment_id, content_type_id, locale, published_at DESC, entry_id DESC);
    CREATE INDEX published_by_value ON published_entries USING gin (filter_values jsonb_path_ops) WITH (gin_pending_list_limit='256');
    CREATE UNIQUE INDEX published_for_all ON published_entries (environment_id, entry_id) WHERE all_locales;
    CREATE INDEX published_for_all_by_site ON published_entries (environment_id, content_type_id, site_id, published_at DESC, entry_id DESC) WHERE all_locales;
    CREATE INDEX published_for_all_by_site_created ON published_entries (environment_id, content_type_id, site_id, created_at DESC, entry_id DESC) WHERE all_locales;
    CREATE INDEX published_for_all_by_slug ON published_entries (environment_id, slug) WHERE all_locales;
    CREATE INDEX published_for_all_by_type ON published_entries (environment_id, content_type_id, published_at DESC, entry_id DESC) WHERE all_locales;
    CREATE INDEX published_with_fallbacks ON published_entries (environment_id, entry_id) WHERE (own_values IS NOT NULL) OR (own_blocks IS NOT NULL);
    CREATE INDEX published_without_body ON published_entries (environment_id, entry_id, locale) WHERE body IS NULL;
    COMMENT ON COLUMN published_entries.body IS 'A digest, then one line of JSON per field. Null: not written yet since the values changed.';
    COMMENT ON COLUMN published_entries.all_locales IS 'The document is served in every locale. Null, as in rows that were kept before this column: only in its own.';
    COMMENT ON COLUMN published_entries.blocks IS 'Own blocks on all levels: {id: {type: <id of the type>, fields}}.';
    COMMENT ON COLUMN published_entries.own_values IS 'Own values of the document in fields that show the value of a fallback. Null: it shows its own values.';
    COMMENT ON COLUMN published_entries.own_blocks IS 'The blocks of the document itself, if it shows others or other values of them; empty if it has none. Null: it shows its own.';

    CREATE TABLE published_counts (
      environment_id uuid NOT NULL,
      content_type_id uuid NOT NULL,
      site_id uuid NOT NULL,
      locale text NOT NULL,
      slot integer NOT NULL,
      entries bigint NOT NULL,
      PRIMARY KEY (environment_id, content_type_id, locale, site_id, slot)
    );

    CREATE TABLE unique_values (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      field_id uuid NOT NULL,
      locale text NOT NULL,
      value_hash text NOT NULL,
      entry_id uuid NOT NULL,
      published_locale text NOT NULL,
      PRIMARY KEY (environment_id, field_id, locale, value_hash, entry_id, published_locale),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE,
      FOREIGN KEY (environment_id, field_id) REFERENCES fields (environment_id, id) ON DELETE CASCADE
    );
    CREATE INDEX unique_values_entry ON unique_values (environment_id, entry_id, published_locale);
    COMMENT ON COLUMN unique_values.locale IS 'Empty for fields that are the same in every locale.';

    CREATE TABLE filter_documents (
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      locale text NOT NULL,
      content_type_id uuid NOT NULL,
      terms integer[] NOT NULL,
      PRIMARY KEY (environment_id, entry_id, locale)
    );
    CREATE INDEX filter_documents_terms ON filter_documents USING gin (terms) WITH (gin_pending_list_limit='64');
    COMMENT ON COLUMN filter_documents.terms IS 'Hashes of environment, type and field with a part of the value.';

    CREATE TABLE filter_keys (
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      locale text NOT NULL,
      place integer NOT NULL,
      key text COLLATE "C" NOT NULL,
      PRIMARY KEY (environment_id, entry_id, locale, place, key)
    );
    CREATE INDEX filter_keys_order ON filter_keys (place, key);
    COMMENT ON COLUMN filter_keys.place IS 'Hash of environment, type and field.';

    CREATE TABLE filter_notes (
      environment_id uuid NOT NULL,
      content_type_id uuid NOT NULL,
      id bigint NOT NULL DEFAULT nextval('filter_note_id'),
      entry_id uuid,
      locale text,
      after_entry_id uuid,
      after_locale text,
      noted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (environment_id, content_type_id, id)
    );
    COMMENT ON TABLE filter_notes IS 'Documents to index again: one, or all of a type after the last one that was indexed.';

    ${verbs.map(keepCounts).join('')}

    CREATE FUNCTION drop_outdated_text() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.body = NULL;
      RETURN NEW;
    END $$;
    CREATE TRIGGER drop_outdated_text BEFORE UPDATE OF fields ON published_entries FOR EACH ROW WHEN (old.body IS NOT NULL AND NOT new.body IS DISTINCT FROM old.body AND new.fields IS DISTINCT FROM old.fields)
      EXECUTE FUNCTION drop_outdated_text();

    ${verbs.map(noteFilters).join('')}

    CREATE FUNCTION note_filters_field() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      INSERT INTO filter_notes (environment_id, content_type_id) SELECT NEW.environment_id, NEW.content_type_id
        WHERE EXISTS (SELECT FROM published_entries p
          WHERE p.environment_id = NEW.environment_id AND p.content_type_id = NEW.content_type_id);
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_filters_added AFTER INSERT ON fields FOR EACH ROW EXECUTE FUNCTION note_filters_field();
    CREATE TRIGGER note_filters_renamed AFTER UPDATE ON fields FOR EACH ROW
      WHEN (OLD.api_name <> NEW.api_name) EXECUTE FUNCTION note_filters_field();

    CREATE FUNCTION published_values(body text) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN ('{' || replace(substr(body, strpos(body, chr(10)) + 1), chr(10), ',') || '}')::jsonb;

    CREATE FUNCTION refuse_other_text() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF published_values(NEW.body) IS DISTINCT FROM NEW.fields THEN NEW.body = NULL; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER refuse_other_text BEFORE UPDATE OF body ON published_entries FOR EACH ROW
      WHEN (NEW.body IS DISTINCT FROM OLD.body AND NEW.fields IS NOT DISTINCT FROM OLD.fields AND NEW.body IS NOT NULL)
      EXECUTE FUNCTION refuse_other_text();

    CREATE FUNCTION refuse_untranslated() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
    BEGIN
      IF EXISTS (SELECT FROM entries e JOIN content_types t ON t.environment_id = e.environment_id AND t.id = e.content_type_id
          WHERE e.environment_id = NEW.environment_id AND e.id = NEW.entry_id AND NOT t.is_localized) THEN
        RETURN NULL;
      END IF;
      RETURN NEW;
    END $$;
    COMMENT ON FUNCTION refuse_untranslated IS 'Entries of types without locales have no translations.';

    ${tenantWall('unique_values')}
    GRANT SELECT ON published_entries, published_counts, filter_documents, filter_keys, filter_notes TO headwater_reader;
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'published_entries, unique_values, filter_documents, filter_keys, filter_notes')}
    ${grant('USAGE', 'SEQUENCE filter_note_id')}
    ${grant('SELECT', 'published_counts')}
  `,
  down: `
    DROP FUNCTION keep_published_counts_insert, keep_published_counts_delete, keep_published_counts_update,
      filter_values, drop_outdated_text, note_filters_insert, note_filters_update, note_filters_delete,
      note_filters_field, published_values, refuse_other_text, refuse_untranslated CASCADE;
    DROP TABLE filter_notes, filter_keys, filter_documents, unique_values, published_counts, published_entries
      CASCADE;
    DROP SEQUENCE filter_note_id;
  `,
};
