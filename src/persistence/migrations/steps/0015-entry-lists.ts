import { grant, type Migration } from './migration.js';

/** The owner sees rows of every tenant only without forced row-level security. */
const unwalled = (statement: string, ...walled: string[]): string => `
    ${walled.map((table) => `ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY;`).join(' ')}
    ${statement}
    ${walled.map((table) => `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;`).join(' ')}`;

/** Counts kept by the triggers of one table. */
interface Counts {
  /** Key columns, in the order in which all writers lock the rows. */
  readonly keys: string;
  /** Selects the keys, `entry_id` and `step` (1 or -1) of the rows of a source. */
  readonly rows: (source: string, step: string) => string;
}

const add = ({ keys }: Counts, rows: string): string => `
      INSERT INTO entry_counts AS c (${keys}, slot, entries)
        SELECT ${keys}, get_byte(uuid_send(entry_id), 15) & 15 AS slot, sum(step) FROM (${rows}) AS changed
          GROUP BY ${keys}, slot HAVING sum(step) <> 0 ORDER BY ${keys}, slot
        ON CONFLICT (${keys}, slot) DO UPDATE SET entries = c.entries + excluded.entries;`;

const counter = (name: string, body: string): string => `
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN${body}
      RETURN NULL;
    END $$;`;

/** An upsert fires the triggers of both verbs, even without rows. */
const statementCounter = (counts: Counts, table: string, verb: 'INSERT' | 'DELETE' | 'UPDATE'): string => {
  const name = `count_${table}_${verb.toLowerCase()}`;
  const added = { rows: counts.rows('added', '1'), table: 'NEW TABLE AS added' };
  const removed = { rows: counts.rows('removed', '-1'), table: 'OLD TABLE AS removed' };
  const sides = { INSERT: [added], DELETE: [removed], UPDATE: [added, removed] }[verb];
  const seen = verb === 'DELETE' ? 'removed' : 'added';
  const body = `
      IF NOT EXISTS (SELECT FROM ${seen}) THEN RETURN NULL; END IF;${add(counts, sides.map(({ rows }) => rows).join(' UNION ALL '))}`;
  return `${counter(name, body)}
    CREATE TRIGGER ${name} AFTER ${verb} ON ${table} REFERENCING ${sides.map((side) => side.table).join(' ')}
      FOR EACH STATEMENT EXECUTE FUNCTION ${name}();`;
};

const rowCounter = (counts: Counts, table: string, condition: string): string => {
  const name = `count_${table}_update`;
  const rows = `${counts.rows('(SELECT NEW.*) AS r', '1')} UNION ALL ${counts.rows('(SELECT OLD.*) AS r', '-1')}`;
  return `${counter(name, add(counts, rows))}
    CREATE TRIGGER ${name} AFTER UPDATE ON ${table} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION ${name}();`;
};

const dropCounter = (table: string, verb: string): string =>
  `DROP TRIGGER count_${table}_${verb} ON ${table}; DROP FUNCTION count_${table}_${verb}();`;
const verbs = ['insert', 'update', 'delete'];

/** Each locale under its code, and under '' where it represents its entry. */
const byStatus: Counts = {
  keys: 'environment_id, is_deleted, locale, status, content_type_id, site_id',
  rows: (source, step) =>
    `SELECT r.environment_id, r.is_deleted, shown.locale, r.status, r.content_type_id, r.site_id, r.entry_id, ${step} AS step
      FROM ${source} r CROSS JOIN LATERAL (SELECT r.locale UNION ALL SELECT '' WHERE r.is_shown) AS shown (locale)`,
};

const formerKeys = 'environment_id, is_deleted, locale, content_type_id, site_id';
/** Entries under '', their locales under their codes. */
const formerEntries: Counts = {
  keys: formerKeys,
  rows: (source, step) =>
    `SELECT environment_id, deleted_at IS NOT NULL AS is_deleted, '' AS locale, content_type_id, site_id, id AS entry_id, ${step} AS step FROM ${source}`,
};
const formerLocales: Counts = {
  keys: formerKeys,
  rows: (source, step) =>
    `SELECT environment_id, is_deleted, locale, content_type_id, site_id, entry_id, ${step} AS step FROM ${source}`,
};

/**
 * Columns, indexes and counts that keep lists of entries equally fast at any size. Writers of an entry set
 * `shared_hash` and `is_shown`; the database generates the rest.
 */
