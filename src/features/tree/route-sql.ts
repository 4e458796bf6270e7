/** A folder's slug; a page's published slug, else its draft's, else the default locale's, else any. */
const segmentSql = (node: string, locale: string, defaultLocale: string): string => {
  const slug = (table: string, of: string): string =>
    `(SELECT d.slug FROM ${table} d WHERE d.environment_id = ${node}.environment_id AND d.entry_id = ${node}.entry_id AND d.locale = ${of})`;
  return `CASE WHEN ${node}.entry_id IS NULL THEN ${node}.slug ELSE coalesce(
    ${slug('published_entries', locale)}, ${slug('entry_locales', locale)},
    ${slug('published_entries', defaultLocale)}, ${slug('entry_locales', defaultLocale)},
    (SELECT d.slug FROM entry_locales d WHERE d.environment_id = ${node}.environment_id AND d.entry_id = ${node}.entry_id
      ORDER BY d.created_at, d.locale LIMIT 1)) END`;
};

const pathSql = (node: string, parent: string, site: { locale: string; of: string }): string =>
  `(CASE WHEN ${node}.entry_id = ${site.of}.home_entry_id THEN '/'
    ELSE coalesce(nullif(${parent}, '/'), '') || '/' || ${segmentSql(node, site.locale, `${site.of}.default_locale`)} END) COLLATE "C"`;

const knownRoute = (node: string, locale: string): string =>
  `LEFT JOIN routes o ON o.environment_id = ${node}.environment_id AND o.node_id = ${node}.id AND o.locale = ${locale}`;

/** `OFFSET 0` forces index lookups; otherwise the planner hashes the whole table. */
const isWritten = `EXISTS (SELECT FROM entry_locales d
  WHERE d.environment_id = b.environment_id AND d.entry_id = b.entry_id AND d.locale = b.locale OFFSET 0)`;

/**
 * CTE `target`: one row per node and locale below `roots` with expected and current path. A root's path is based on
 * its parent's current route.
 * @param roots condition on nodes `n`
 * @param visits `changed` descends only where a path changed
 */
export const branchSql = (roots: string, visits: 'changed' | 'all'): string => `
  branch AS (
    SELECT n.environment_id, n.id, n.entry_id, s.id AS site_id, l.locale, s.default_locale, s.home_entry_id,
      ${pathSql('n', 'up.path', { locale: 'l.locale', of: 's' })} AS path, o.path AS old_path, o.is_live AS was_live
    FROM tree_nodes n JOIN sites s ON s.tenant_id = n.tenant_id AND s.id = n.site_id
      CROSS JOIN unnest(s.locales) AS l (locale)
      LEFT JOIN routes up ON up.environment_id = n.environment_id AND up.node_id = n.parent_id AND up.locale = l.locale
      ${knownRoute('n', 'l.locale')}
    WHERE ${roots} AND n.type <> 'link'
    UNION ALL
    SELECT c.environment_id, c.id, c.entry_id, b.site_id, b.locale, b.default_locale, b.home_entry_id,
      ${pathSql('c', 'b.path', { locale: 'b.locale', of: 'b' })}, o.path, o.is_live
    FROM branch b JOIN tree_nodes c ON c.environment_id = b.environment_id AND c.parent_id = b.id AND c.type <> 'link'
      ${knownRoute('c', 'b.locale')}
    ${visits === 'changed' ? 'WHERE b.path IS DISTINCT FROM b.old_path' : ''}),
  target AS MATERIALIZED (
    SELECT b.*, b.entry_id IS NULL OR ${isWritten} AS is_own, p.entry_id IS NOT NULL AS is_live,
      coalesce(NOT p.is_unlisted, false) AS is_listed
    FROM branch b LEFT JOIN published_entries p ON p.environment_id = b.environment_id AND p.entry_id = b.entry_id
      AND p.locale = b.locale)`;
