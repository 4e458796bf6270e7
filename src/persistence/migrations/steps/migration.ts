/** One step of the database's history. `up` and `down` run in one transaction each. */
export interface Migration {
  readonly name: string;
  readonly up: string;
  readonly down: string;
}

/**
 * Second wall between tenants: forced row-level security keyed by the setting `headwater.tenant_id`,
 * which the unit of work makes for its transaction. No setting, no rows.
 */
export const tenantWall = (table: string, column = 'tenant_id', orElse = ''): string => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant_wall ON ${table} FOR ALL
    USING (${column} = (SELECT current_tenant_id()) ${orElse})
    WITH CHECK (${column} = (SELECT current_tenant_id()) ${orElse});`;

/** Lets the service role work on a table; the verbs are all it gets. */
export const grant = (verbs: string, tables: string): string =>
  `GRANT ${verbs} ON ${tables} TO headwater_service;`;
