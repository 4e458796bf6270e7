import { grant, type Migration } from './migration.js';

/** The index of an environment in a search engine outlives its rows, so that it is noted when the environment goes. */
export const searchRemovals: Migration = {
  name: '0057-search-removals',
  up: `
    CREATE TABLE search_removals (gone_id uuid PRIMARY KEY);
    COMMENT ON TABLE search_removals IS 'Environments that are gone, and whose index is to be removed.';
    CREATE FUNCTION note_search_removal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      INSERT INTO search_removals (gone_id) VALUES (OLD.environment_id) ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_search_removal AFTER DELETE ON environment_heads
      FOR EACH ROW EXECUTE FUNCTION note_search_removal();
    ${grant('SELECT, DELETE', 'search_removals')}
  `,
  down: `
    DROP TRIGGER note_search_removal ON environment_heads;
    DROP FUNCTION note_search_removal();
    DROP TABLE search_removals;
  `,
};
