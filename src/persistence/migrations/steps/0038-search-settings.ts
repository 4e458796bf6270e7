import { grant, tenantWall, type Migration } from './migration.js';

const bump = (verb: 'INSERT' | 'UPDATE'): string => `
    CREATE TRIGGER bump_revision_${verb.toLowerCase()} AFTER ${verb} ON search_settings
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION bump_revision_by_environment_id();`;

/** Synonyms and boosts of environments, words of boosted fields, queries without results, and titles by how they begin. */
export const searchSettings: Migration = {
  name: '0038-search-settings',
  up: `
    CREATE TABLE search_settings (
      tenant_id uuid NOT NULL,
      environment_id uuid PRIMARY KEY,
      synonyms jsonb NOT NULL,
      type_boosts jsonb NOT NULL,
      field_boosts jsonb NOT NULL,
      updated_at timestamptz NOT NULL,
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN search_settings.synonyms IS 'By locale, lists of words and phrases that mean the same.';
    COMMENT ON COLUMN search_settings.type_boosts IS 'By id of the content type.';
    COMMENT ON COLUMN search_settings.field_boosts IS 'By id of the field.';
    ${bump('INSERT')}${bump('UPDATE')}
    ${tenantWall('search_settings')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'search_settings')}

    ALTER TABLE search_documents ADD COLUMN boosted tsvector;
    COMMENT ON COLUMN search_documents.boosted IS 'Words of fields with a boost, each behind the mark of its field.';

    CREATE INDEX search_documents_title ON search_documents (environment_id, stage, title COLLATE "C", entry_id, locale)
      INCLUDE (site_id);

    CREATE TABLE empty_searches (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL REFERENCES environment_heads ON DELETE CASCADE,
      day date NOT NULL,
      source text COLLATE "C" NOT NULL CHECK (source IN ('delivery', 'management')),
      site_id uuid NOT NULL,
      locale text COLLATE "C" NOT NULL,
      query text COLLATE "C" NOT NULL,
      searches bigint NOT NULL,
      last_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, day, source, site_id, locale, query)
    );
    CREATE INDEX empty_searches_day ON empty_searches (day);
    COMMENT ON TABLE empty_searches IS 'Queries that found nothing, by day in UTC. A site of zeros and an empty locale: none.';
    ${tenantWall('empty_searches', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'empty_searches')}
  `,
  down: `
    DROP TABLE empty_searches;
    DROP INDEX search_documents_title;
    ALTER TABLE search_documents DROP COLUMN boosted;
    DROP TABLE search_settings;
  `,
};
