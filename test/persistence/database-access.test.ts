import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { declaredGrants } from '../../src/persistence/migrations/access/database-access.js';
import { checkAccess, migrateUp } from '../../src/persistence/migrations/migrator.js';
import { useOwnApp } from '../support/desk.js';
import { createProject } from '../support/factories/project.js';
import { createTestDatabase, type TestDatabase } from '../support/test-postgres.js';
import { verifies } from '../support/verifies.js';

const app = useOwnApp();
let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

const check = () => checkAccess({ url: database.url, setsRole: true });

describe('Grants and policies of the roles', () => {
  verifies('operation/backup', 'limits/isolation');

  it('are complete after the migrations, and no table has one that the check does not know', async () => {
    await expect(check()).resolves.toBeUndefined();
    const { rows } = await client.query<{ table: string }>(
      `SELECT DISTINCT c.relname AS table FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid,
         LATERAL (SELECT * FROM aclexplode(c.relacl) UNION ALL SELECT * FROM aclexplode(a.attacl)) AS acl
       JOIN pg_roles r ON r.oid = acl.grantee
       WHERE c.relnamespace = 'public'::regnamespace AND r.rolname IN ('headwater_service', 'headwater_reader')`,
    );
    const known = new Set(declaredGrants.map(({ object }) => object));
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter(({ table }) => !known.has(table))).toEqual([]);
  });

  it.each([
    'REVOKE SELECT ON routes FROM headwater_reader',
    'REVOKE INSERT ON audit_events FROM headwater_service',
    'REVOKE SELECT (target) ON redirects FROM headwater_reader',
    'REVOKE USAGE ON SEQUENCE audit_number FROM headwater_service',
    'REVOKE EXECUTE ON FUNCTION prune_audit() FROM headwater_service',
    'REVOKE USAGE ON SCHEMA pgboss FROM headwater_service',
    'REVOKE DELETE ON ALL TABLES IN SCHEMA pgboss FROM headwater_service',
    'DROP POLICY delivered ON redirects',
    'DROP POLICY hits_counted ON redirects',
  ])('are named with the SQL to run, and restored by the migrations, after %s', async (statement) => {
    await client.query(statement);
    const error = await check().catch((reason: unknown) => reason);
    const message = error instanceof Error ? error.message : '';
    const [, sql = ''] =
      /^The roles of the service lack \d+ grants? .*: run npm run migrate, or as \w+: (.*)$/.exec(message) ??
      [];
    expect(message).toContain('run npm run migrate');
    await client.query('BEGIN');
    await client.query(sql);
    await client.query('ROLLBACK');
    const repaired: string[] = [];
    await migrateUp({ url: database.url, onRepair: (statements) => repaired.push(...statements) });
    expect(repaired).toHaveLength(1);
    await expect(check()).resolves.toBeUndefined();
  });

  it('show rows of every tenant for a backup to the owner only', async () => {
    await createProject(app());
    const beside = new pg.Client({ connectionString: app().databaseUrl });
    await beside.connect();
    const tenants = async () => (await beside.query('SELECT FROM tenants')).rowCount;
    try {
      expect(await tenants()).toBe(0);
      await beside.query("SET headwater.backup = 'on'");
      expect(await tenants()).toBeGreaterThan(0);
      for (const role of ['headwater_service', 'headwater_reader']) {
        await beside.query(`SET ROLE ${role}`);
        expect(await tenants().catch((error: pg.DatabaseError) => error.code)).toBe(
          role === 'headwater_service' ? 0 : '42501',
        );
      }
    } finally {
      await beside.end();
    }
  });
});
