import type pg from 'pg';

/** Set to `on`, it shows the owner the rows of every tenant, for dumps. Other roles have no policy for it. */
export const BACKUP_SETTING = 'headwater.backup';

/** Tables whose rows their owner could not dump. */
const unreadableTables = `
  SELECT format('%I', tablename) AS name, format('%I', tableowner) AS owner FROM pg_tables t
  WHERE schemaname = 'public' AND rowsecurity AND NOT EXISTS (
    SELECT FROM pg_policies p WHERE p.schemaname = 'public' AND p.tablename = t.tablename
      AND p.policyname = 'backup' AND p.roles = ARRAY[t.tableowner])
  ORDER BY 1`;

interface UnreadableTable {
  readonly name: string;
  readonly owner: string;
}

export async function tablesWithoutBackupPolicy(client: pg.Client): Promise<UnreadableTable[]> {
  return (await client.query<UnreadableTable>(unreadableTables)).rows;
}

/** For every table with row-level security, those of later migrations included. */
export async function ensureBackupPolicies(client: pg.Client): Promise<void> {
  for (const { name, owner } of await tablesWithoutBackupPolicy(client)) {
    await client.query(`DROP POLICY IF EXISTS backup ON ${name};
      CREATE POLICY backup ON ${name} FOR SELECT TO ${owner}
        USING ((SELECT current_setting('${BACKUP_SETTING}', true)) = 'on')`);
  }
}
