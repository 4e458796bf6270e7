/** `up` and `down` each run in one transaction. */
export interface Migration {
  readonly name: string;
  readonly up: string;
  readonly down: string;
  /** Runs before `up`, for rows that are too many for one transaction. */
  readonly batches?: MigrationBatches;
}

/** What a killed migration did not commit is done when it runs again: both find what is left. */
export interface MigrationBatches {
  /** Temporary tables and functions of the session. */
  readonly prepare: string;
  /** One transaction, which takes its locks for its own rows; repeated until `isUnfinished` is false. */
  readonly next: string;
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
