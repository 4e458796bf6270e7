/** The status of a locale `l` of an entry `e` in SQL; the same rule as `statusOf` of the content kernel. */
export const statusSql = `CASE WHEN l.published_content_hash IS NULL THEN 'draft'
  WHEN l.published_content_hash = l.content_hash AND l.published_shared_hash = e.shared_hash THEN 'published' ELSE 'changed' END`;
