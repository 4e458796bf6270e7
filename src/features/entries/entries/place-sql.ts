/** JSON or null. @param entryId SQL expression @param environmentId SQL expression */
export const placeSql = (environmentId: string, entryId: string): string =>
  `(SELECT jsonb_build_object('nodeId', n.id, 'parentId', n.parent_id, 'siteId', n.site_id) FROM tree_nodes n
    WHERE n.environment_id = ${environmentId} AND n.entry_id = ${entryId})`;

/** Whether the entry is its site's home. @param entry alias of `entries` */
export const isHomeSql = (entry: string): string =>
  `coalesce((SELECT s.home_entry_id = ${entry}.id FROM sites s WHERE s.tenant_id = ${entry}.tenant_id AND s.id = ${entry}.site_id), false)`;
