import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { migrateDown, migrateUp, pendingMigrations } from '../../src/persistence/migrations/migrator.js';
import { migrations } from '../../src/persistence/migrations/steps/index.js';
import { hasPgBouncer } from '../support/optional-servers.js';
import { makePgBouncer, type PgBouncer } from '../support/pgbouncer.js';
import { environment } from '../support/service-process.js';
import { cloneDatabase } from '../support/test-postgres.js';
import { verifies } from '../support/verifies.js';

let url: string;
let client: pg.Client;
let pooler: PgBouncer | undefined;

beforeAll(async () => {
  url = await cloneDatabase();
  client = new pg.Client({ connectionString: url });
  await client.connect();
  if (!hasPgBouncer) return;
  pooler = await makePgBouncer(url, { mode: 'transaction' });
  await pooler.start();
});

afterAll(async () => {
  await client.end();
  await pooler?.remove();
});

async function countApplied(): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM schema_migrations',
  );
  return rows[0]?.count ?? 0;
}

/** Kills a migration of an empty database once so many steps are there. */
async function killAt(steps: number, databaseUrl: string): Promise<void> {
  const child = spawn(process.execPath, ['dist/migrate.js'], {
    env: environment(databaseUrl, {}),
    stdio: 'ignore',
  });
  const exit = once(child, 'exit');
  while ((await countApplied()) < steps && child.exitCode === null) await delay(1);
  child.kill('SIGKILL');
  await exit;
}

describe('A killed migration', () => {
  verifies('operation/migrations-beside');

  it.each([1, 5, 12, 20, migrations.length])(
    'at step %i leaves whole steps, and the next start completes it',
    async (steps) => {
      for (const databaseUrl of [url, ...(pooler === undefined ? [] : [pooler.through(url)])]) {
        await migrateDown({ url });
        await killAt(steps, databaseUrl);
        const applied = await countApplied();
        const rest = await migrateUp({ url });
        expect(rest).toHaveLength(migrations.length - applied);
        expect(await pendingMigrations({ url })).toEqual([]);
      }
    },
  );
});
