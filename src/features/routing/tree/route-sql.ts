const slugSql = (table: string, node: string, locale: string): string =>
  `(SELECT d.slug FROM ${table} d WHERE d.environment_id = ${node}.environment_id AND d.entry_id = ${node}.entry_id AND d.locale = ${locale})`;

interface SegmentLocales {
  readonly locale: string;
  readonly chain: string;
  readonly defaultLocale: string;
}

/** A folder's slug; a page's published slug, else its draft's, else those of its fallbacks and the default locale, else any. */
const segmentSql = (node: string, { locale, chain, defaultLocale }: SegmentLocales): string =>
  `CASE WHEN ${node}.entry_id IS NULL THEN ${node}.slug ELSE coalesce(
    ${slugSql('published_entries', node, locale)}, ${slugSql('entry_locales', node, locale)},
    (SELECT own.slug FROM unnest(${chain} || ${defaultLocale}) WITH ORDINALITY AS step (locale, place) CROSS JOIN LATERAL (
        SELECT coalesce(${slugSql('published_entries', node, 'step.locale')}, ${slugSql('entry_locales', node, 'step.locale')}) AS slug) own
      WHERE step.place > 1 AND own.slug IS NOT NULL ORDER BY step.place LIMIT 1),
    (SELECT d.slug FROM entry_locales d WHERE d.environment_id = ${node}.environment_id AND d.entry_id = ${node}.entry_id
      ORDER BY d.created_at, d.locale LIMIT 1)) END`;

/** What precedes the segment of a node below this path. */
const baseSql = (parent: string): string => `coalesce(nullif(${parent}, '/'), '') || '/'`;

const pathSql = (node: string, parent: string, site: SegmentLocales & { readonly home: string }): string =>
  `(CASE WHEN ${node}.entry_id = ${site.home} THEN '/' ELSE ${baseSql(parent)} || ${segmentSql(node, site)} END) COLLATE "C"`;

const knownRoute = (node: string, locale: string): string =>
  `LEFT JOIN routes o ON o.environment_id = ${node}.environment_id AND o.node_id = ${node}.id AND o.locale = ${locale}`;

/** `OFFSET 0` forces index lookups; otherwise the planner hashes the whole table. */
const isWritten = `EXISTS (SELECT FROM entry_locales d
  WHERE d.environment_id = b.environment_id AND d.entry_id = b.entry_id AND d.locale = b.locale OFFSET 0)`;

/**
 * The document that a locale shows by fallback; no row if it shows its own or none.
 * @param of row with environment_id, entry_id and chain
 * @param isLive SQL condition: the locale shows its own
 */
const fallbackSql = (of: string, isLive: string): string => `(
    SELECT d.slug, c.place FROM unnest(${of}.chain) WITH ORDINALITY AS c (locale, place)
      JOIN published_entries d ON d.environment_id = ${of}.environment_id AND d.entry_id = ${of}.entry_id AND d.locale = c.locale
    WHERE cardinality(${of}.chain) > 1 AND NOT ${isLive} ORDER BY c.place LIMIT 1)`;

const ofSite = {
  locale: 's.locale',
  chain: 's.chain',
  defaultLocale: 's.default_locale',
  home: 's.home_entry_id',
};
const ofBranch = {
  locale: 'b.locale',
  chain: 'b.chain',
  defaultLocale: 'b.default_locale',
  home: 'b.home_entry_id',
};
const known = 'o.path AS old_path, o.served_path AS old_served_path, o.is_live AS was_live';

/**
 * CTE `target`: one row per node and locale below `roots` with expected and current path. A root's path is based on
 * its parent's current route. The fallbacks of a locale are found once per site (CTE `shown`).
 * @param roots condition on nodes `n`
 * @param visits `changed` descends only where a path changed
 */
