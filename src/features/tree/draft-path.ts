/**
 * The path that an entry will have in a locale once its draft is published, without locale prefix; no row outside its
 * site's tree. `$1` environment, `$2` entry, `$3` locale.
 */
export const draftPath = {
  name: 'draft_path',
  text: `SELECT CASE WHEN e.id = s.home_entry_id THEN '/' ELSE coalesce(nullif(up.path, '/'), '') || '/' || own.slug END AS path
    FROM entries e JOIN sites s ON s.tenant_id = e.tenant_id AND s.id = e.site_id
      LEFT JOIN tree_nodes n ON n.environment_id = e.environment_id AND n.entry_id = e.id AND n.site_id = s.id
      LEFT JOIN routes up ON up.environment_id = e.environment_id AND up.node_id = n.parent_id AND up.locale = $3
      CROSS JOIN LATERAL (SELECT d.slug FROM entry_locales d WHERE d.environment_id = e.environment_id AND d.entry_id = e.id
        ORDER BY d.locale = $3 DESC, d.locale = s.default_locale DESC, d.created_at, d.locale LIMIT 1) own
    WHERE e.environment_id = $1 AND e.id = $2 AND e.deleted_at IS NULL AND (n.id IS NOT NULL OR e.id = s.home_entry_id)`,
};
