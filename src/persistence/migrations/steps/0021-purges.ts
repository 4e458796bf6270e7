import { purgeTagSql as tag } from '../../../infrastructure/cache-tags.js';
import { afterStatement, verbs, type Migration, type Verb } from './migration.js';

/** Above this many changed rows per statement the coarse tags are purged. */
const MANY_ROWS = 500;

export interface TablePurge {
  readonly table: string;
  /** SQL of one column `tag` over the rows `changed`. */
  readonly tags: string;
  /** The same for statements that change many rows. */
  readonly coarse: string;
  /** SQL of the relevant rows of an update, over `removed` and `added`. Unset: all. */
  readonly updated?: string;
  /** SQL that adds tags over the rows `added` of inserts and updates, from its UNION on. */
  readonly written?: Readonly<Record<'INSERT' | 'UPDATE', string>>;
  /** SQL condition over `removed` and `added` under which an update purges nothing. */
  readonly ignoredUpdates?: string;
}

/** SQL of several tags for each changed row `r`. */
const eachRow = (...tags: string[]): string =>
  `SELECT t.tag FROM changed r CROSS JOIN LATERAL (VALUES ${tags.map((tag) => `(${tag})`).join(', ')}) AS t (tag)`;

const nameOf = (table: string, verb: Verb): string => `purge_${table}_${verb.toLowerCase()}`;

function rowsOf({ updated }: TablePurge, verb: Verb): string {
  if (verb === 'INSERT') return 'SELECT * FROM added';
  if (verb === 'DELETE') return 'SELECT * FROM removed';
  return updated ?? 'SELECT * FROM added UNION ALL SELECT * FROM removed';
}

/** From the word FUNCTION on. */
export function purgeFunction(purge: TablePurge, verb: Verb): string {
  const { table, coarse, written, ignoredUpdates } = purge;
  const rows = rowsOf(purge, verb);
  const tags = `${purge.tags}${verb === 'DELETE' ? '' : (written?.[verb] ?? '')}`;
  const ignored = verb === 'UPDATE' && ignoredUpdates !== undefined ? ` OR (${ignoredUpdates})` : '';
  return `FUNCTION ${nameOf(table, verb)}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE rows_changed bigint := (SELECT count(*) FROM (${rows}) AS r);
    BEGIN
      IF rows_changed = 0${ignored} THEN RETURN NULL; END IF;
      IF rows_changed <= ${MANY_ROWS} THEN
        PERFORM note_purge(ARRAY(WITH changed AS (${rows}) SELECT DISTINCT tag FROM (${tags}) AS u));
      ELSE
        PERFORM note_purge(ARRAY(WITH changed AS (${rows}) SELECT DISTINCT tag FROM (${coarse}) AS u));
      END IF;
      RETURN NULL;
    END $$;`;
}

const trigger = (purge: TablePurge, verb: Verb): string => `
    CREATE ${purgeFunction(purge, verb)}${afterStatement({ verb, table: purge.table, name: nameOf(purge.table, verb) })}`;

/** SQL of the triggers by which changes of a table purge tags. */
export const attachPurge = (purge: TablePurge): string => verbs.map((verb) => trigger(purge, verb)).join('');

/** SQL that undoes {@link attachPurge}. */
export const detachPurge = ({ table }: TablePurge): string =>
  verbs
    .map((verb) => `DROP TRIGGER ${nameOf(table, verb)} ON ${table}; DROP FUNCTION ${nameOf(table, verb)}();`)
    .join(' ');

const siteNodes = `SELECT ${tag.tree('r.site_id')} AS tag FROM changed r WHERE r.site_id IS NOT NULL`;
const siteRedirects = `SELECT ${tag.redirects('r.site_id')} AS tag FROM changed r`;
const searchedSites = `SELECT ${tag.search('r.site_id')} AS tag FROM changed r WHERE r.stage = 'live'`;
const environments = `SELECT ${tag.environment('r.environment_id')} AS tag FROM changed r`;

/** A miss of a block ends with its first publication; a response with a block depends on the entry that owns it. */
const newBlocks = (condition = ''): string => `
      UNION SELECT ${tag.entry('b.id')} FROM added a CROSS JOIN LATERAL jsonb_object_keys(a.blocks) AS b (id)
        ${condition}`;

/**
 * In a fallback locale a path resolves only if its entry is not live in a better one, so changing one path of an
 * entry can affect its others.
 * @param others SQL that joins the routes `o` of the same entries
 */
