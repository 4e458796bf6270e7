import { grant, type Migration } from './migration.js';

/** Rows of one statement that are noted one by one; the types of more are noted whole. */
const NOTED_ONE_BY_ONE = 1000;

const changed = {
  INSERT: 'added',
  UPDATE: `(SELECT a.* FROM added a JOIN removed r USING (environment_id, entry_id, locale)
        WHERE a.fields IS DISTINCT FROM r.fields)`,
  DELETE: 'removed',
};
const transitions = {
  INSERT: 'NEW TABLE AS added',
  UPDATE: 'OLD TABLE AS removed NEW TABLE AS added',
  DELETE: 'OLD TABLE AS removed',
};

const noteChanges = (verb: 'INSERT' | 'UPDATE' | 'DELETE'): string => {
  const name = `note_filters_${verb.toLowerCase()}`;
  const guard =
    verb === 'DELETE' ? `WHEN (current_setting('headwater.deleting', true) IS DISTINCT FROM 'on') ` : '';
  return `
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      IF EXISTS (SELECT FROM ${verb === 'DELETE' ? 'removed' : 'added'} OFFSET ${String(NOTED_ONE_BY_ONE)}) THEN
        INSERT INTO filter_notes (environment_id, content_type_id)
          SELECT DISTINCT environment_id, content_type_id FROM ${changed[verb]} AS changed;
      ELSE
        INSERT INTO filter_notes (environment_id, content_type_id, entry_id, locale)
          SELECT environment_id, content_type_id, entry_id, locale FROM ${changed[verb]} AS changed;
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER ${name} AFTER ${verb} ON published_entries REFERENCING ${transitions[verb]}
      FOR EACH STATEMENT ${guard}EXECUTE FUNCTION ${name}();`;
};

/**
 * What published documents are filtered by besides equality: parts of strings, and fields with and without a value, as
 * hashes; numbers and beginnings of strings in their order. Triggers note what changed, and a worker indexes it, so
 * that a publication costs one row. Readers look at what is noted, too. A type with another field is noted whole.
 */
export const filterIndex: Migration = {
  name: '0065-filter-index',
  up: `
    CREATE TABLE filter_documents (
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      locale text NOT NULL,
      content_type_id uuid NOT NULL,
      terms integer[] NOT NULL,
      PRIMARY KEY (environment_id, entry_id, locale)
    );
    COMMENT ON COLUMN filter_documents.terms IS 'Hashes of environment, type and field with a part of the value.';
    CREATE INDEX filter_documents_terms ON filter_documents USING gin (terms) WITH (gin_pending_list_limit = 64);

    CREATE TABLE filter_keys (
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      locale text NOT NULL,
      place integer NOT NULL,
      key text COLLATE "C" NOT NULL,
      PRIMARY KEY (environment_id, entry_id, locale, place, key)
    );
    COMMENT ON COLUMN filter_keys.place IS 'Hash of environment, type and field.';
    CREATE INDEX filter_keys_order ON filter_keys (place, key);

    CREATE SEQUENCE filter_note_id;
    CREATE TABLE filter_notes (
      environment_id uuid NOT NULL,
      content_type_id uuid NOT NULL,
      id bigint NOT NULL DEFAULT nextval('filter_note_id'),
      entry_id uuid,
      locale text,
      after_entry_id uuid,
      after_locale text,
      PRIMARY KEY (environment_id, content_type_id, id)
    );
    COMMENT ON TABLE filter_notes IS 'Documents to index again: one, or all of a type after the last one that was indexed.';

    ${(['INSERT', 'UPDATE', 'DELETE'] as const).map(noteChanges).join('')}
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

    ${grant('SELECT, INSERT, UPDATE, DELETE', 'filter_documents, filter_keys, filter_notes')}
    ${grant('USAGE', 'SEQUENCE filter_note_id')}
    GRANT SELECT ON filter_documents, filter_keys, filter_notes TO headwater_reader;

    INSERT INTO filter_notes (environment_id, content_type_id)
      SELECT DISTINCT environment_id, content_type_id FROM published_counts WHERE entries > 0;
  `,
  down: `
    DROP TRIGGER note_filters_renamed ON fields;
    DROP TRIGGER note_filters_added ON fields;
    DROP TRIGGER note_filters_insert ON published_entries;
    DROP TRIGGER note_filters_update ON published_entries;
    DROP TRIGGER note_filters_delete ON published_entries;
    DROP FUNCTION note_filters_insert(), note_filters_update(), note_filters_delete(), note_filters_field();
    DROP TABLE filter_documents, filter_keys, filter_notes;
    DROP SEQUENCE filter_note_id;
  `,
};
