/**
 * Assignments for locales `l` of entries `e` whose shared values become others without a change of what
 * they say: a locale that was published as it is stays so. Run before the entries themselves are changed.
 * @param sharedFields the new shared values, an SQL expression over `e`
 */
export const sharedHashes = (sharedFields: string): string =>
  `shared_hash = md5(${sharedFields}::text), published_shared_hash = CASE WHEN l.published_shared_hash = e.shared_hash
     THEN md5(${sharedFields}::text) ELSE l.published_shared_hash END`;
