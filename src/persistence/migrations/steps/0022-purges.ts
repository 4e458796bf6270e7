import type { Migration } from './migration.js';

type Verb = 'INSERT' | 'UPDATE' | 'DELETE';
const verbs: readonly Verb[] = ['INSERT', 'UPDATE', 'DELETE'];

/** Rows of one statement beyond which the tags name everything around instead of each. */
const MANY_ROWS = 500;

/** What stands for a text in a tag: of one length, without spaces. Two that collide are purged together. */
const hashed = (text: string): string => `left(md5(${text}), 16)`;

interface Purging {
  /** SQL of one column `tag` over the changed rows `r`. */
  readonly tags: string;
  /** The same where there are many rows. */
  readonly coarse: string;
  /** SQL of the changed rows of an update, over `removed` and `added`, where not all of them matter. */
  readonly updated?: string;
}

const each = (...tags: string[]): string =>
  `SELECT t.tag FROM changed r CROSS JOIN LATERAL (VALUES ${tags.map((tag) => `(${tag})`).join(', ')}) AS t (tag)`;

const purging: Readonly<Record<'published_entries' | 'routes' | 'redirects', Purging>> = {
  published_entries: {
    tags: `${each(
      "'e:' || r.entry_id",
      "'l:' || r.content_type_id || ':' || r.site_id",
      "'l:' || r.content_type_id",
      `'s:' || r.site_id || ':' || ${hashed('r.slug')}`,
    )}
      UNION SELECT 'm:' || o.site_id FROM changed r JOIN routes o ON o.environment_id = r.environment_id AND o.entry_id = r.entry_id`,
    coarse: "SELECT 'c:' || r.environment_id AS tag FROM changed r",
  },
  // In a fallback locale a path counts only where its entry is not live in a better one, so that a change of one
  // path of an entry may change what its other paths answer.
  routes: {
    tags: `SELECT 'p:' || r.site_id || ':' || ${hashed('r.path')} AS tag FROM changed r
      UNION SELECT 'p:' || o.site_id || ':' || ${hashed('o.path')} FROM changed r
        JOIN routes o ON o.environment_id = r.environment_id AND o.entry_id = r.entry_id
      UNION SELECT 'm:' || r.site_id FROM changed r WHERE r.is_listed`,
    coarse:
      "SELECT t.tag FROM changed r CROSS JOIN LATERAL (VALUES ('P:' || r.site_id), ('m:' || r.site_id)) AS t (tag)",
  },
  redirects: {
    tags: "SELECT 'r:' || r.site_id AS tag FROM changed r",
    coarse: "SELECT 'r:' || r.site_id AS tag FROM changed r",
    updated: `SELECT a.* FROM added a JOIN removed b USING (environment_id, id)
      WHERE to_jsonb(a) - '{hit_count,last_hit_at}'::text[] <> to_jsonb(b) - '{hit_count,last_hit_at}'::text[]`,
  },
};
type Table = keyof typeof purging;
const tables = Object.keys(purging) as Table[];

const nameOf = (table: Table, verb: Verb): string => `purge_${table}_${verb.toLowerCase()}`;

function rowsOf(table: Table, verb: Verb): string {
  if (verb === 'INSERT') return 'SELECT * FROM added';
  if (verb === 'DELETE') return 'SELECT * FROM removed';
  return purging[table].updated ?? 'SELECT * FROM added UNION ALL SELECT * FROM removed';
}

const transitions: Readonly<Record<Verb, string>> = {
  INSERT: 'NEW TABLE AS added',
  UPDATE: 'OLD TABLE AS removed NEW TABLE AS added',
  DELETE: 'OLD TABLE AS removed',
};

const trigger = (table: Table, verb: Verb): string => `
    CREATE FUNCTION ${nameOf(table, verb)}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE rows_changed bigint := (SELECT count(*) FROM (${rowsOf(table, verb)}) AS r);
    BEGIN
      IF rows_changed = 0 THEN RETURN NULL; END IF;
      IF rows_changed <= ${MANY_ROWS} THEN
        PERFORM note_purge(ARRAY(WITH changed AS (${rowsOf(table, verb)}) SELECT DISTINCT tag FROM (${purging[table].tags}) AS u));
      ELSE
        PERFORM note_purge(ARRAY(WITH changed AS (${rowsOf(table, verb)}) SELECT DISTINCT tag FROM (${purging[table].coarse}) AS u));
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER ${nameOf(table, verb)} AFTER ${verb} ON ${table} REFERENCING ${transitions[verb]}
      FOR EACH STATEMENT EXECUTE FUNCTION ${nameOf(table, verb)}();`;

/**
 * Tells every process what it may no longer remember. Tags are noted where rows change, so that no write can
 * forget to: sent with the commit, and kept in the transaction for the writer itself, who purges before it
 * acknowledges. Tags: `e:` an entry, `l:` the list of a type (of a site), `s:` a slug, `p:` a path and `P:` all
 * paths of a site, `r:` its redirects, `m:` its sitemap, `c:` an environment as a whole, `k:` an API key.
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
    ${tables.map((table) => verbs.map((verb) => trigger(table, verb)).join('')).join('')}

    CREATE FUNCTION purge_environment() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM note_purge(ARRAY['c:' || coalesce(NEW.environment_id, OLD.environment_id)]);
      RETURN NULL;
    END $$;
    CREATE TRIGGER purge_environment AFTER UPDATE OR DELETE ON environment_heads
      FOR EACH ROW EXECUTE FUNCTION purge_environment();

    CREATE FUNCTION purge_api_key() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' OR to_jsonb(OLD) - 'last_used_at' <> to_jsonb(NEW) - 'last_used_at' THEN
        PERFORM note_purge(ARRAY['k:' || OLD.id]);
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER purge_api_key AFTER UPDATE OR DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION purge_api_key();
  `,
  down: `
    DROP TRIGGER purge_api_key ON api_keys;
    DROP TRIGGER purge_environment ON environment_heads;
    ${tables.map((table) => verbs.map((verb) => `DROP TRIGGER ${nameOf(table, verb)} ON ${table}; DROP FUNCTION ${nameOf(table, verb)}();`).join(' ')).join(' ')}
    DROP FUNCTION purge_api_key(), purge_environment(), note_purge(text[]);
  `,
};
