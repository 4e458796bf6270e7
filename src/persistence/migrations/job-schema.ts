import type pg from 'pg';

/** The schema that belongs to pg-boss; a migration makes it and lets the service role work in it. */
export const JOB_SCHEMA = 'pgboss';

/**
 * Brings pg-boss's own tables to the form that the installed release needs. It versions them itself,
 * so that its upgrades need no migration of ours.
 */
export async function bringJobSchemaUpToDate(client: pg.Client): Promise<void> {
  const { PgBoss } = await import('pg-boss');
  // Over the owner's connection and for its tables only: it runs nothing.
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
