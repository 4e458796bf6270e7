import type pg from 'pg';

/** pg-boss's schema; a migration creates it and grants it to the service role. */
export const JOB_SCHEMA = 'pgboss';

/** pg-boss versions its own tables, so its upgrades need no migration of ours. */
export async function bringJobSchemaUpToDate(client: pg.Client): Promise<void> {
  const { PgBoss } = await import('pg-boss');
  // Migrates over the owner's connection; runs no jobs.
  const boss = new PgBoss({
    db: { executeSql: (sql, values) => client.query(sql, values) },
    schema: JOB_SCHEMA,
    createSchema: false,
    supervise: false,
    schedule: false,
    migrate: true,
  });
  await boss.start();
  await boss.stop({ graceful: false, close: false });
}
