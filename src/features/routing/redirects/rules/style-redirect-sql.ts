/** SQL of a path style. */
interface StyleSql {
  readonly strategy: string;
  readonly defaultLocale: string;
}

/** As `publicPath` in content/route-path.ts. */
const publicSql = ({ strategy, defaultLocale }: StyleSql, path: string): string =>
  `(CASE WHEN ${strategy} = 'prefix' AND t.locale <> ${defaultLocale}
    THEN '/' || t.locale || CASE ${path} WHEN '/' THEN '' ELSE ${path} END ELSE ${path} END) COLLATE "C"`;

/** A version 7 UUID on every supported version of PostgreSQL. */
const newIdSql = (at: string): string =>
  `encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING
    substring(int8send((extract(epoch FROM ${at}) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid`;

/**
 * CTEs that redirect the old public paths of a site to the new ones, in every environment. Redirects of people are kept;
 * automatic ones are retargeted, or deleted where a page has their source. They are for every locale, because an old
 * path no longer says which one it was. Binds `$1` tenant, `$2` site.
 * @param moved SQL of rows `t` with environment_id, locale, old_path and new_path, without prefixes
 * @param old style before the change
 * @param at SQL of the time
 */
export const styleRedirectSql = (moved: string, old: StyleSql, at: string): string => `
  public_paths AS MATERIALIZED (
    SELECT t.environment_id, t.locale, s.default_locale, ${publicSql(old, 't.old_path')} AS source,
      ${publicSql({ strategy: 's.locale_path_strategy', defaultLocale: 's.default_locale' }, 't.new_path')} AS target
    FROM (${moved}) AS t JOIN sites s ON s.tenant_id = $1 AND s.id = $2 WHERE t.new_path IS NOT NULL),
  restyled AS MATERIALIZED (
    SELECT DISTINCT ON (m.environment_id, m.source) m.environment_id, m.source, m.target FROM public_paths m
    WHERE m.source <> m.target AND m.source <> '/' AND NOT EXISTS (
      SELECT FROM public_paths p WHERE p.environment_id = m.environment_id AND p.target = m.source)
    ORDER BY m.environment_id, m.source, m.locale <> m.default_locale, m.locale),
  unneeded AS (
    DELETE FROM redirects r USING public_paths p WHERE r.environment_id = p.environment_id AND r.site_id = $2
      AND r.source = p.target AND r.locale IS NULL AND r.origin = 'auto'),
  retargeted AS (
    UPDATE redirects r SET target = m.target, updated_at = ${at} FROM restyled m
    WHERE r.environment_id = m.environment_id AND r.site_id = $2 AND r.target = m.source AND r.source <> m.target
      AND r.origin = 'auto'
      AND NOT EXISTS (SELECT FROM public_paths p WHERE p.environment_id = r.environment_id AND p.target = r.source)
      AND NOT EXISTS (SELECT FROM restyled o WHERE o.environment_id = r.environment_id AND o.source = r.source)),
  restyled_redirects AS (
    INSERT INTO redirects AS r (tenant_id, environment_id, id, site_id, source, target, status, match_type, locale,
      is_active, origin, created_at, updated_at)
    SELECT $1, m.environment_id, ${newIdSql(at)}, $2, m.source, m.target, 301, 'exact', NULL, true, 'auto', ${at}, ${at}
    FROM restyled m
    ON CONFLICT (environment_id, site_id, source, locale) DO UPDATE
      SET target = excluded.target, status = 301, match_type = 'exact', query_match = 'ignore', is_active = true,
        updated_at = excluded.updated_at
      WHERE r.origin = 'auto'
    RETURNING 1)`;
