import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { KillClient, type KillCall } from '../bench/kill/client.js';
import { asSuperuser } from '../bench/kill/kills.js';
import { preparePlace, type Place } from '../bench/kill/place.js';
import { unzipped, zipOf } from '../support/archives.js';
import { blocksAnother } from '../support/blocks-another.js';
import { isLongRun } from '../support/extent.js';
import { environment, runCommand, ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-postgres.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

/** As many as moments at which an import is killed. */
const ENTRIES = 10;

/** One kill of each kind in the usual run, ten in the long one. */
const moments = (sample: number): readonly number[] => (isLongRun ? [...Array(ENTRIES).keys()] : [sample]);

let database: TestDatabase;
let superuser: pg.Client;
let directory: string;
let place: Place;
const entryIds: string[] = [];
const client = new KillClient();

const settings = () => ({ SHUTDOWN_DELAY_SECONDS: '0', HEADWATER_DATA_DIR: directory });

async function start(): Promise<void> {
  client.service = await ServiceProcess.start(database.url, settings());
}

const call = <T = { id: string }>(method: KillCall['method'], at: string, body?: object): Promise<T> =>
  client.must<T>({ method, path: `${place.management}${at}`, ...(body && { body }) });

const rowsOf = async <T extends object>(sql: string, values: unknown[] = []): Promise<T[]> =>
  (await superuser.query<T>(sql, values)).rows;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'headwater-killed-jobs-'));
  database = await createTestDatabase();
  superuser = await asSuperuser(database.url);
  await start();
  place = await preparePlace(client, database.url);
  client.key = place.key;
  for (let index = 0; index < ENTRIES; index += 1) {
    const fields = { title: `Article ${index}` };
    const { id } = await call('POST', '/entries', {
      contentTypeApiName: 'article',
      siteId: place.siteId,
      fields,
    });
    await call('POST', `/entries/${id}/publish`, {});
    entryIds.push(id);
  }
}, 240_000);

