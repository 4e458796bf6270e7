import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { BranchedProject } from '../bench/kill/branched-project.js';
import { KillClient, type Reply } from '../bench/kill/client.js';
import { asSuperuser } from '../bench/kill/kills.js';
import { preparePlace } from '../bench/kill/place.js';
import { blocksAnother } from '../support/blocks-another.js';
import { isLongRun } from '../support/extent.js';
import { ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-postgres.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

let place: TestDatabase;
let superuser: pg.Client;
let project: BranchedProject;
const client = new KillClient();

async function start(): Promise<void> {
  client.service = await ServiceProcess.start(place.url, { SHUTDOWN_DELAY_SECONDS: '0' });
}

beforeAll(async () => {
  place = await createTestDatabase();
  superuser = await asSuperuser(place.url);
  await start();
  const prepared = await preparePlace(client, place.url);
  client.key = prepared.key;
  project = new BranchedProject(client, superuser, prepared);
  await project.prepare(3);
}, 240_000);

afterAll(async () => {
  await client.service?.kill('SIGTERM');
  await superuser.end();
  await place.drop();
});

const count = async (sql: string, values: unknown[] = []): Promise<number> =>
  (await superuser.query<{ found: number }>(`SELECT count(*)::int AS found FROM ${sql}`, values)).rows[0]
    ?.found ?? 0;

/** Kills the service when the work is about to write to the table, and starts it again. */
async function killAt(table: string, send: () => Promise<Reply>): Promise<void> {
  await superuser.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
  const reply = send();
  await waitFor(`something waits for ${table}`, () => blocksAnother(superuser));
  await client.service?.kill('SIGKILL');
  expect(await reply).toMatchObject({ kind: 'lost' });
  await superuser.query('ROLLBACK');
  await start();
}

/** Written one after the other; a process is killed before its first row of one. */
const tables = [
  ...[
    'environment_bases',
    'content_types',
    'renames',
    'fields',
    'entries',
    'entry_locales',
    'entry_versions',
  ],
  ...['promotions', 'audit_events', 'outbox_events'],
];

describe('A service that is killed', () => {
  verifies('environments/copy-after-kill');

  it('leaves a promotion, a rollback and a copy done or not done, never half done', async () => {
    const promoted = () => count('promotions WHERE rolled_back_at IS NULL');
    const before = await project.state('main');
    for (const table of isLongRun ? tables : [tables[0] ?? '']) {
      await killAt(table, () => project.promote());
      if ((await promoted()) === 0) {
        expect(await project.state('main')).toBe(before);
        expect(await project.promote()).toMatchObject({ kind: 'answered', status: 200 });
      }
      const after = await project.state('main');
      expect(after).not.toBe(before);
      await killAt(table, () => project.rollback());
      if ((await promoted()) === 1) {
        expect(await project.state('main')).toBe(after);
        expect(await project.rollback()).toMatchObject({ kind: 'answered', status: 200 });
      }
      expect(await project.state('main')).toBe(before);
    }
    await killAt('translations', () => project.copy('second'));
    expect(await project.untilReady('second')).toBe(true);
    expect(await project.state('second')).toBe(before);
    expect(await project.unrecorded()).toBe(0);
  }, 600_000);
});
