import { grant, tenantWall, unlessDeleting, type Migration } from './migration.js';

/** What a trigger notes of a row `r`. */
interface Note {
  readonly kind: 'entry' | 'asset' | 'type' | 'environment';
  readonly subject: string;
  /** SQL of whether entries that link to the subject, or that it links to, are looked at, too. */
  readonly isWide?: string;
  readonly locale?: string;
  readonly slug?: string;
  readonly joins?: string;
}

const columns = 'tenant_id, environment_id, kind, subject_id, is_wide, locale, slug';

const insertNotes = (
  rows: string,
  { kind, subject, isWide = 'false', locale = 'NULL', slug = 'NULL', joins = '' }: Note,
): string => `
      INSERT INTO health_notes (${columns})
        SELECT r.tenant_id, ${kind === 'environment' ? 'h' : 'r'}.environment_id, '${kind}', ${subject}, ${isWide}, ${locale}, ${slug}
        FROM ${rows} r ${joins};`;

const noter = (name: string, body: string): string => `
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
    BEGIN
      -- Notes are copied with the rows, and deleted with them.
      IF current_setting('headwater.copying', true) = 'on' THEN RETURN NULL; END IF;${body}
      RETURN NULL;
    END $$;`;

const nameOf = (table: string, verb: string): string => `note_health_${table}_${verb}`;

/** Notes the rows that a statement wrote or deleted. */
const ofStatements = (table: string, note: Note, verbs: readonly ('INSERT' | 'DELETE')[]): string =>
  verbs
    .map((verb) => {
      const name = nameOf(table, verb.toLowerCase());
      const source = verb === 'INSERT' ? 'NEW' : 'OLD';
      return `${noter(name, insertNotes('changed', note))}
    CREATE TRIGGER ${name} AFTER ${verb} ON ${table} REFERENCING ${source} TABLE AS changed
      FOR EACH STATEMENT ${verb === 'DELETE' ? unlessDeleting : ''}EXECUTE FUNCTION ${name}();`;
    })
    .join('');

const differ = (...names: string[]): string =>
  `(${names.map((name) => `OLD.${name}`).join(', ')}) IS DISTINCT FROM (${names.map((name) => `NEW.${name}`).join(', ')})`;

/** Notes rows whose update changes what is looked at. */
const ofUpdates = (table: string, note: Note, changed: string): string => {
  const name = nameOf(table, 'update');
  return `${noter(name, insertNotes('(SELECT NEW.*)', note))}
    CREATE TRIGGER ${name} AFTER UPDATE ON ${table} FOR EACH ROW WHEN (${changed}) EXECUTE FUNCTION ${name}();`;
};

const verbs = ['INSERT', 'DELETE'] as const;
/** Entries outside trees share their slugs with those of other types. */
const slug = 'CASE WHEN NOT (r.in_tree OR r.is_deleted) THEN r.slug END';
/** The first locale of an entry comes with the entry. */
const written: Note = {
  kind: 'entry',
  subject: 'r.entry_id',
  isWide: 'r.is_shown',
  locale: 'r.locale',
  slug,
};

/** Other entries are concerned only if the slug or the existence of this one changes. */
const localeUpdates = `${noter(
  'note_health_entry_locales_update',
  `
      IF ${differ('slug', 'in_tree', 'is_deleted')} THEN
        ${insertNotes('(SELECT OLD.* UNION ALL SELECT NEW.*)', { ...written, isWide: 'OLD.is_deleted <> NEW.is_deleted' })}
      ELSE
        INSERT INTO health_notes (tenant_id, environment_id, kind, subject_id)
          VALUES (NEW.tenant_id, NEW.environment_id, 'entry', NEW.entry_id);
      END IF;`,
)}
    CREATE TRIGGER note_health_entry_locales_update AFTER UPDATE ON entry_locales FOR EACH ROW
      WHEN (${differ('slug', 'content_hash', 'shared_hash', 'status', 'published_at', 'published_version', 'published_shared_hash', 'in_tree', 'is_deleted')})
      EXECUTE FUNCTION note_health_entry_locales_update();`;

