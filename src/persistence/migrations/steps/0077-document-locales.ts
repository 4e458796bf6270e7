import type { Migration } from './migration.js';

/** Types and entries of every tenant are seen without forced row-level security. */
const unwalled = (statements: string): string => `
    ALTER TABLE content_types NO FORCE ROW LEVEL SECURITY; ALTER TABLE entries NO FORCE ROW LEVEL SECURITY;
    ${statements}
    ALTER TABLE content_types FORCE ROW LEVEL SECURITY; ALTER TABLE entries FORCE ROW LEVEL SECURITY;`;

/** Documents for all locales, by what documents of one locale are found by. */
const indexes: Readonly<Record<string, string>> = {
  published_for_all: '(environment_id, entry_id)',
  published_for_all_by_slug: '(environment_id, slug)',
  published_for_all_by_site: '(environment_id, content_type_id, site_id, published_at DESC, entry_id DESC)',
  published_for_all_by_site_created:
    '(environment_id, content_type_id, site_id, created_at DESC, entry_id DESC)',
  published_for_all_by_type: '(environment_id, content_type_id, published_at DESC, entry_id DESC)',
};

/** @param table has a row only for entries of types with locales */
const refuseUntranslated = (table: string): string => `
    CREATE TRIGGER refuse_untranslated BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_untranslated();`;

/**
 * Documents that serve every locale (rule localization/types). Until now `is_localized` had no effect, so that entries can
 * be written in several locales: types with entries stay as they behaved.
 */
export const documentLocales: Migration = {
  name: '0077-document-locales',
  up: `
    ${unwalled(`UPDATE content_types t SET is_localized = true WHERE NOT t.is_localized AND EXISTS (
      SELECT FROM entries e WHERE e.environment_id = t.environment_id AND e.content_type_id = t.id);`)}

    ALTER TABLE published_entries ADD COLUMN all_locales boolean;
    COMMENT ON COLUMN published_entries.all_locales IS
      'The document is served in every locale. Null, as in rows that were kept before this column: only in its own.';
    ${Object.entries(indexes)
      .map(
        ([name, columns]) =>
          `CREATE ${name === 'published_for_all' ? 'UNIQUE ' : ''}INDEX ${name} ON published_entries ${columns} WHERE all_locales;`,
      )
      .join('\n    ')}

    COMMENT ON COLUMN entry_locales.is_deleted IS
      'Not read: the entry is deleted, or its type has no locales and another locale is shown.';

    CREATE FUNCTION refuse_untranslated() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
    BEGIN
      IF EXISTS (SELECT FROM entries e JOIN content_types t ON t.environment_id = e.environment_id AND t.id = e.content_type_id
          WHERE e.environment_id = NEW.environment_id AND e.id = NEW.entry_id AND NOT t.is_localized) THEN
        RETURN NULL;
      END IF;
      RETURN NEW;
    END $$;
    COMMENT ON FUNCTION refuse_untranslated IS 'Entries of types without locales have no translations.';
    ${refuseUntranslated('translations')}${refuseUntranslated('translation_sources')}
  `,
  down: `
    DROP TRIGGER refuse_untranslated ON translations;
    DROP TRIGGER refuse_untranslated ON translation_sources;
    DROP FUNCTION refuse_untranslated();
    COMMENT ON COLUMN entry_locales.is_deleted IS NULL;
    ${Object.keys(indexes)
      .map((name) => `DROP INDEX ${name};`)
      .join(' ')}
    ALTER TABLE published_entries DROP COLUMN all_locales;
  `,
};
