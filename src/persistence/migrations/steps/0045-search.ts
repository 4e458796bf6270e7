import { purgeTagSql as tag } from '../../../infrastructure/cache-tags.js';
import { attachPurge, detachPurge, type TablePurge } from '../../purge-triggers.js';
import { grant, type Migration } from './migration.js';

const purge: TablePurge = {
  table: 'search_documents',
  tags: `SELECT ${tag.search('r.site_id')} AS tag FROM changed r WHERE r.stage = 'live'`,
  coarse: `SELECT ${tag.search('r.site_id')} AS tag FROM changed r WHERE r.stage = 'live'`,
};

/** What the text of a locale, in a draft and published, depends on. */
const text =
  'environment_id, entry_id, locale, title, content_hash, is_deleted, published_at, published_content_hash, published_shared_hash';

const noteChanges = (verb: 'INSERT' | 'UPDATE' | 'DELETE'): string => {
  const name = `queue_search_${verb.toLowerCase()}`;
  const rows = {
    INSERT: 'added',
    UPDATE: `(SELECT ${text} FROM added EXCEPT SELECT ${text} FROM removed) AS changed`,
    DELETE: 'removed',
  }[verb];
  const tables = {
    INSERT: 'NEW TABLE AS added',
    UPDATE: 'OLD TABLE AS removed NEW TABLE AS added',
    DELETE: 'OLD TABLE AS removed',
  }[verb];
  return `
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      INSERT INTO search_queue (environment_id, entry_id) SELECT DISTINCT environment_id, entry_id FROM ${rows};
      RETURN NULL;
    END $$;
    CREATE TRIGGER ${name} AFTER ${verb} ON entry_locales REFERENCING ${tables}
      FOR EACH STATEMENT EXECUTE FUNCTION ${name}();`;
};

/** Texts of assets belong to the entries that show them. */
const noteAssets = (table: string, column: string, condition = ''): string => `
    CREATE TRIGGER queue_search AFTER UPDATE ON ${table} FOR EACH ROW ${condition} EXECUTE FUNCTION queue_search_asset('${column}');`;

/**
 * The index of the database adapter, as published entries without the wall: row-level security would hide its index
 * from the planner. Readers join the entries, which have the wall. Triggers queue what changed, and a worker indexes
 * it, so that a write costs one row. Words are found with typing errors by hashes, without an extension.
 */
export const search: Migration = {
  name: '0045-search',
  up: `
    CREATE TABLE search_documents (
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      locale text NOT NULL,
      stage text COLLATE "C" NOT NULL CHECK (stage IN ('draft', 'live')),
      site_id uuid NOT NULL,
      title text NOT NULL,
      vector tsvector NOT NULL,
      hash text NOT NULL,
      PRIMARY KEY (environment_id, entry_id, locale, stage),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN search_documents.title IS 'Its words without accents.';
    COMMENT ON COLUMN search_documents.hash IS 'Of what the vector was made from.';
    CREATE INDEX search_documents_vector ON search_documents USING gin (vector);

    CREATE TABLE search_words (
      environment_id uuid NOT NULL,
      word text COLLATE "C" NOT NULL,
      spellings integer[] NOT NULL,
      PRIMARY KEY (environment_id, word),
      FOREIGN KEY (environment_id) REFERENCES environment_heads (environment_id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN search_words.spellings IS 'Hashes of the word and of what is left without one character.';
    CREATE INDEX search_words_spellings ON search_words USING gin (spellings);

    CREATE SEQUENCE search_queue_id;
    CREATE TABLE search_queue (
      id bigint PRIMARY KEY DEFAULT nextval('search_queue_id'),
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      noted_at timestamptz NOT NULL DEFAULT clock_timestamp()
    );
    COMMENT ON TABLE search_queue IS 'Entries to index again. An entry may be noted several times.';
    CREATE INDEX search_queue_environment ON search_queue (environment_id, id);

    ${(['INSERT', 'UPDATE', 'DELETE'] as const).map(noteChanges).join('')}
    CREATE FUNCTION queue_search_entry() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      INSERT INTO search_queue (environment_id, entry_id) VALUES (NEW.environment_id, NEW.id);
      RETURN NULL;
    END $$;
    CREATE TRIGGER queue_search AFTER UPDATE ON entries FOR EACH ROW
      WHEN (OLD.shared_hash <> NEW.shared_hash OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL))
      EXECUTE FUNCTION queue_search_entry();

    CREATE FUNCTION queue_search_asset() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    DECLARE changed record := coalesce(NEW, OLD);
    BEGIN
      INSERT INTO search_queue (environment_id, entry_id)
        SELECT DISTINCT environment_id, entry_id FROM entry_links
          WHERE environment_id = changed.environment_id AND target_id = (to_jsonb(changed) ->> TG_ARGV[0])::uuid AND is_media;
      RETURN NULL;
    END $$;
    ${noteAssets('media_assets', 'id', 'WHEN (OLD.file_name <> NEW.file_name)')}
    ${noteAssets('media_asset_locales', 'asset_id').replace('AFTER UPDATE', 'AFTER INSERT OR UPDATE OR DELETE')}

    ${attachPurge(purge)}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'search_documents')}
    ${grant('SELECT, INSERT, DELETE', 'search_words, search_queue')}
    ${grant('USAGE', 'SEQUENCE search_queue_id')}

    ALTER TABLE entries NO FORCE ROW LEVEL SECURITY;
    INSERT INTO search_queue (environment_id, entry_id)
      SELECT environment_id, id FROM entries WHERE deleted_at IS NULL ORDER BY id;
    ALTER TABLE entries FORCE ROW LEVEL SECURITY;
  `,
  down: `
    ${detachPurge(purge)}
    DROP TRIGGER queue_search ON media_asset_locales;
    DROP TRIGGER queue_search ON media_assets;
    DROP TRIGGER queue_search ON entries;
    DROP TRIGGER queue_search_insert ON entry_locales;
    DROP TRIGGER queue_search_update ON entry_locales;
    DROP TRIGGER queue_search_delete ON entry_locales;
    DROP FUNCTION queue_search_insert(), queue_search_update(), queue_search_delete(), queue_search_entry(), queue_search_asset();
    DROP TABLE search_documents, search_words, search_queue;
    DROP SEQUENCE search_queue_id;
  `,
};
