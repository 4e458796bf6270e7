import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startTestApp, type TestApp } from '../support/app.js';
import { must } from '../support/call.js';
import { createArticleTypes, createEntry, publish } from '../support/factories/content.js';
import { png, uploadAsset } from '../support/factories/media.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { environment, runCommand } from '../support/service-process.js';
import { testMedia } from '../support/test-media.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { verifies } from '../support/verifies.js';

/** Parts of the time that a command takes undisturbed. */
const MOMENTS = [0.3, 0.5, 0.7, 0.85, 0.95];
const WRITES_PER_SECOND = 20;

let folder: string;
let app: TestApp;
let project: TestProject;
let target: TestServer;

const inFolder = (name: string): string => path.join(folder, name);
const settingsOf = (directory: string) => ({ HEADWATER_DATA_DIR: inFolder(directory) });

const newDraft = (title: string) =>
  createEntry(app, project, { contentTypeApiName: 'article', fields: { title } });

/** Sees every row. */
async function asSuperuser<Row extends object>(sql: string, database = 'postgres'): Promise<Row[]> {
  const url = new URL(target.superuserUrl);
  url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** An empty database of another server. */
async function emptyDatabase(name: string): Promise<string> {
  await asSuperuser(`CREATE DATABASE ${name} OWNER content_owner`);
  const url = new URL(target.superuserUrl);
  Object.assign(url, { username: 'content_owner', password: 'secret', pathname: `/${name}` });
  return url.href;
}

const tables = ['entries', 'entry_versions', 'audit_events', 'outbox_events', 'media_assets'];

/** How many rows the tables have. */
const countRows = (database: string): Promise<object[]> =>
  asSuperuser(
    tables.map((table) => `SELECT '${table}' AS name, count(*)::int FROM ${table}`).join(' UNION ALL '),
    database,
  );

interface Command {
  readonly url: string;
  readonly args: readonly [string, ...string[]];
  readonly directory: string;
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** Ends a command without a chance to clean up. */
async function killAfter(seconds: number, { url, args: [name, ...args], directory }: Command): Promise<void> {
  const child = spawn(process.execPath, [`dist/${name}.js`, ...args], {
    env: environment(url, settingsOf(directory)),
    stdio: 'ignore',
  });
  const exit = once(child, 'exit');
  await delay(seconds * 1000);
  child.kill('SIGKILL');
  await exit;
}

/** Changes an entry, publishes it and makes another one, in turn, at a steady rate. */
class Writers {
  /** Titles whose write was acknowledged. */
  readonly acknowledged: string[] = [];
  #isOver = false;
  readonly #running: Promise<unknown>;
  #number = 0;

  constructor() {
    this.#running = Promise.all([this.#write(), this.#write()]);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #write(): Promise<void> {
    const pause = 2000 / WRITES_PER_SECOND;
    while (!this.#isOver) {
      const title = `Write ${String((this.#number += 1))}`;
      const next = delay(pause * 3);
      const { id } = await newDraft(title);
      await must(app, {
        method: 'PUT',
        path: `${project.management}/entries/${id}`,
        key: project.keys.management,
        body: { version: 1, fields: { title: `${title} again` } },
      });
      await publish(app, project, id);
      this.acknowledged.push(title);
      await next;
    }
  }
}

/** Rows that contradict each other: none is in a state that was committed. */
const contradictions = {
  heads: `SELECT e.id FROM entries e WHERE e.version <>
    (SELECT max(version_num) FROM entry_versions v WHERE v.environment_id = e.environment_id AND v.entry_id = e.id)`,
  versions: `SELECT entry_id FROM entry_versions GROUP BY environment_id, entry_id, locale
    HAVING count(DISTINCT version_num) <> max(version_num)`,
  published: `SELECT l.entry_id FROM entry_locales l FULL JOIN published_entries p
    ON (p.environment_id, p.entry_id, p.locale) = (l.environment_id, l.entry_id, l.locale)
    WHERE l.published_version IS DISTINCT FROM p.version`,
  audit: `SELECT e.id FROM entries e WHERE NOT EXISTS (SELECT FROM audit_events a
    WHERE a.target ->> 'id' = e.id::text AND a.action = 'entry.create')`,
  outbox: `SELECT e.id FROM entries e JOIN entry_locales l ON l.entry_id = e.id WHERE
    (l.published_version IS NOT NULL) <> EXISTS (SELECT FROM outbox_events o
      WHERE o.type = 'entry.published' AND o.payload::text LIKE '%' || e.id || '%')`,
} as const;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'headwater-killed-backup-'));
  await mkdir(inFolder('data'));
  [app, target] = await Promise.all([
    startTestApp({ media: { ...testMedia(), directory: path.join(folder, 'data/media') } }),
    startTestServer(),
  ]);
  await asSuperuser("CREATE ROLE content_owner LOGIN CREATEROLE PASSWORD 'secret'");
  project = await createProject(app);
  await createArticleTypes(app, project);
  for (let number = 0; number < 6; number += 1)
    await uploadAsset(app, project, {
      file: { fileName: `${String(number)}.png`, content: png(1200, 900).toString('base64') },
    });
}, 120_000);

