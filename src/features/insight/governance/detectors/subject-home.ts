/**
 * SQL condition: the row belongs to the environment `$3`. Keys bound to an environment do, everything else that all
 * environments of a project share belongs to the default one. `$1` is the tenant, `$2` the project.
 */
export const isDefaultSql = `EXISTS (SELECT FROM environment_heads h
  WHERE h.environment_id = $3 AND h.tenant_id = $1 AND h.project_id = $2 AND h.is_default)`;

export const keyHomeSql = `CASE WHEN k.environment_id IS NULL THEN ${isDefaultSql} ELSE k.environment_id = $3 END`;
