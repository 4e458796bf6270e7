import { grant, tenantWall, type Migration } from './migration.js';

const verbs = ['INSERT', 'DELETE'] as const;
type Verb = (typeof verbs)[number];

/** Counts entries under the locale '', their locales under their codes. */
const counted = {
  entries: {
    columns: `environment_id, content_type_id, site_id, '' AS locale, deleted_at IS NOT NULL AS is_deleted, id`,
  },
  entry_locales: { columns: 'environment_id, content_type_id, site_id, locale, is_deleted, entry_id AS id' },
} as const;
type Counted = keyof typeof counted;
const tables = Object.keys(counted) as Counted[];

const add = (rows: string): string => `
      INSERT INTO entry_counts AS c (environment_id, content_type_id, site_id, locale, is_deleted, slot, entries)
        SELECT environment_id, content_type_id, site_id, locale, is_deleted, get_byte(uuid_send(id), 15) & 15, sum(step)
          FROM (${rows}) AS changed
          GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(step) <> 0 ORDER BY 1, 2, 3, 4, 5, 6
        ON CONFLICT (environment_id, is_deleted, locale, content_type_id, site_id, slot)
          DO UPDATE SET entries = c.entries + excluded.entries;`;

const counter = (name: string, body: string): string => `
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN${body}
      RETURN NULL;
    END $$;`;

const statementCounter = (table: Counted, verb: Verb): string => {
  const [rows, step] = verb === 'INSERT' ? ['NEW', '1'] : ['OLD', '-1'];
  const name = `count_${table}_${verb.toLowerCase()}`;
  return `${counter(name, add(`SELECT ${counted[table].columns}, ${step} AS step FROM changed_rows`))}
    CREATE TRIGGER ${name} AFTER ${verb} ON ${table} REFERENCING ${rows} TABLE AS changed_rows
      FOR EACH STATEMENT EXECUTE FUNCTION ${name}();`;
};

/** By row, with a condition: most updates change no count. */
const rowCounter = (table: Counted, condition: string): string => {
  const name = `count_${table}_update`;
  const side = (row: string, step: string): string =>
    `SELECT ${counted[table].columns}, ${step} AS step FROM (SELECT ${row}.*) AS r`;
  return `${counter(name, add(`${side('NEW', '1')} UNION ALL ${side('OLD', '-1')}`))}
    CREATE TRIGGER ${name} AFTER UPDATE ON ${table} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION ${name}();`;
};

/** The owner sees rows of every tenant only without forced row-level security. */
const unwalled = (statement: string, ...walled: string[]): string => `
    ${walled.map((table) => `ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY;`).join(' ')}
    ${statement}
    ${walled.map((table) => `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;`).join(' ')}`;

/**
 * Publications of versions, and counts and indexes that keep lists and totals equally fast at any size. Counts use
 * 16 slots, as for published entries.
 */
export const entryHistory: Migration = {
  name: '0010-entry-history',
  up: `
    CREATE TABLE entry_publications (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      version_num integer NOT NULL,
      ordinal bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
      locale text NOT NULL,
      kind text NOT NULL CHECK (kind IN ('publish', 'unpublish')),
      at timestamptz NOT NULL,
      by jsonb NOT NULL,
      PRIMARY KEY (environment_id, entry_id, version_num, ordinal),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE
    );
    COMMENT ON TABLE entry_publications IS
      'Append-only. A version that went live in a locale, or the live version that was taken offline.';
    ${tenantWall('entry_publications')}
    ${grant('SELECT, INSERT', 'entry_publications')}
    ${unwalled(
      `INSERT INTO entry_publications (tenant_id, environment_id, entry_id, version_num, locale, kind, at, by)
      SELECT tenant_id, environment_id, entry_id, published_version, locale, 'publish', published_at,
        '{"type": "system", "id": null, "name": "Headwater"}'
      FROM entry_locales WHERE published_version IS NOT NULL ORDER BY published_at, entry_id, locale;`,
      'entry_locales',
      'entry_publications',
    )}

    CREATE TABLE entry_counts (
      environment_id uuid NOT NULL,
      content_type_id uuid NOT NULL,
      site_id uuid NOT NULL,
      locale text NOT NULL,
      is_deleted boolean NOT NULL,
      slot integer NOT NULL,
      entries bigint NOT NULL,
      PRIMARY KEY (environment_id, is_deleted, locale, content_type_id, site_id, slot)
    );
    COMMENT ON COLUMN entry_counts.locale IS 'Empty for the entries themselves, else those that are written in the locale.';
    ${tables.map((table) => verbs.map((verb) => statementCounter(table, verb)).join('')).join('')}
    ${rowCounter('entries', '(OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)')}
    ${rowCounter('entry_locales', 'OLD.is_deleted <> NEW.is_deleted')}
    ${unwalled(
      add(
        tables
          .map((table) => `SELECT ${counted[table].columns}, 1 AS step FROM ${table}`)
          .join(' UNION ALL '),
      ),
      ...tables,
    )}
    ${grant('SELECT', 'entry_counts')}

    CREATE INDEX entries_site_updated ON entries (environment_id, site_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
    CREATE INDEX entries_type_created ON entries (environment_id, content_type_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
    CREATE INDEX entries_created_by ON entries (environment_id, (created_by ->> 'id'), updated_at DESC, id DESC) WHERE deleted_at IS NULL;
    CREATE INDEX entries_updated_by ON entries (environment_id, (updated_by ->> 'id'), updated_at DESC, id DESC) WHERE deleted_at IS NULL;
    DROP INDEX entry_links_target;
    CREATE INDEX entry_links_target ON entry_links (environment_id, target_id, entry_id, field_id, locale);
  `,
  down: `
    DROP INDEX entry_links_target;
    CREATE INDEX entry_links_target ON entry_links (environment_id, target_id);
    DROP INDEX entries_updated_by, entries_created_by, entries_type_created, entries_site_updated;
    ${tables.map((table) => [...verbs, 'UPDATE'].map((verb) => `DROP TRIGGER count_${table}_${verb.toLowerCase()} ON ${table}; DROP FUNCTION count_${table}_${verb.toLowerCase()}();`).join(' ')).join(' ')}
    DROP TABLE entry_counts, entry_publications;
  `,
};