/** Blocks that gain or lose an entry that holds them. */
const heldBlocks: Note = {
  kind: 'entry',
  subject: 'r.target_id',
  joins: `JOIN entries e ON e.environment_id = r.environment_id AND e.id = r.target_id
          JOIN content_types t ON t.environment_id = e.environment_id AND t.id = e.content_type_id AND t.is_block`,
};
const placed: Note = { kind: 'entry', subject: 'r.entry_id' };
const asset = (subject: string): Note => ({ kind: 'asset', subject, isWide: 'true' });
const type = (subject: string): Note => ({ kind: 'type', subject });
/** Fallbacks of locales are those of every project of a tenant. */
const everything: Note = {
  kind: 'environment',
  subject: 'h.environment_id',
  joins: 'JOIN environment_heads h ON h.tenant_id = r.tenant_id',
};

const triggers = [
  ofStatements('entry_locales', written, verbs),
  localeUpdates,
  ofStatements('entry_links', heldBlocks, verbs),
  ofStatements('tree_nodes', { ...placed, joins: 'WHERE r.entry_id IS NOT NULL' }, verbs),
  ofStatements('media_assets', asset('r.id'), verbs),
  ofUpdates('media_assets', asset('r.id'), differ('mime_family')),
  ofStatements('media_asset_locales', asset('r.asset_id'), verbs),
  ofUpdates('media_asset_locales', asset('r.asset_id'), differ('alt_text')),
  ofUpdates('content_types', type('r.id'), differ('is_page', 'is_block', 'display_field')),
  ofStatements('fields', type('r.content_type_id'), verbs),
  ofUpdates('fields', type('r.content_type_id'), differ('type', 'required', 'localized', 'is_list')),
  ofUpdates('locales', everything, differ('fallback_code')),
  ofStatements('locales', everything, ['DELETE']),
];

/**
 * Issues of content, found in the background. Triggers note what changed, and a worker looks at the entries that it
 * concerns, so that a write costs one row and never waits for what others write. Reports read the issues that are
 * stored, and look at the entries that are still noted themselves.
 */
export const contentHealth: Migration = {
  name: '0020-content-health',
  up: `
    CREATE SEQUENCE health_notes_id;
    CREATE TABLE health_issues (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      content_type_id uuid NOT NULL,
      site_id uuid NOT NULL,
      code text NOT NULL,
      locale text NOT NULL,
      field_id uuid NOT NULL,
      holds_from timestamptz NOT NULL,
      block_id uuid NOT NULL,
      PRIMARY KEY (environment_id, entry_id, code, locale, field_id, block_id),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE
    );
    CREATE INDEX health_issues_held ON health_issues (environment_id, holds_from);
    COMMENT ON COLUMN health_issues.locale IS 'Empty if it is about the entry in every locale.';
    COMMENT ON COLUMN health_issues.field_id IS 'All zeros if it is not about a field.';
    COMMENT ON COLUMN health_issues.holds_from IS 'Content becomes stale without a write: its issue is stored before it holds.';
    COMMENT ON COLUMN health_issues.block_id IS 'The block of the entry that has the field. All zeros if it is not in a block.';

    CREATE TABLE health_notes (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id bigint NOT NULL DEFAULT nextval('health_notes_id'),
      kind text NOT NULL CHECK (kind IN ('entry', 'asset', 'type', 'environment')),
      subject_id uuid NOT NULL,
      is_wide boolean NOT NULL DEFAULT false,
      locale text,
      slug text,
      noted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (environment_id, id)
    );
    COMMENT ON TABLE health_notes IS 'What changed since issues were found. The same may be noted several times.';
    COMMENT ON COLUMN health_notes.is_wide IS 'Also concerns entries that link to the subject, or that it links to.';
    COMMENT ON COLUMN health_notes.slug IS 'Also concerns entries that have this slug in the locale.';

    ${triggers.join('')}

    ${tenantWall('health_issues')}
    ${tenantWall('health_notes', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'health_issues')}
    ${grant('SELECT, INSERT, DELETE', 'health_notes')}
    ${grant('USAGE', 'SEQUENCE health_notes_id')}
  `,
  down: `
    DROP FUNCTION note_health_entry_locales_insert, note_health_entry_locales_delete,
      note_health_entry_locales_update, note_health_entry_links_insert, note_health_entry_links_delete,
      note_health_tree_nodes_insert, note_health_tree_nodes_delete, note_health_media_assets_insert,
      note_health_media_assets_delete, note_health_media_assets_update, note_health_media_asset_locales_insert,
      note_health_media_asset_locales_delete, note_health_media_asset_locales_update,
      note_health_content_types_update, note_health_fields_insert, note_health_fields_delete,
      note_health_fields_update, note_health_locales_update, note_health_locales_delete CASCADE;
    DROP TABLE health_notes, health_issues CASCADE;
    DROP SEQUENCE health_notes_id;
  `,
};
