import { purgeTagSql as tag } from '../../../infrastructure/cache-tags.js';
import { attachPurge, detachPurge, eachRow, type TablePurge } from '../../purge-triggers.js';
import { grant, type Migration } from './migration.js';

/** As step 0022 left it. */
const oldRoutes: TablePurge = {
  table: 'routes',
  tags: `SELECT ${tag.path('r.site_id', 'r.path')} AS tag FROM changed r
      UNION SELECT ${tag.path('o.site_id', 'o.path')} FROM changed r
        JOIN routes o ON o.environment_id = r.environment_id AND o.entry_id = r.entry_id
      UNION SELECT ${tag.sitemap('r.site_id')} FROM changed r WHERE r.is_listed`,
  coarse: eachRow(tag.paths('r.site_id'), tag.sitemap('r.site_id')),
};

const routes: TablePurge = {
  table: 'routes',
  tags: `${oldRoutes.tags}
      UNION SELECT ${tag.path('r.site_id', 'r.fallback_path')} FROM changed r WHERE r.fallback_path IS NOT NULL
      UNION SELECT ${tag.path('o.site_id', 'o.fallback_path')} FROM changed r
        JOIN routes o ON o.environment_id = r.environment_id AND o.entry_id = r.entry_id WHERE o.fallback_path IS NOT NULL
      UNION SELECT ${tag.entryPath('r.entry_id')} FROM changed r WHERE r.entry_id IS NOT NULL
      UNION SELECT ${tag.tree('r.site_id')} FROM changed r`,
  coarse: eachRow(tag.paths('r.site_id'), tag.sitemap('r.site_id'), tag.tree('r.site_id')),
};

const siteNodes = `SELECT ${tag.tree('r.site_id')} AS tag FROM changed r WHERE r.site_id IS NOT NULL`;
const nodes: TablePurge = { table: 'tree_nodes', tags: siteNodes, coarse: siteNodes };

/** The owner sees rows of every tenant only without forced row-level security. */
const walled = ['tree_nodes', 'sites', 'locales'];
const unwalled = (statements: string): string => `
    ${walled.map((table) => `ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY;`).join(' ')}
    ${statements}
    ${walled.map((table) => `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;`).join(' ')}`;

/**
 * Routes of pages that a locale shows by fallback (rule delivery/paths), made of the slugs of the locale and, where there is
 * none, of its fallbacks. Delivery reads trees as the reader role.
 */