afterAll(async () => {
  await app.close();
  await target.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('Backup and restore that are disturbed', () => {
  verifies('operation/backup');

  it('have one committed moment of a service that writes 20 times a second', async () => {
    const writers = new Writers();
    await delay(3000);
    const before = [...writers.acknowledged];
    const file = inFolder('under-writes.backup');
    const backup = await runCommand(app.databaseUrl, ['backup', file], settingsOf('data'));
    expect(backup).toMatchObject({ code: 0 });
    await delay(500);
    await writers.stop();

    const url = await emptyDatabase('under_writes');
    expect(await runCommand(url, ['restore', file], settingsOf('under-writes'))).toMatchObject({ code: 0 });
    for (const [what, sql] of Object.entries(contradictions))
      expect({ what, rows: await asSuperuser(sql, 'under_writes') }).toEqual({ what, rows: [] });
    const titles = await asSuperuser<{ title: string }>(
      'SELECT title FROM entry_locales l JOIN published_entries p USING (environment_id, entry_id, locale)',
      'under_writes',
    );
    const restored = new Set(titles.map(({ title }) => title));
    expect(before.length).toBeGreaterThan(0);
    expect(before.filter((title) => !restored.has(`${title} again`))).toEqual([]);
    expect(restored.size).toBeLessThan(writers.acknowledged.length);
    expect(await runCommand(url, ['rebuild', '--check'])).toMatchObject({ code: 0 });
    expect(await runCommand(url, ['audit', '--verify'])).toMatchObject({ code: 0 });
  }, 120_000);

  it('leave a backup that was killed unfinished, which a restore refuses and the next backup names', async () => {
    const url = await emptyDatabase('refusing');
    const first = inFolder('first.backup');
    const seconds = await secondsOf(() => runCommand(app.databaseUrl, ['backup', first], settingsOf('data')));
    await mkdir(inFolder('killed'));
    for (const moment of MOMENTS) {
      const args = ['backup', inFolder(`killed/${String(moment)}.backup`)] as const;
      await killAfter(seconds * moment, { url: app.databaseUrl, args, directory: 'data' });
    }
    const left = await readdir(inFolder('killed'));
    const unfinished = left.filter((name) => name.endsWith('.partial'));
    expect(unfinished.length).toBeGreaterThan(0);
    for (const name of left) {
      const restored = await runCommand(url, ['restore', inFolder(`killed/${name}`)], settingsOf('refused'));
      expect(restored).toEqual(
        name.endsWith('.partial')
          ? { code: 1, output: expect.stringContaining('is not finished: its backup was stopped') }
          : { code: 0, output: expect.stringContaining('Restored ') },
      );
    }
    const next = await runCommand(app.databaseUrl, ['backup', inFolder('killed/next')], settingsOf('data'));
    for (const name of unfinished) expect(next.output).toContain(`still runs: ${name}`);
  }, 300_000);

  it('start a restore that was killed from its beginning, with the same result', async () => {
    const file = inFolder('first.backup');
    const undisturbed = await emptyDatabase('undisturbed');
    const seconds = await secondsOf(() =>
      runCommand(undisturbed, ['restore', file], settingsOf('undisturbed')),
    );
    const url = await emptyDatabase('killed');
    for (const moment of MOMENTS) {
      await killAfter(seconds * moment, { url, args: ['restore', file], directory: 'killed-data' });
      const again = await runCommand(url, ['restore', file], settingsOf('killed-data'));
      const isWhole = again.output.includes('The database is not empty');
      expect(again).toEqual({ code: isWhole ? 1 : 0, output: expect.stringContaining('from its beginning') });
      expect(await countRows('killed')).toEqual(await countRows('undisturbed'));
      await asSuperuser('DROP DATABASE killed WITH (FORCE)');
      await emptyDatabase('killed');
    }
  }, 300_000);
});
