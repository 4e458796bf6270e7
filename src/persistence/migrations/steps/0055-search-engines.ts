import { grant, type Migration } from './migration.js';

/** What a document of a locale depends on: in the database, its text only; in a search engine, also its state. */
const text =
  'environment_id, entry_id, locale, title, content_hash, is_deleted, published_at, published_content_hash, published_shared_hash';

const noteUpdates = (columns: string): string => `
    CREATE OR REPLACE FUNCTION queue_search_update() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      INSERT INTO search_queue (environment_id, entry_id) SELECT DISTINCT environment_id, entry_id
        FROM (SELECT ${columns} FROM added EXCEPT SELECT ${columns} FROM removed) AS changed;
      RETURN NULL;
    END $$;`;

/**
 * Indexes in a search engine. The rows of `search_documents` list what such an index holds, without words. Changes of
 * workflow states and assignees are queued, too: a search engine filters by them.
 */
export const searchEngines: Migration = {
  name: '0055-search-engines',
  up: `
    CREATE TABLE search_indexes (
      environment_id uuid PRIMARY KEY REFERENCES environment_heads (environment_id) ON DELETE CASCADE,
      serving_form integer,
      serving_id uuid,
      rebuild_id uuid,
      rebuild_until bigint,
      rebuild_total integer,
      CHECK ((rebuild_id IS NULL) = (rebuild_until IS NULL) AND (rebuild_id IS NULL) = (rebuild_total IS NULL))
    );
    COMMENT ON COLUMN search_indexes.serving_form IS 'How its documents are made; null before the first is complete, and once it is lost.';
    COMMENT ON COLUMN search_indexes.serving_id IS 'The rebuild that made it.';
    COMMENT ON COLUMN search_indexes.rebuild_until IS 'The new index is complete when no note of the queue up to this one is left.';
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'search_indexes')}
    ${noteUpdates(`${text}, workflow_state, assignee_id`)}
  `,
  down: `
    ${noteUpdates(text)}
    DROP TABLE search_indexes;
  `,
};