export const servedRoutes: Migration = {
  name: '0030-served-routes',
  up: `
    CREATE FUNCTION locale_chain(tenant uuid, code text, among text[]) RETURNS text[] LANGUAGE sql STABLE AS $$
      WITH RECURSIVE chain AS (
        SELECT code AS at, ARRAY[code] AS seen
        UNION ALL
        SELECT l.fallback_code, c.seen || l.fallback_code FROM chain c
          JOIN locales l ON l.tenant_id = tenant AND l.code = c.at
        WHERE l.fallback_code IS NOT NULL AND l.fallback_code <> ALL (c.seen))
      SELECT array_agg(at ORDER BY cardinality(seen)) FROM chain WHERE at = code OR at = ANY (among) $$;
    COMMENT ON FUNCTION locale_chain IS 'A locale and its fallbacks among those of a site, best first.';
    ${grant('EXECUTE', 'FUNCTION locale_chain(uuid, text, text[])')}

    ALTER TABLE routes
      ADD COLUMN fallback_path text COLLATE "C",
      ADD COLUMN fallback_rank smallint,
      ADD CONSTRAINT routes_fallback_length CHECK (octet_length(fallback_path) <= 1960);
    COMMENT ON COLUMN routes.fallback_path IS
      'Path of a page that this locale shows by fallback: the path of its parent and the slug of the fallback.';
    COMMENT ON COLUMN routes.fallback_rank IS 'Position in the fallback chain of the locale shown, from 2.';

    ${unwalled(`
    WITH RECURSIVE branch AS (
      SELECT n.environment_id, n.id, n.entry_id, s.home_entry_id, s.default_locale, l.locale,
        locale_chain(s.tenant_id, l.locale, s.locales) AS chain, ''::text COLLATE "C" AS base
      FROM tree_nodes n JOIN sites s ON s.tenant_id = n.tenant_id AND s.id = n.site_id CROSS JOIN unnest(s.locales) AS l (locale)
      WHERE n.parent_id IS NULL AND n.type <> 'link'
      UNION ALL
      SELECT c.environment_id, c.id, c.entry_id, b.home_entry_id, b.default_locale, b.locale, b.chain,
        coalesce(nullif(r.path, '/'), '')
      FROM branch b JOIN routes r ON r.environment_id = b.environment_id AND r.node_id = b.id AND r.locale = b.locale
        JOIN tree_nodes c ON c.environment_id = b.environment_id AND c.parent_id = b.id AND c.type <> 'link'),
    shown AS (
      SELECT b.environment_id, b.id, b.locale, best.place,
        CASE WHEN b.entry_id = b.home_entry_id THEN '/' ELSE b.base || '/' || best.slug END AS path
      FROM branch b CROSS JOIN LATERAL (
        SELECT p.slug, c.place FROM unnest(b.chain) WITH ORDINALITY AS c (locale, place)
          JOIN published_entries p ON p.environment_id = b.environment_id AND p.entry_id = b.entry_id AND p.locale = c.locale
        ORDER BY c.place LIMIT 1) AS best
      WHERE best.place > 1)
    UPDATE routes r SET fallback_path = s.path, fallback_rank = s.place FROM shown s
    WHERE r.environment_id = s.environment_id AND r.node_id = s.id AND r.locale = s.locale;
    UPDATE routes r SET fallback_path = '/', fallback_rank = best.place
    FROM sites s CROSS JOIN unnest(s.locales) AS l (locale) CROSS JOIN LATERAL (
        SELECT p.environment_id, min(c.place) AS place
        FROM unnest(locale_chain(s.tenant_id, l.locale, s.locales)) WITH ORDINALITY AS c (locale, place)
          JOIN published_entries p ON p.entry_id = s.home_entry_id AND p.locale = c.locale GROUP BY 1) AS best
    WHERE r.environment_id = best.environment_id AND r.site_id = s.id AND r.entry_id = s.home_entry_id
      AND r.node_id IS NULL AND r.locale = l.locale AND best.place > 1;`)}

    ALTER TABLE routes
      ADD COLUMN served_path text COLLATE "C" GENERATED ALWAYS AS (CASE WHEN is_live THEN path ELSE fallback_path END) STORED,
      ADD COLUMN served_rank smallint GENERATED ALWAYS AS (CASE WHEN is_live THEN 1 ELSE fallback_rank END) STORED;
    DROP INDEX routes_live;
    CREATE INDEX routes_served ON routes (environment_id, site_id, locale, served_path) WHERE served_path IS NOT NULL;

    ${detachPurge(oldRoutes)}
    ${attachPurge(routes)}
    ${attachPurge(nodes)}

    CREATE POLICY delivered ON tree_nodes FOR SELECT TO headwater_reader USING (site_id IS NOT NULL);
    GRANT SELECT (environment_id, id, site_id, parent_id, entry_id, type, name, slug, url, rank, hide_in_menu, siblings)
      ON tree_nodes TO headwater_reader;
  `,
  down: `
    REVOKE SELECT (environment_id, id, site_id, parent_id, entry_id, type, name, slug, url, rank, hide_in_menu, siblings)
      ON tree_nodes FROM headwater_reader;
    DROP POLICY delivered ON tree_nodes;
    ${detachPurge(nodes)}
    ${detachPurge(routes)}
    ${attachPurge(oldRoutes)}
    DROP INDEX routes_served;
    ALTER TABLE routes DROP COLUMN served_path, DROP COLUMN served_rank, DROP COLUMN fallback_path, DROP COLUMN fallback_rank;
    CREATE INDEX routes_live ON routes (environment_id, site_id, locale, path) WHERE is_live;
    DROP FUNCTION locale_chain(uuid, text, text[]);
  `,
};
