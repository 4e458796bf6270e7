import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { KillClient, type KillCall, type Reply } from '../bench/kill/client.js';
import { asSuperuser } from '../bench/kill/kills.js';
import { preparePlace, type Place } from '../bench/kill/place.js';
import { stateBind, stateSql } from '../support/environment-state.js';
import { blocksAnother } from '../support/blocks-another.js';
import { isLongRun } from '../support/extent.js';
import { ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-postgres.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

/** Live before the release, and new with it. */
const ENTRIES = { live: 3, added: 3 } as const;

let database: TestDatabase;
let superuser: pg.Client;
let place: Place;
let projectId: string;
let releaseId: string;
const client = new KillClient();

async function start(): Promise<void> {
  client.service = await ServiceProcess.start(database.url, { SHUTDOWN_DELAY_SECONDS: '0' });
}

const call = <T = { id: string }>(method: KillCall['method'], at: string, body?: object): Promise<T> =>
  client.must<T>({ method, path: `${place.management}${at}`, ...(body && { body }) });

const onRelease = (verb: 'publish' | 'rollback'): Promise<Reply> =>
  client.send({ method: 'POST', path: `${place.management}/releases/${releaseId}/${verb}`, body: {} });

async function fillRelease(): Promise<void> {
  const items: object[] = [];
  for (let index = 0; index < ENTRIES.live + ENTRIES.added; index += 1) {
    const at = { contentTypeApiName: 'article', siteId: place.siteId };
    const { id } = await call('POST', '/entries', { ...at, fields: { title: `Before ${String(index)}` } });
    if (index < ENTRIES.live) await call('POST', `/entries/${id}/publish`, {});
    await call('PUT', `/entries/${id}`, { version: 1, fields: { title: `After ${String(index)}` } });
    items.push({ kind: 'entry', entryId: id, locale: 'en', action: 'publish' });
  }
  const redirect = { siteId: place.siteId, source: '/old', target: '/new' };
  items.push({ kind: 'redirect', action: 'create', redirect });
  releaseId = (await call('POST', '/releases', { name: 'Opening' })).id;
  await call('POST', `/releases/${releaseId}/items`, { items });
}

beforeAll(async () => {
  database = await createTestDatabase();
  superuser = await asSuperuser(database.url);
  await start();
  place = await preparePlace(client, database.url);
  client.key = place.key;
  const { rows } = await superuser.query<{ id: string }>('SELECT id FROM projects');
  projectId = rows[0]?.id ?? '';
  await fillRelease();
}, 240_000);

afterAll(async () => {
  await client.service?.kill('SIGTERM');
  await superuser.end();
  await database.drop();
});

/** What is live, with the status of the release. */
interface State {
  readonly status: string;
  readonly titles: readonly string[];
  readonly redirects: number;
}

async function state(): Promise<State> {
  const { rows } = await superuser.query<State>(
    `SELECT (SELECT status FROM releases) AS status, (SELECT count(*)::int FROM redirects) AS redirects,
       (SELECT coalesce(array_agg(fields ->> 'title' ORDER BY fields ->> 'title'), '{}') FROM published_entries) AS titles`,
  );
  return rows[0] ?? { status: '', titles: [], redirects: 0 };
}

const titles = (word: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${word} ${String(index)}`);
const before = { titles: titles('Before', ENTRIES.live), redirects: 0 };
const after = { titles: titles('After', ENTRIES.live + ENTRIES.added), redirects: 1 };

/** All that the environment stores and serves, times of publication included, but no texts that are written later. */
async function everything(): Promise<unknown> {
  const { rows } = await superuser.query<{ state: Record<string, unknown> }>(
    stateSql,
    stateBind(projectId, 'main', ['body', 'filter_values']),
  );
  return rows[0]?.state;
}

/**
 * Kills the service when it is about to write to the table, and starts it again. If the database has the commit already,
 * the release is changed nevertheless.
 */
async function killAt(table: string, verb: 'publish' | 'rollback'): Promise<void> {
  await superuser.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
  const reply = onRelease(verb);
  await waitFor(`the release waits for ${table}`, () => blocksAnother(superuser));
  await client.service?.kill('SIGKILL');
  expect(await reply).toMatchObject({ kind: 'lost' });
  await superuser.query('ROLLBACK');
  await start();
  // The transaction of the dead process has ended when its lock is free.
  await superuser.query('SELECT FROM releases FOR UPDATE');
}

/** A record is written with the changes or not at all. */
async function recorded(): Promise<number> {
  const { rows } = await superuser.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM audit_events WHERE action IN ('release.publish', 'release.rollback')",
  );
  return rows[0]?.count ?? 0;
}

/** Written one after the other; the service is killed before its first row of one. */
const tables = [
  'published_entries',
  'redirects',
  'release_items',
  'releases',
  'audit_events',
  'outbox_events',
];

describe('A service that is killed', () => {
  verifies('publication/release-publish', 'publication/release-rollback');

  it('leaves a release published or rolled back whole or not at all', async () => {
    let done = 0;
    for (const table of isLongRun ? tables : ['redirects']) {
      const status = (await state()).status;
      const kept = await everything();
      await killAt(table, 'publish');
      const left = await state();
      if (left.status !== 'published') {
        expect(left).toEqual({ status, ...before });
        expect(await everything()).toEqual(kept);
        expect(await onRelease('publish')).toMatchObject({ kind: 'answered', status: 200 });
      }
      expect(await state()).toEqual({ status: 'published', ...after });

      const live = await everything();
      await killAt(table, 'rollback');
      const still = await state();
      if (still.status !== 'rolled_back') {
        expect(still).toEqual({ status: 'published', ...after });
        expect(await everything()).toEqual(live);
        expect(await onRelease('rollback')).toMatchObject({ kind: 'answered', status: 200 });
      }
      expect(await state()).toEqual({ status: 'rolled_back', ...before });
      await call('POST', `/releases/${releaseId}/reopen`);
      done += 1;
      expect(await recorded()).toBe(2 * done);
    }
  }, 600_000);
});
