import { readdir, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import {
  migrateDown,
  migrateTo,
  migrateUp,
  pendingMigrations,
} from '../../src/persistence/migrations/migrator.js';
import { migrations } from '../../src/persistence/migrations/steps/index.js';
import { createTestDatabase, type TestDatabase } from '../support/test-postgres.js';
import { catalogOf } from './catalog.js';

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

describe('The baseline', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeEach(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });

  afterEach(async () => {
    await client.end();
    await database.drop();
  });

  const recorded = async (): Promise<string[]> => {
    const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name');
    return rows.map(({ name }) => name);
  };

  const record = async (former: readonly string[]): Promise<void> => {
    await client.query('DELETE FROM schema_migrations');
    await client.query('INSERT INTO schema_migrations (name) SELECT unnest($1::text[])', [former]);
  };

  it('makes the schema that the steps before it made', async () => {
    await migrateDown({ url: database.url });
    await migrateTo('0021-purges', { url: database.url });
    const before = JSON.parse(await readFile('test/persistence/former-catalog.json', 'utf8')) as object;
    expect(await catalogOf(client)).toEqual(before);
  });

  it('is recorded for a database with all steps before it, which runs none again', async () => {
    const later = names.slice(names.indexOf('0021-purges') + 1);
    await migrateDown({ url: database.url });
    await migrateTo('0021-purges', { url: database.url });
    await record(['0001-roles', '0002-tenants', '0092-account-links', '0093-second-factors']);

    expect(await pendingMigrations({ url: database.url })).toEqual(later);
    expect(await migrateUp({ url: database.url })).toEqual(later);
    expect(await recorded()).toEqual(names);
  });

  it('refuses a database that lacks steps before it, and says which revision adds them', async () => {
    const former = ['0001-roles', '0002-tenants', '0071-key-owners'];
    await record(former);
    await expect(migrateUp({ url: database.url })).rejects.toThrow(
      /^The data was written before 0\.1\.0, and its migrations end with 0071-key-owners: run npm run migrate of revision \w{8}/,
    );
    expect(await recorded()).toEqual(former);
  });

  it('does not take the migrations of a newer release for steps before it', async () => {
    await client.query("INSERT INTO schema_migrations (name) VALUES ('0900-later')");
    expect(await migrateUp({ url: database.url })).toEqual([]);
    expect(await recorded()).toEqual([...names, '0900-later']);
  });
});
