import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { systemScope } from '../../src/persistence/work/unit-of-work.js';
import { compose } from '../../src/process/compose.js';
import { assertBoundRole } from '../../src/persistence/connections/write-pool.js';
import { testSecret } from '../support/app.js';
import { watchedLogger } from '../support/log-lines.js';
import { createTestDatabase, type TestDatabase } from '../support/test-postgres.js';
import { verifies } from '../support/verifies.js';
import { testMedia } from '../support/test-media.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

/** Some sessions belong to a superuser, which the owner cannot terminate. */
afterAll(async () => {
  await database.look();
  await asSuperuser(`DROP DATABASE ${new URL(database.url).pathname.slice(1)} WITH (FORCE)`);
});

/** The database URL with other credentials. */
function urlOf(user: string, password: string): string {
  const url = new URL(database.url);
  url.username = user;
  url.password = password;
  return url.href;
}

function superuserUrl(): string {
  const { username, password } = new URL(process.env.HEADWATER_TEST_SUPERUSER_URL ?? '');
  return urlOf(username, password);
}

async function asSuperuser(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.HEADWATER_TEST_SUPERUSER_URL });
  await client.connect();
  await client.query(sql);
  await client.end();
}

function start(url: string) {
  return compose({
    serviceUrl: url,
    readUrl: url,
    poolSize: 2,
    tokens: { algorithm: 'HS256', issuer: 'i', audience: 'a', secret: testSecret },
    logger: watchedLogger(),
    mcpAllowedOrigins: [],
    media: testMedia(),
    queryLimits: { maxQueryDepth: 10, maxComplexity: 1000, maxReferenceDepth: 3 },
  });
}

describe('The role that a connection works as', () => {
  verifies('limits/isolation');

  it.each([
    { who: 'a superuser', url: superuserUrl },
    { who: 'the owner of the tables', url: () => database.url },
  ])('refuses to start as $who, which row-level security does not restrict', async ({ url }) => {
    const client = new pg.Client({ connectionString: url() });
    await client.connect();
    try {
      const pool = { execute: (sql: string) => client.query(sql) };
      await expect(assertBoundRole(pool)).rejects.toThrow('would bypass the walls between tenants');
    } finally {
      await client.end();
    }
  });

  it('connects as the service role even if the connection string names a superuser', async () => {
    const composition = await start(superuserUrl());
    const { units } = composition.services;
    const answer = await units.run(
      { scope: systemScope({ command: 'tests' }), isReadOnly: true, lock: 'none' },
      () => Promise.resolve('worked'),
    );
    expect(answer).toBe('worked');
    await composition.close();
  });

  it('refuses to start if it cannot become the service role', async () => {
    const role = `headwater_stranger_${randomBytes(4).toString('hex')}`;
    await asSuperuser(`CREATE ROLE ${role} LOGIN PASSWORD 'stranger'`);
    try {
      await expect(start(urlOf(role, 'stranger'))).rejects.toThrow();
    } finally {
      await asSuperuser(`DROP ROLE ${role}`);
    }
  });
});

describe('The role that serves', () => {
  verifies('limits/isolation', 'events/audit-append-only');

  it.each([
    "UPDATE entry_versions SET comment = 'x'",
    'DELETE FROM entry_versions',
    'DELETE FROM api_keys',
    'DELETE FROM tenants',
    'UPDATE published_counts SET entries = 0',
    'ALTER TABLE entries NO FORCE ROW LEVEL SECURITY',
    'DROP POLICY tenant_wall ON entries',
    'CREATE TABLE mine (id int)',
  ])('does not let the service role run %s', async (sql) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query('SET ROLE headwater_service');
      await expect(client.query(sql)).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.end();
    }
  });

  it('gives the service role no superuser rights, no ownership and no BYPASSRLS', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(
      `SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
         (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid) AS owned
       FROM pg_roles r WHERE rolname = 'headwater_service'`,
    );
    await client.end();
    const nothing = { rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false };
    expect(rows).toEqual([{ ...nothing, owned: 0 }]);
  });
});
