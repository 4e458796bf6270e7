const publishedSlug = (node: string, where: string): string =>
  `(SELECT d.slug FROM published_entries d WHERE d.environment_id = ${node}.environment_id AND d.entry_id = ${node}.entry_id AND ${where})`;
const draftSlug = (node: string, locale: string): string =>
  `(SELECT d.slug FROM entry_locales d WHERE d.environment_id = ${node}.environment_id AND d.entry_id = ${node}.entry_id
      AND d.locale = ${locale} AND NOT d.is_deleted)`;
const ownSlug = (node: string, locale: string): string =>
  `${publishedSlug(node, `d.locale = ${locale}`)}, ${draftSlug(node, locale)}`;

interface SegmentLocales {
  readonly locale: string;
  readonly chain: string;
  readonly defaultLocale: string;
}

/**
 * A folder's slug; a page's published slug, in the locale or for every locale, else its draft's, else those of its
 * fallbacks and the default locale, else any.
 */
const segmentSql = (node: string, { locale, chain, defaultLocale }: SegmentLocales): string =>
  `CASE WHEN ${node}.entry_id IS NULL THEN ${node}.slug ELSE coalesce(
    ${ownSlug(node, locale)}, ${publishedSlug(node, 'd.all_locales')},
    (SELECT own.slug FROM unnest(${chain} || ${defaultLocale}) WITH ORDINALITY AS step (locale, place)
        CROSS JOIN LATERAL (SELECT coalesce(${ownSlug(node, 'step.locale')}) AS slug) own
      WHERE step.place > 1 AND own.slug IS NOT NULL ORDER BY step.place LIMIT 1),
    (SELECT d.slug FROM entry_locales d WHERE d.environment_id = ${node}.environment_id AND d.entry_id = ${node}.entry_id
      ORDER BY d.is_deleted, d.created_at, d.locale LIMIT 1)) END`;

/** Locale prefixes of paths of the site `s`: no page or folder may have one as its first segment. */
export const prefixesSql = `CASE WHEN s.locale_path_strategy = 'prefix' THEN array_remove(s.locales, s.default_locale) ELSE '{}' END`;

/** What precedes the segment of a node below this path. */
const baseSql = (parent: string): string => `coalesce(nullif(${parent}, '/'), '') || '/'`;

const pathSql = (node: string, parent: string, site: SegmentLocales & { readonly home: string }): string =>
  `(CASE WHEN ${node}.entry_id = ${site.home} THEN '/' ELSE ${baseSql(parent)} || ${segmentSql(node, site)} END) COLLATE "C"`;

const knownRoute = (node: string, locale: string): string =>
  `LEFT JOIN routes o ON o.environment_id = ${node}.environment_id AND o.node_id = ${node}.id AND o.locale = ${locale}`;

/**
 * Whether the locale has a draft of the entry, or its draft is that of every locale. `OFFSET 0` forces index lookups;
 * otherwise the planner hashes the whole table.
 * @param of row with environment_id, entry_id and locale
 */
const isWritten = (of: string): string => `(EXISTS (SELECT FROM entry_locales d
    WHERE d.environment_id = ${of}.environment_id AND d.entry_id = ${of}.entry_id AND d.locale = ${of}.locale
      AND NOT d.is_deleted OFFSET 0)
  OR EXISTS (SELECT FROM entries e JOIN content_types t ON t.environment_id = e.environment_id AND t.id = e.content_type_id
    WHERE e.environment_id = ${of}.environment_id AND e.id = ${of}.entry_id AND NOT t.is_localized OFFSET 0))`;

/** Joins `p`, the document that the locale shows as its own. @param of row with environment_id, entry_id and locale */
const joinOwn = (of: string): string => `LEFT JOIN LATERAL (
      SELECT d.is_unlisted FROM published_entries d WHERE d.environment_id = ${of}.environment_id AND d.entry_id = ${of}.entry_id
        AND d.locale = ${of}.locale
      UNION ALL SELECT d.is_unlisted FROM published_entries d WHERE d.environment_id = ${of}.environment_id
        AND d.entry_id = ${of}.entry_id AND d.all_locales AND d.locale <> ${of}.locale LIMIT 1) AS p ON true`;
const isLive = 'p.is_unlisted IS NOT NULL';

/**
 * The document that a locale shows by fallback; no row if it shows its own, `p`, or none.
 * @param of row with environment_id, entry_id and chain
 */
