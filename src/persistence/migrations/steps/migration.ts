/** `up` and `down` each run in one transaction. */
export interface Migration {
  readonly name: string;
  readonly up: string;
  readonly down: string;
}

/**
 * Forced row-level security by the setting `headwater.tenant_id`, which the unit of work sets. Without it no row is
 * visible.
 */
export const tenantWall = (table: string, column = 'tenant_id', orElse = ''): string => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant_wall ON ${table} FOR ALL
    USING (${column} = (SELECT current_tenant_id()) ${orElse})
    WITH CHECK (${column} = (SELECT current_tenant_id()) ${orElse});`;

/** Grants the service role these verbs and no others. */
export const grant = (verbs: string, tables: string): string =>
  `GRANT ${verbs} ON ${tables} TO headwater_service;`;

/** Triggers that raise the revision of the environments whose rows change. @param column of the table, and of their heads */
export const bumpRevision = (table: string, column: 'tenant_id' | 'project_id' | 'environment_id'): string =>
  (['INSERT', 'UPDATE', 'DELETE'] as const)
    .map(
      (verb) => `
    CREATE TRIGGER bump_revision_${verb.toLowerCase()} AFTER ${verb} ON ${table}
      REFERENCING ${verb === 'DELETE' ? 'OLD' : 'NEW'} TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION bump_revision_by_${column}();`,
    )
    .join('');

/** Condition of a trigger: what it keeps of the rows of an environment goes with the environment, by other statements. */
export const unlessDeleting = "WHEN (current_setting('headwater.deleting', true) IS DISTINCT FROM 'on') ";
