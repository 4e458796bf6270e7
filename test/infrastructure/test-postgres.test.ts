import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase } from '../support/test-postgres.js';
import type { TestDatabase } from '../support/test-postgres.js';

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('the database of a test', () => {
  let databases: TestDatabase[];

  beforeAll(async () => {
    databases = await Promise.all(Array.from({ length: 4 }, () => createTestDatabase()));
  });

  afterAll(async () => {
    await Promise.all(databases.map((database) => database.drop()));
  });

  it('creates four different test databases concurrently', () => {
    expect(new Set(databases.map(({ url }) => url)).size).toBe(4);
  });

  it('applies all migrations to a test database', async () => {
    const sql = 'SELECT count(*) > 0 AS "isMigrated" FROM schema_migrations';
    expect(await query(databases[0]!.url, sql)).toEqual([{ isMigrated: true }]);
  });

  it('connects to a test database as an owner that is no superuser', async () => {
    const sql = 'SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user';
    expect(await query(databases[0]!.url, sql)).toEqual([{ rolsuper: false, rolbypassrls: false }]);
  });
});
