import { purgeTagSql as tag } from '../../../infrastructure/cache-tags.js';
import { attachPurge, detachPurge, eachRow, type TablePurge } from '../../purge-triggers.js';
import type { Migration } from './migration.js';

export const documentPurge: TablePurge = {
  table: 'published_entries',
  tags: `${eachRow(
    tag.entry('r.entry_id'),
    tag.siteList('r.content_type_id', 'r.site_id'),
    tag.list('r.content_type_id'),
    tag.slug('r.site_id', 'r.slug'),
  )}
      UNION SELECT ${tag.sitemap('o.site_id')} FROM changed r JOIN routes o ON o.environment_id = r.environment_id AND o.entry_id = r.entry_id`,
  coarse: `SELECT ${tag.environment('r.environment_id')} AS tag FROM changed r`,
};

const tables: readonly TablePurge[] = [
  documentPurge,
  // In a fallback locale a path resolves only if its entry is not live in a better one, so changing one path of an
  // entry can affect its others.
  {
    table: 'routes',
    tags: `SELECT ${tag.path('r.site_id', 'r.path')} AS tag FROM changed r
      UNION SELECT ${tag.path('o.site_id', 'o.path')} FROM changed r
        JOIN routes o ON o.environment_id = r.environment_id AND o.entry_id = r.entry_id
      UNION SELECT ${tag.sitemap('r.site_id')} FROM changed r WHERE r.is_listed`,
    coarse: eachRow(tag.paths('r.site_id'), tag.sitemap('r.site_id')),
  },
  {
    table: 'redirects',
    tags: `SELECT ${tag.redirects('r.site_id')} AS tag FROM changed r`,
    coarse: `SELECT ${tag.redirects('r.site_id')} AS tag FROM changed r`,
    updated: `SELECT a.* FROM added a JOIN removed b USING (environment_id, id)
      WHERE to_jsonb(a) - '{hit_count,last_hit_at}'::text[] <> to_jsonb(b) - '{hit_count,last_hit_at}'::text[]`,
  },
];

/**
 * Notifies every process of invalid cache tags. Triggers collect them, so that no write omits any: sent with the
 * commit, and kept in the transaction for the writer, which purges before it responds.
 */
export const purges: Migration = {
  name: '0022-purges',
  up: `
    CREATE FUNCTION note_purge(tags text[]) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      message text := '';
      tag text;
    BEGIN
      IF cardinality(tags) = 0 THEN RETURN; END IF;
      FOREACH tag IN ARRAY tags LOOP
        IF octet_length(message) + octet_length(tag) > 7000 THEN
          PERFORM pg_notify('headwater_purge', message);
          message := '';
        END IF;
        message := message || ' ' || tag;
      END LOOP;
      PERFORM pg_notify('headwater_purge', message);
      PERFORM set_config('headwater.purge',
        coalesce(current_setting('headwater.purge', true), '') || ' ' || array_to_string(tags, ' '), true);
    END $$;
    ${tables.map(attachPurge).join('')}

    CREATE FUNCTION purge_environment() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM note_purge(ARRAY[${tag.environment('coalesce(NEW.environment_id, OLD.environment_id)')}]);
      RETURN NULL;
    END $$;
    CREATE TRIGGER purge_environment AFTER UPDATE OR DELETE ON environment_heads
      FOR EACH ROW EXECUTE FUNCTION purge_environment();

    CREATE FUNCTION purge_api_key() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' OR to_jsonb(OLD) - 'last_used_at' <> to_jsonb(NEW) - 'last_used_at' THEN
        PERFORM note_purge(ARRAY[${tag.apiKey('OLD.id')}]);
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER purge_api_key AFTER UPDATE OR DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION purge_api_key();
  `,
  down: `
    DROP TRIGGER purge_api_key ON api_keys;
    DROP TRIGGER purge_environment ON environment_heads;
    ${tables.map(detachPurge).join(' ')}
    DROP FUNCTION purge_api_key(), purge_environment(), note_purge(text[]);
  `,
};
