/**
 * Assignments for `entry_locales l` of `entries e` when shared values are rewritten without a change of meaning, so
 * that published locales stay published. Run before updating the entries.
 * @param sharedFields SQL expression over `e`
 */
export const sharedHashes = (sharedFields: string): string =>
  `shared_hash = md5(${sharedFields}::text), published_shared_hash = CASE WHEN l.published_shared_hash = e.shared_hash
     THEN md5(${sharedFields}::text) ELSE l.published_shared_hash END`;