const fallbackSql = (of: string): string => `(
    SELECT d.slug, c.place FROM unnest(${of}.chain) WITH ORDINALITY AS c (locale, place)
      JOIN published_entries d ON d.environment_id = ${of}.environment_id AND d.entry_id = ${of}.entry_id AND d.locale = c.locale
    WHERE cardinality(${of}.chain) > 1 AND NOT (${isLive}) ORDER BY c.place LIMIT 1)`;

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
 * Whether the node is a page whose drafts include one of the default locale: then a locale depends on its own draft and
 * document, those of its fallbacks and those of the default locale, and on no other.
 */
const isAnchored = `EXISTS (SELECT FROM entries e
    JOIN content_types t ON t.environment_id = e.environment_id AND t.id = e.content_type_id
    JOIN sites s ON s.tenant_id = n.tenant_id AND s.id = n.site_id
    JOIN entry_locales d ON d.environment_id = e.environment_id AND d.entry_id = e.id AND d.locale = s.default_locale
  WHERE e.environment_id = n.environment_id AND e.id = n.entry_id AND t.is_localized AND NOT d.is_deleted OFFSET 0)`;

export interface Branches {
  /** Condition on nodes `n`. */
  readonly roots: string;
  /** `changed` descends only where a path changed. */
  readonly visits: 'changed' | 'all';
  /** The locales that were written: the others that depend on none of them are left out. Unset or null: all. */
  readonly written?: string;
}

/**
 * CTE `target`: one row per node and locale below `roots` with expected and current path. A root's path is based on
 * its parent's current route. The fallbacks of a locale are found once per site (CTE `shown`).
 */
export const branchSql = ({ roots, visits, written }: Branches): string => `
  root AS MATERIALIZED (SELECT n.*${written === undefined ? '' : `, ${written} IS NOT NULL AND ${isAnchored} AS is_anchored`}
    FROM tree_nodes n WHERE ${roots} AND n.type <> 'link'),
  shown AS MATERIALIZED (
    SELECT s.id AS site_id, s.default_locale, s.home_entry_id, u.locale, locale_chain(s.tenant_id, u.locale, s.locales) AS chain,
      ${prefixesSql} AS prefixes
    FROM sites s CROSS JOIN unnest(s.locales) AS u (locale)
    WHERE (s.tenant_id, s.id) IN (SELECT tenant_id, site_id FROM root)),
  branch AS (
    SELECT n.environment_id, n.id, n.entry_id, s.site_id, s.locale, s.chain, s.default_locale, s.home_entry_id,
      ${baseSql('up.path')} AS base, ${pathSql('n', 'up.path', ofSite)} AS path, ${known}
    FROM root n JOIN shown s ON s.site_id = n.site_id
        ${written === undefined ? '' : `AND (NOT n.is_anchored OR (s.chain || s.default_locale) && ${written})`}
      LEFT JOIN routes up ON up.environment_id = n.environment_id AND up.node_id = n.parent_id AND up.locale = s.locale
      ${knownRoute('n', 's.locale')}
    UNION ALL
    SELECT c.environment_id, c.id, c.entry_id, b.site_id, b.locale, b.chain, b.default_locale, b.home_entry_id,
      ${baseSql('b.path')}, ${pathSql('c', 'b.path', ofBranch)}, o.path, o.served_path, o.is_live
    FROM branch b JOIN tree_nodes c ON c.environment_id = b.environment_id AND c.parent_id = b.id AND c.type <> 'link'
      ${knownRoute('c', 'b.locale')}
    ${visits === 'changed' ? 'WHERE b.path IS DISTINCT FROM b.old_path' : ''}),
  target AS MATERIALIZED (
    SELECT b.*, b.entry_id IS NULL OR ${isWritten('b')} AS is_own, ${isLive} AS is_live,
      coalesce(NOT p.is_unlisted, false) AS is_listed, f.place AS fallback_rank,
      CASE WHEN f.place IS NULL THEN NULL WHEN b.entry_id = b.home_entry_id THEN '/' ELSE b.base || f.slug END AS fallback_path
    FROM branch b ${joinOwn('b')}
      LEFT JOIN LATERAL ${fallbackSql('b')} AS f ON true)`;

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
    SELECT o.*, ${isWritten('o')} AS is_own, ${isLive} AS is_live,
      coalesce(NOT p.is_unlisted, false) AS is_listed, f.place AS fallback_rank,
      CASE WHEN f.place IS NOT NULL THEN '/' END AS fallback_path
    FROM outside o ${joinOwn('o')}
      LEFT JOIN LATERAL ${fallbackSql('o')} AS f ON true)`;