export const entryLists: Migration = {
  name: '0015-entry-lists',
  up: `
    ALTER TABLE entry_locales ADD COLUMN shared_hash text NOT NULL DEFAULT '', ADD COLUMN is_shown boolean NOT NULL DEFAULT false;
    COMMENT ON COLUMN entry_locales.shared_hash IS 'That of the entry, whose writers keep it here, too.';
    COMMENT ON COLUMN entry_locales.is_shown IS
      'Exactly one locale of an entry stands for it where none is asked for: the default one of its site, else the first.';
    ${unwalled(
      `UPDATE entry_locales l SET is_shown = l.locale = best.locale, shared_hash = best.shared_hash
        FROM (SELECT DISTINCT ON (c.environment_id, c.entry_id) c.environment_id, c.entry_id, c.locale, e.shared_hash
            FROM entry_locales c JOIN sites s ON s.tenant_id = c.tenant_id AND s.id = c.site_id
              JOIN entries e ON e.environment_id = c.environment_id AND e.id = c.entry_id
            ORDER BY c.environment_id, c.entry_id, c.locale = s.default_locale DESC, c.created_at, c.locale) AS best
        WHERE l.environment_id = best.environment_id AND l.entry_id = best.entry_id;`,
      'entries',
      'entry_locales',
      'sites',
    )}
    ALTER TABLE entry_locales ALTER COLUMN shared_hash DROP DEFAULT, ALTER COLUMN is_shown DROP DEFAULT;
    ALTER TABLE entry_locales ADD COLUMN status text NOT NULL GENERATED ALWAYS AS (CASE
      WHEN published_content_hash IS NULL THEN 'draft'
      WHEN published_content_hash = md5(slug || chr(10) || fields::text) AND published_shared_hash = shared_hash THEN 'published'
      ELSE 'changed' END) STORED;
    CREATE INDEX entry_locales_status ON entry_locales (environment_id, status, content_type_id, locale) WHERE NOT is_deleted;

    ${['entries', 'entry_locales'].map((table) => verbs.map((verb) => dropCounter(table, verb)).join(' ')).join(' ')}
    DROP TABLE entry_counts;
    CREATE TABLE entry_counts (
      environment_id uuid NOT NULL,
      content_type_id uuid NOT NULL,
      site_id uuid NOT NULL,
      locale text NOT NULL,
      status text NOT NULL,
      is_deleted boolean NOT NULL,
      slot integer NOT NULL,
      entries bigint NOT NULL,
      PRIMARY KEY (${byStatus.keys}, slot)
    );
    COMMENT ON COLUMN entry_counts.locale IS 'Empty for the entries themselves, each by the locale that stands for it.';
    ${(['INSERT', 'UPDATE', 'DELETE'] as const).map((verb) => statementCounter(byStatus, 'entry_locales', verb)).join('')}
    ${unwalled(add(byStatus, byStatus.rows('entry_locales', '1')), 'entry_locales')}
    ${grant('SELECT', 'entry_counts')}

    -- Columns, because an index on the expression cannot be used behind the wall: its operator might tell of rows.
    ALTER TABLE entries ADD COLUMN created_by_id text GENERATED ALWAYS AS (created_by ->> 'id') STORED,
      ADD COLUMN updated_by_id text GENERATED ALWAYS AS (updated_by ->> 'id') STORED;
    DROP INDEX entries_created_by, entries_updated_by;
    CREATE INDEX entries_created_by ON entries (environment_id, created_by_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
    CREATE INDEX entries_updated_by ON entries (environment_id, updated_by_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
  `,
  down: `
    ALTER TABLE entries DROP COLUMN created_by_id, DROP COLUMN updated_by_id;
    CREATE INDEX entries_created_by ON entries (environment_id, (created_by ->> 'id'), updated_at DESC, id DESC) WHERE deleted_at IS NULL;
    CREATE INDEX entries_updated_by ON entries (environment_id, (updated_by ->> 'id'), updated_at DESC, id DESC) WHERE deleted_at IS NULL;

    ${verbs.map((verb) => dropCounter('entry_locales', verb)).join(' ')}
    DROP TABLE entry_counts;
    CREATE TABLE entry_counts (
      environment_id uuid NOT NULL,
      content_type_id uuid NOT NULL,
      site_id uuid NOT NULL,
      locale text NOT NULL,
      is_deleted boolean NOT NULL,
      slot integer NOT NULL,
      entries bigint NOT NULL,
      PRIMARY KEY (${formerKeys}, slot)
    );
    COMMENT ON COLUMN entry_counts.locale IS 'Empty for the entries themselves, else those that are written in the locale.';
    ${(['INSERT', 'DELETE'] as const)
      .map(
        (verb) =>
          statementCounter(formerEntries, 'entries', verb) +
          statementCounter(formerLocales, 'entry_locales', verb),
      )
      .join('')}
    ${rowCounter(formerEntries, 'entries', '(OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)')}
    ${rowCounter(formerLocales, 'entry_locales', 'OLD.is_deleted <> NEW.is_deleted')}
    ${unwalled(
      add(
        formerEntries,
        `${formerEntries.rows('entries', '1')} UNION ALL ${formerLocales.rows('entry_locales', '1')}`,
      ),
      'entries',
      'entry_locales',
    )}
    ${grant('SELECT', 'entry_counts')}
    ALTER TABLE entry_locales DROP COLUMN status, DROP COLUMN is_shown, DROP COLUMN shared_hash;
  `,
};