export const routePurgeOf = (others: string): TablePurge => ({
  table: 'routes',
  tags: `SELECT ${tag.path('r.site_id', 'r.path')} AS tag FROM changed r
      UNION SELECT ${tag.path('o.site_id', 'o.path')} FROM ${others}
      UNION SELECT ${tag.sitemap('r.site_id')} FROM changed r WHERE r.is_listed
      UNION SELECT ${tag.path('r.site_id', 'r.fallback_path')} FROM changed r WHERE r.fallback_path IS NOT NULL
      UNION SELECT ${tag.path('o.site_id', 'o.fallback_path')} FROM ${others} WHERE o.fallback_path IS NOT NULL
      UNION SELECT ${tag.entryPath('r.entry_id')} FROM changed r WHERE r.entry_id IS NOT NULL
      UNION SELECT ${tag.tree('r.site_id')} FROM changed r`,
  coarse: eachRow(tag.paths('r.site_id'), tag.sitemap('r.site_id'), tag.tree('r.site_id')),
});
export const routePurge = routePurgeOf(`changed r
        JOIN routes o ON o.environment_id = r.environment_id AND o.entry_id = r.entry_id`);

const tables: readonly TablePurge[] = [
  {
    table: 'published_entries',
    tags: `${eachRow(
      tag.entry('r.entry_id'),
      tag.siteList('r.content_type_id', 'r.site_id'),
      tag.list('r.content_type_id'),
      tag.slug('r.site_id', 'r.slug'),
    )}
      UNION SELECT ${tag.sitemap('o.site_id')} FROM changed r JOIN routes o ON o.environment_id = r.environment_id AND o.entry_id = r.entry_id`,
    written: {
      INSERT: newBlocks(),
      UPDATE: newBlocks(
        'WHERE NOT EXISTS (SELECT FROM removed o WHERE o.entry_id = a.entry_id AND o.blocks ? b.id)',
      ),
    },
    // The update wrote missing texts, which say what the values say, and nothing else.
    ignoredUpdates: `NOT EXISTS (SELECT FROM removed WHERE body IS NOT NULL) AND NOT EXISTS (
        SELECT FROM added a JOIN removed r USING (environment_id, entry_id, locale)
        WHERE to_jsonb(a) - 'body' IS DISTINCT FROM to_jsonb(r) - 'body')`,
    coarse: environments,
  },
  routePurge,
  { table: 'tree_nodes', tags: siteNodes, coarse: siteNodes },
  {
    table: 'redirects',
    tags: siteRedirects,
    coarse: siteRedirects,
    updated: `SELECT a.* FROM added a JOIN removed b USING (environment_id, id)
      WHERE to_jsonb(a) - '{hit_count,last_hit_at}'::text[] <> to_jsonb(b) - '{hit_count,last_hit_at}'::text[]`,
  },
  {
    table: 'media_assets',
    tags: `SELECT ${tag.media('r.id')} AS tag FROM changed r`,
    coarse: environments,
    updated: `SELECT a.* FROM added a JOIN removed b USING (environment_id, id)
      WHERE to_jsonb(a) - 'is_used' <> to_jsonb(b) - 'is_used'`,
  },
  {
    table: 'media_asset_locales',
    tags: `SELECT ${tag.media('r.asset_id')} AS tag FROM changed r`,
    coarse: environments,
  },
  { table: 'search_documents', tags: searchedSites, coarse: searchedSites },
];

/**
 * SQL of the function that sends tags with the commit, and keeps them for the writer.
 * @param also what else happens to `tags`
 */
export const notePurge = (
  also = '',
): string => `FUNCTION note_purge(tags text[]) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      mark text := coalesce(current_setting('headwater.mark', true), '');
      message text := mark;
      tag text;
    BEGIN
      IF cardinality(tags) = 0 OR current_setting('headwater.copying', true) = 'on' THEN RETURN; END IF;
      FOREACH tag IN ARRAY tags LOOP
        IF octet_length(message) + octet_length(tag) > 7000 THEN
          PERFORM pg_notify('headwater_purge', message);
          message := mark;
        END IF;
        message := message || ' ' || tag;
      END LOOP;
      PERFORM pg_notify('headwater_purge', message);
      PERFORM set_config('headwater.purge',
        coalesce(current_setting('headwater.purge', true), '') || ' ' || array_to_string(tags, ' '), true);${also}
    END $$;`;

/**
 * Notifies every process of invalid cache tags. Triggers collect them, so that no write omits any: sent with the commit,
 * and kept in the transaction for the writer, which purges before it responds. Notifications begin with the mark of
 * their write, so that a process recognizes its own, already purged. Manual writes have none.
 */
export const purges: Migration = {
  name: '0021-purges',
  up: `
    CREATE ${notePurge()}
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
    ${tables.map(detachPurge).join(' ')}
    DROP FUNCTION note_purge, purge_environment, purge_api_key CASCADE;
  `,
};
