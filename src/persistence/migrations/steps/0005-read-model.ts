import { grant, tenantWall, type Migration } from './migration.js';

const count = (verb: 'INSERT' | 'UPDATE' | 'DELETE'): string => `
    CREATE TRIGGER keep_counts_${verb.toLowerCase()} AFTER ${verb} ON published_entries
      REFERENCING ${verb === 'INSERT' ? 'NEW TABLE AS added' : verb === 'DELETE' ? 'OLD TABLE AS removed' : 'OLD TABLE AS removed NEW TABLE AS added'}
      FOR EACH STATEMENT EXECUTE FUNCTION keep_published_counts_${verb.toLowerCase()}();`;

const countFunction = (verb: 'insert' | 'update' | 'delete', rows: string): string => `
    CREATE FUNCTION keep_published_counts_${verb}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      INSERT INTO published_counts AS c (environment_id, content_type_id, site_id, locale, slot, entries)
        SELECT environment_id, content_type_id, site_id, locale, get_byte(uuid_send(entry_id), 15) & 15, sum(step)
          FROM (${rows}) AS changed
          GROUP BY 1, 2, 3, 4, 5 HAVING sum(step) <> 0 ORDER BY 1, 2, 3, 4, 5
        ON CONFLICT (environment_id, content_type_id, site_id, locale, slot)
          DO UPDATE SET entries = c.entries + excluded.entries;
      RETURN NULL;
    END $$;`;

const columns = 'environment_id, content_type_id, site_id, locale, entry_id';
const added = `SELECT ${columns}, 1 AS step FROM added`;
const removed = `SELECT ${columns}, -1 AS step FROM removed`;

/**
 * One complete document per published entry and locale. Triggers keep counts in 16 slots, so that publishers of one
 * type rarely block each other and totals read at most 16 rows per site.
 */
export const readModel: Migration = {
  name: '0005-read-model',
  up: `
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
      PRIMARY KEY (environment_id, entry_id, locale),
      FOREIGN KEY (environment_id, entry_id, locale) REFERENCES entry_locales (environment_id, entry_id, locale) ON DELETE CASCADE
    );
    CREATE INDEX published_by_site ON published_entries
      (environment_id, content_type_id, locale, site_id, published_at DESC, entry_id DESC);
    CREATE INDEX published_by_site_created ON published_entries
      (environment_id, content_type_id, locale, site_id, created_at DESC, entry_id DESC);
    CREATE INDEX published_by_type ON published_entries
      (environment_id, content_type_id, locale, published_at DESC, entry_id DESC);
    CREATE INDEX published_by_slug ON published_entries (environment_id, locale, slug);

    CREATE TABLE published_counts (
      environment_id uuid NOT NULL,
      content_type_id uuid NOT NULL,
      site_id uuid NOT NULL,
      locale text NOT NULL,
      slot integer NOT NULL,
      entries bigint NOT NULL,
      PRIMARY KEY (environment_id, content_type_id, locale, site_id, slot)
    );
    ${countFunction('insert', added)}
    ${countFunction('delete', removed)}
    ${countFunction('update', `${added} UNION ALL ${removed}`)}
    ${count('INSERT')}
    ${count('UPDATE')}
    ${count('DELETE')}

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

    ${tenantWall('unique_values')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'published_entries, unique_values')}
    ${grant('SELECT', 'published_counts')}
    GRANT SELECT ON published_entries, published_counts TO headwater_reader;
  `,
  down: `
    DROP TABLE unique_values, published_counts, published_entries;
    DROP FUNCTION keep_published_counts_insert(), keep_published_counts_update(), keep_published_counts_delete();
  `,
};
