import type pg from 'pg';
import { PgBoss } from 'pg-boss';

/** The schema that belongs to pg-boss; a migration makes it and lets the service role work in it. */
export const JOB_SCHEMA = 'pgboss';

/** pg-boss over the owner's connection, for its tables only: it runs nothing. */
const installer = (client: pg.Client): PgBoss =>
  new PgBoss({
    db: { executeSql: (sql, values) => client.query(sql, values) },
    schema: JOB_SCHEMA,
    createSchema: false,
    supervise: false,
    schedule: false,
    migrate: true,
  });

/**
 * Brings pg-boss's own tables to the form that the installed release needs. It versions them itself,
 * so that its upgrades need no migration of ours.
 */
export async function bringJobSchemaUpToDate(client: pg.Client): Promise<void> {
  const boss = installer(client);
  await boss.start();
  await boss.stop({ graceful: false, close: false });
}