afterAll(async () => {
  await client.service?.kill('SIGTERM');
  await superuser.end();
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

interface Job {
  readonly jobId: string;
  readonly status: string;
  readonly url: string | null;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
}

/** The lease of a process that died ends; another takes the job. */
const endLease = () =>
  superuser.query(
    "UPDATE translation_jobs SET due_at = now() - interval '1 second' WHERE status IN ('queued', 'running')",
  );

async function finished(kind: 'export' | 'import', jobId: string): Promise<Job> {
  let job: Job | undefined;
  await waitFor(`the ${kind} has ended`, async () => {
    job = await call<Job>('GET', `/translations/${kind}s/${jobId}`);
    return job.status === 'done' || job.status === 'failed';
  });
  if (job === undefined) throw new Error('no job');
  return job;
}

/** Kills the service when the statement waits for the lock, and starts it again. */
async function killAtLock(lock: string, run: () => Promise<unknown>): Promise<void> {
  await superuser.query(`BEGIN; ${lock}`);
  const running = run().catch(() => undefined);
  await waitFor('the job waits for the lock', () => blocksAnother(superuser));
  await client.service?.kill('SIGKILL');
  await running;
  await superuser.query('ROLLBACK');
  await start();
}

const files = async (folder: string): Promise<string[]> => {
  const found = await readdir(path.join(directory, folder), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return found.filter((one) => one.isFile()).map((one) => path.join(one.parentPath, one.name));
};

/** What a process that died left in staging is removed a day later. */
async function expectSwept(): Promise<void> {
  const media = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('staging'));
  const staged = (await Promise.all(media.map(files))).flat();
  const old = new Date(Date.now() - 3 * 86_400_000);
  for (const file of staged) await utimes(file, old, old);
  const swept = await runCommand(database.url, ['media', 'sweep', '--remove'], settings());
  expect([swept.code, swept.output]).toEqual([0, expect.stringContaining('0 files missing')]);
  expect((await Promise.all(media.map(files))).flat()).toEqual([]);
}

async function exportArchive(): Promise<string> {
  return (await call<Job>('POST', '/translations/export', { targetLocale: 'de', entryIds })).jobId;
}

async function download({ url }: Job): Promise<Record<string, string>> {
  const address = (url ?? '').replace(/^https?:\/\/[^/]+/, '');
  const answer = await fetch(`${client.service?.url ?? ''}${address}`);
  expect(answer.status).toBe(200);
  return unzipped(Buffer.from(await answer.arrayBuffer()));
}

async function importArchive(archive: Buffer): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(archive)], { type: 'application/zip' }), 'de.zip');
  const answer = await fetch(`${client.service?.url ?? ''}${place.management}/translations/import`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${client.key}` },
    body: form,
  });
  expect(answer.status).toBe(202);
  return ((await answer.json()) as { data: Job }).data.jobId;
}

/** Tables before whose next row an export is killed: of the job, and of its files once the archive is stored. */
const ofExport = ['translation_jobs', 'translation_job_files'] as const;

const targets = (xliff: string, title: string): string =>
  xliff.replace(
    /(<source xml:space="preserve">.*?<\/source>)(?:<target[^>]*>.*?<\/target>)?/s,
    `$1<target>${title}</target>`,
  );

describe('Archives of translations whose service is killed', () => {
  verifies('translations/archives');

  it('are exported whole once it runs again', async () => {
    const whole = await download(await finished('export', await exportArchive()));
    for (const moment of moments(1)) {
      const table = ofExport[moment % ofExport.length] ?? ofExport[0];
      const lock = `LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`;
      let jobId = '';
      await killAtLock(lock, async () => {
        jobId = await exportArchive();
      });
      if (jobId === '') jobId = await exportArchive();
      await endLease();
      const job = await finished('export', jobId);
      expect(job).toMatchObject({ status: 'done', total: ENTRIES, done: ENTRIES, failed: 0 });
      expect(await download(job)).toEqual(whole);
    }
    await expectSwept();
  }, 300_000);

  it('are imported once each, whatever files were done', async () => {
    const whole = await download(await finished('export', await exportArchive()));
    for (const [round, done] of moments(4).entries()) {
      const titles = new Map(entryIds.map((id, index) => [id, `Artikel ${round} ${index}`]));
      const archive = await zipOf(
        Object.fromEntries(
          Object.entries(whole).map(([name, xliff]) => {
            const id = entryIds.find((one) => name.includes(one)) ?? '';
            return [name, targets(xliff, titles.get(id) ?? '')];
          }),
        ),
      );
      const order = Object.keys(whole).map((name) => entryIds.find((id) => name.includes(id)) ?? '');
      const versions = () =>
        rowsOf<{ id: string; count: number }>(
          'SELECT entry_id AS id, count(*)::int AS count FROM entry_versions GROUP BY 1 ORDER BY 1',
        );
      const before = await versions();
      let jobId = '';
      await killAtLock(
        `SELECT FROM entries WHERE id = '${order[done] ?? ''}' FOR NO KEY UPDATE`,
        async () => {
          jobId = await importArchive(archive);
        },
      );
      expect(jobId).not.toBe('');
      const [settled] = await rowsOf<{ count: number }>(
        "SELECT count(*)::int AS count FROM translation_job_files WHERE job_id = $1 AND status = 'done'",
        [jobId],
      );
      expect(settled?.count).toBe(done);
      await endLease();
      const job = await finished('import', jobId);
      expect(job).toMatchObject({ status: 'done', total: ENTRIES, done: ENTRIES, failed: 0 });
      expect(await versions()).toEqual(before.map(({ id, count }) => ({ id, count: count + 1 })));
      for (const [id, title] of titles)
        expect((await call<{ fields: object }>('GET', `/entries/${id}?locale=de`)).fields).toEqual({ title });
    }
    await expectSwept();
  }, 300_000);
});

/** Starts the command, and kills it after so many milliseconds, if it runs for that long. */
async function rebuild(milliseconds = 60_000): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, ['dist/rebuild.js'], {
    env: environment(database.url, settings()),
    stdio: 'ignore',
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  return signal;
}

describe('A command that rebuilds read models', () => {
  verifies('environments/copy-after-kill');

  it('leaves them right whenever it is killed', async () => {
    const startedAt = performance.now();
    expect(await rebuild()).toBeNull();
    const whole = performance.now() - startedAt;
    for (const moment of moments(6)) {
      let milliseconds = (whole * (moment + 0.5)) / ENTRIES;
      // It may be faster than before: then it is killed earlier.
      while ((await rebuild(milliseconds)) === null) milliseconds /= 2;
      const { code, output } = await runCommand(database.url, ['rebuild', '--check'], settings());
      expect([code, output]).toEqual([0, output]);
    }
    expect(await rebuild()).toBeNull();
  }, 300_000);
});
