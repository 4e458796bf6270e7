import { afterStatement, grant, ownersFunction, verbs, type Migration, type Verb } from './migration.js';

/** What the text of a locale, in a draft and published, depends on. */
const text =
  'environment_id, entry_id, locale, title, content_hash, is_deleted, published_at, published_content_hash, published_shared_hash, workflow_state, assignee_id';
const changedRows: Readonly<Record<Verb, string>> = {
  INSERT: 'added',
  UPDATE: `(SELECT ${text} FROM added EXCEPT SELECT ${text} FROM removed) AS changed`,
  DELETE: 'removed',
};

const queueEntries = (verb: Verb): string => {
  const name = `queue_search_${verb.toLowerCase()}`;
  const queue = `
      INSERT INTO search_queue (environment_id, entry_id) SELECT DISTINCT environment_id, entry_id
        FROM ${changedRows[verb]};`;
  return `${ownersFunction(name, queue)}${afterStatement({ verb, table: 'entry_locales', name })}`;
};

/** Documents of the search index with their words and vectors, and the queues of what changed since they were indexed. */
export const search: Migration = {
  name: '0018-search',
  up: `
    CREATE SEQUENCE search_queue_id;
    CREATE SEQUENCE search_vector_queue_id;
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
    CREATE INDEX search_documents_vector ON search_documents USING gin (vector);
    COMMENT ON COLUMN search_documents.title IS 'Its words without accents.';
    COMMENT ON COLUMN search_documents.hash IS 'Of what the vector was made from.';

    CREATE TABLE search_words (
      environment_id uuid NOT NULL REFERENCES environment_heads ON DELETE CASCADE,
      word text COLLATE "C" NOT NULL,
      spellings integer[] NOT NULL,
      PRIMARY KEY (environment_id, word)
    );
    CREATE INDEX search_words_spellings ON search_words USING gin (spellings);
    COMMENT ON COLUMN search_words.spellings IS 'Hashes of the word and of what is left without one character.';

    CREATE TABLE search_queue (
      id bigint DEFAULT nextval('search_queue_id') PRIMARY KEY,
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      noted_at timestamptz NOT NULL DEFAULT clock_timestamp()
    );
    CREATE INDEX search_queue_environment ON search_queue (environment_id, id);
    COMMENT ON TABLE search_queue IS 'Entries to index again. An entry may be noted several times.';

    CREATE TABLE search_indexes (
      environment_id uuid PRIMARY KEY REFERENCES environment_heads ON DELETE CASCADE,
      serving_form integer,
      serving_id uuid,
      rebuild_id uuid,
      rebuild_until bigint,
      rebuild_total integer,
      CHECK (((rebuild_id IS NULL) = (rebuild_until IS NULL)) AND ((rebuild_id IS NULL) = (rebuild_total IS NULL)))
    );
    COMMENT ON COLUMN search_indexes.serving_form IS 'How its documents are made; null before the first is complete, and once it is lost.';
    COMMENT ON COLUMN search_indexes.serving_id IS 'The rebuild that made it.';
    COMMENT ON COLUMN search_indexes.rebuild_until IS 'The new index is complete when no note of the queue up to this one is left.';

    CREATE TABLE search_removals (
      gone_id uuid PRIMARY KEY
    );
    COMMENT ON TABLE search_removals IS 'Environments that are gone, and whose index is to be removed.';

    CREATE TABLE search_vector_models (
      model text PRIMARY KEY,
      id uuid NOT NULL UNIQUE,
      centre bytea NOT NULL,
      spread double precision NOT NULL
    );
    COMMENT ON COLUMN search_vector_models.id IS 'Another one if the model has other dimensions.';
    COMMENT ON COLUMN search_vector_models.centre IS 'Of its vectors of some texts. The coarse form is relative to it.';

    CREATE TABLE search_vector_states (
      environment_id uuid PRIMARY KEY REFERENCES environment_heads ON DELETE CASCADE,
      model_id uuid NOT NULL
    );

    CREATE TABLE search_vectors (
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      locale text NOT NULL,
      stage text COLLATE "C" NOT NULL,
      model_id uuid NOT NULL,
      text_hash text COLLATE "C" NOT NULL,
      coarse bit varying STORAGE PLAIN NOT NULL,
      vector bytea STORAGE EXTERNAL NOT NULL,
      PRIMARY KEY (environment_id, entry_id, locale, stage),
      FOREIGN KEY (environment_id, entry_id, locale, stage) REFERENCES search_documents (environment_id, entry_id, locale, stage) ON DELETE CASCADE
    ) WITH (toast_tuple_target=128);
    CREATE INDEX search_vectors_text ON search_vectors (text_hash);
    COMMENT ON COLUMN search_vectors.vector IS 'Of length 1: 32-bit floating-point numbers, the low byte first.';

    CREATE TABLE search_vector_queue (
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      id bigint NOT NULL DEFAULT nextval('search_vector_queue_id'),
      claim uuid,
      claimed_until timestamptz,
      PRIMARY KEY (environment_id, entry_id)
    );
    CREATE INDEX search_vector_queue_order ON search_vector_queue (id);
    COMMENT ON TABLE search_vector_queue IS 'Entries whose texts may need other vectors. A claim that has ended may be taken over.';

    ${verbs.map(queueEntries).join('')}

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
    CREATE TRIGGER queue_search AFTER UPDATE ON media_assets FOR EACH ROW WHEN (OLD.file_name <> NEW.file_name) EXECUTE FUNCTION queue_search_asset('id');
    CREATE TRIGGER queue_search AFTER INSERT OR UPDATE OR DELETE ON media_asset_locales FOR EACH ROW  EXECUTE FUNCTION queue_search_asset('asset_id');

    CREATE FUNCTION note_search_removal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      INSERT INTO search_removals (gone_id) VALUES (OLD.environment_id) ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_search_removal AFTER DELETE ON environment_heads
      FOR EACH ROW EXECUTE FUNCTION note_search_removal();


    ${grant('SELECT, INSERT, UPDATE, DELETE', 'search_documents, search_indexes, search_vector_models, search_vector_states, search_vectors, search_vector_queue')}
    ${grant('SELECT, INSERT, DELETE', 'search_words, search_queue')}
    ${grant('USAGE', 'SEQUENCE search_queue_id, search_vector_queue_id')}
    ${grant('SELECT, DELETE', 'search_removals')}
  `,
  down: `
    DROP FUNCTION queue_search_insert, queue_search_update, queue_search_delete, queue_search_entry,
      queue_search_asset, note_search_removal CASCADE;
    DROP TABLE search_vector_queue, search_vectors, search_vector_states, search_vector_models, search_removals,
      search_indexes, search_queue, search_words, search_documents CASCADE;
    DROP SEQUENCE search_queue_id, search_vector_queue_id;
  `,
};
