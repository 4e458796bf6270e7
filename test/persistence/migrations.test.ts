import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { migrateUp, pendingMigrations } from '../../src/persistence/migrations/migrator.js';
import { migrations } from '../../src/persistence/migrations/steps/index.js';
import { formerNames } from '../../src/persistence/migrations/steps/renamed.js';
import { createTestDatabase, type TestDatabase } from '../support/test-postgres.js';

const names = migrations.map(({ name }) => name);

describe('The migrations', () => {
  it('numbers the migrations consecutively from 0001 in the order they run', () => {
    const numbers = names.map((name) => /^(\d{4})-[a-z]+(?:-[a-z]+)*$/.exec(name)?.[1]);
    expect(numbers).toEqual(names.map((_, index) => String(index + 1).padStart(4, '0')));
  });

  it('keeps each migration in the file of its name and omits no file', async () => {
    const files = await readdir('src/persistence/migrations/steps');
    const steps = files.filter((file) => /^\d/.test(file)).map((file) => file.replace(/\.ts$/, ''));
    expect(steps.toSorted()).toEqual(names);
  });
});

describe('A database that recorded migrations under their former names', () => {
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

  const recorded = async (): Promise<Map<string, string>> => {
    const { rows } = await client.query<{ name: string; at: string }>(
      'SELECT name, applied_at::text AS at FROM schema_migrations ORDER BY name',
    );
    return new Map(rows.map(({ name, at }) => [name, at]));
  };

  const restoreFormerNames = async (): Promise<void> => {
    for (const [name, former] of Object.entries(formerNames))
      await client.query('UPDATE schema_migrations SET name = $2 WHERE name = $1', [name, former]);
  };

  it('renames the records of former migration names without running a migration again', async () => {
    const before = await recorded();
    expect([...before.keys()]).toEqual(names);
    await restoreFormerNames();
    expect([...(await recorded()).keys()]).not.toEqual(names);

    expect(await migrateUp({ url: database.url })).toEqual([]);
    expect(await recorded()).toEqual(before);
  });

  it('runs only the missing migrations of a database that stopped between renamed ones', async () => {
    const last = names.indexOf('0021-confirmations');
    for (const { name, down } of migrations.slice(last + 1).toReversed()) {
      await client.query(down);
      await client.query('DELETE FROM schema_migrations WHERE name = $1', [name]);
    }
    await restoreFormerNames();
    const before = await recorded();
    expect([...before.keys()].slice(-3)).toEqual([
      '0019-audit-chain',
      '0023-confirmations',
      '0026-ended-sessions',
    ]);

    const missing = names.slice(last + 1);
    expect(await pendingMigrations({ url: database.url })).toEqual(missing);
    expect(await migrateUp({ url: database.url })).toEqual(missing);
    expect([...(await recorded()).keys()]).toEqual(names);
    expect(await migrateUp({ url: database.url })).toEqual([]);
  });
});