export const branchSql = (roots: string, visits: 'changed' | 'all'): string => `
  root AS MATERIALIZED (SELECT n.* FROM tree_nodes n WHERE ${roots} AND n.type <> 'link'),
  shown AS MATERIALIZED (
    SELECT s.id AS site_id, s.default_locale, s.home_entry_id, u.locale, locale_chain(s.tenant_id, u.locale, s.locales) AS chain
    FROM sites s CROSS JOIN unnest(s.locales) AS u (locale)
    WHERE (s.tenant_id, s.id) IN (SELECT tenant_id, site_id FROM root)),
  branch AS (
    SELECT n.environment_id, n.id, n.entry_id, s.site_id, s.locale, s.chain, s.default_locale, s.home_entry_id,
      ${baseSql('up.path')} AS base, ${pathSql('n', 'up.path', ofSite)} AS path, ${known}
    FROM root n JOIN shown s ON s.site_id = n.site_id
      LEFT JOIN routes up ON up.environment_id = n.environment_id AND up.node_id = n.parent_id AND up.locale = s.locale
      ${knownRoute('n', 's.locale')}
    UNION ALL
    SELECT c.environment_id, c.id, c.entry_id, b.site_id, b.locale, b.chain, b.default_locale, b.home_entry_id,
      ${baseSql('b.path')}, ${pathSql('c', 'b.path', ofBranch)}, o.path, o.served_path, o.is_live
    FROM branch b JOIN tree_nodes c ON c.environment_id = b.environment_id AND c.parent_id = b.id AND c.type <> 'link'
      ${knownRoute('c', 'b.locale')}
    ${visits === 'changed' ? 'WHERE b.path IS DISTINCT FROM b.old_path' : ''}),
  target AS MATERIALIZED (
    SELECT b.*, b.entry_id IS NULL OR ${isWritten} AS is_own, p.entry_id IS NOT NULL AS is_live,
      coalesce(NOT p.is_unlisted, false) AS is_listed, f.place AS fallback_rank,
      CASE WHEN f.place IS NULL THEN NULL WHEN b.entry_id = b.home_entry_id THEN '/' ELSE b.base || f.slug END AS fallback_path
    FROM branch b LEFT JOIN published_entries p ON p.environment_id = b.environment_id AND p.entry_id = b.entry_id
        AND p.locale = b.locale
      LEFT JOIN LATERAL ${fallbackSql('b', 'p.entry_id IS NOT NULL')} AS f ON true)`;

/**
 * CTE `home`: one row per locale of each home outside the tree of its site, in every environment.
 * @param sites condition on sites `s`
 */
export const homeSql = (sites: string): string => `
  outside AS (
    SELECT e.environment_id, s.id AS site_id, l.locale, e.id AS entry_id, locale_chain(s.tenant_id, l.locale, s.locales) AS chain
    FROM sites s CROSS JOIN unnest(s.locales) AS l (locale)
      JOIN environments v ON v.tenant_id = s.tenant_id AND v.project_id = s.project_id
      JOIN entries e ON e.environment_id = v.id AND e.id = s.home_entry_id AND e.site_id = s.id AND e.deleted_at IS NULL
    WHERE ${sites} AND NOT EXISTS (SELECT FROM tree_nodes n
      WHERE n.environment_id = e.environment_id AND n.entry_id = e.id AND n.site_id = s.id)),
  home AS (
    SELECT o.*, d.entry_id IS NOT NULL AS is_own, p.entry_id IS NOT NULL AS is_live,
      coalesce(NOT p.is_unlisted, false) AS is_listed, f.place AS fallback_rank,
      CASE WHEN f.place IS NOT NULL THEN '/' END AS fallback_path
    FROM outside o
      LEFT JOIN entry_locales d ON d.environment_id = o.environment_id AND d.entry_id = o.entry_id AND d.locale = o.locale
      LEFT JOIN published_entries p ON p.environment_id = o.environment_id AND p.entry_id = o.entry_id AND p.locale = o.locale
      LEFT JOIN LATERAL ${fallbackSql('o', 'p.entry_id IS NOT NULL')} AS f ON true)`;
