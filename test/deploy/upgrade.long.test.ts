import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { installService, type InstalledService } from '../support/installed-packages.js';
import { environment, ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-postgres.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';
import { makeNextRelease, NEXT_MIGRATION, NEXT_VERSION } from './next-release.js';

const run = promisify(execFile);
let folder: string;
let database: TestDatabase;
let present: InstalledService;
let next: InstalledService;
let management: string;
let delivery: string;
let siteId: string;
let settings: Readonly<Record<string, string>>;

/** A command of an installed version; what it prints is complete also when it fails. */
async function command(of: InstalledService, ...args: string[]): Promise<{ code: number; output: string }> {
  const options = { cwd: of.directory, env: environment(database.url, settings) };
  return run(process.execPath, [of.command, ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      output: stdout + stderr,
    }),
  );
}

const start = (of: InstalledService): Promise<ServiceProcess> =>
  ServiceProcess.start(database.url, settings, [of.command, 'start']);

interface Answer {
  readonly status: number;
  readonly body: string;
}

async function call({ url }: ServiceProcess, method: string, place: string, body?: object): Promise<Answer> {
  const response = await fetch(`${url}/api/v1/projects/demo${place}`, {
    method,
    headers: { Authorization: `Bearer ${management}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.text() };
}

const dataOf = <T>({ body }: Answer): T => (JSON.parse(body) as { data: T }).data;

async function published({ url }: ServiceProcess, id: string): Promise<string | undefined> {
  const response = await fetch(`${url}/api/delivery/projects/demo/sites/main/entries/${id}`, {
    headers: { Authorization: `Bearer ${delivery}` },
  });
  if (response.status !== 200) return undefined;
  return ((await response.json()) as { data: { fields: { title: string } } }).data.fields.title;
}

async function newNote(service: ServiceProcess, title: string): Promise<string> {
  const made = await call(service, 'POST', '/entries', {
    contentTypeApiName: 'note',
    siteId,
    fields: { title },
  });
  if (made.status !== 201) throw new Error(`${String(made.status)} ${made.body}`);
  const { id } = dataOf<{ id: string }>(made);
  await call(service, 'POST', `/entries/${id}/publish`, {});
  return id;
}

/** Creates, changes and publishes until it is stopped, by three writers. */
class Load {
  readonly failures: string[] = [];
  written = 0;
  #isOver = false;
  readonly #writers: Promise<unknown>;

  constructor(private readonly service: ServiceProcess) {
    this.#writers = Promise.all([this.#write(), this.#write(), this.#write()]);
  }

  /** Until some more writes have succeeded. */
  async goesOn(): Promise<void> {
    const before = this.written;
    await waitFor('writes go on', () => {
      expect(this.failures).toEqual([]);
      return this.written > before + 10;
    });
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#writers;
  }

  async #write(): Promise<void> {
    while (!this.#isOver) {
      const made = await this.#send('POST', '/entries', {
        contentTypeApiName: 'note',
        siteId,
        fields: { title: 'One' },
      });
      if (made === undefined) continue;
      const { id } = dataOf<{ id: string }>(made);
      await this.#send('PUT', `/entries/${id}`, { version: 1, fields: { title: 'Two' } });
      await this.#send('POST', `/entries/${id}/publish`, {});
    }
  }

  async #send(method: string, place: string, body: object): Promise<Answer | undefined> {
    const answer = await call(this.service, method, place, body).catch((error: unknown) => ({
      status: 0,
      body: String(error),
    }));
    if (answer.status >= 200 && answer.status < 300) {
      this.written += 1;
      return answer;
    }
    this.failures.push(`${method} ${place}: ${String(answer.status)} ${answer.body}`);
    return undefined;
  }
}

async function asOwner(sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'headwater-upgrade-'));
  const places = ['present', 'next'].map((name) => path.join(folder, name));
  await Promise.all(places.map((place) => mkdir(place)));
  database = await createTestDatabase();
  present = await installService(process.cwd(), path.join(folder, 'present'));
  next = await installService(await makeNextRelease(path.join(folder, 'sources')), path.join(folder, 'next'));
  settings = { HEADWATER_DATA_DIR: path.join(folder, 'data'), RATE_LIMITS: '0' };
  for (const name of ['migrate', 'seed']) expect(await command(present, name)).toMatchObject({ code: 0 });
  const file = path.join(folder, 'data/credentials.json');
  const { keys } = JSON.parse(await readFile(file, 'utf8')) as { keys: Record<string, string> };
  management = keys.management ?? '';
  delivery = keys.delivery ?? '';
}, 600_000);

afterAll(async () => {
  await ServiceProcess.killAll();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

describe('An upgrade from one package to the next, beside each other on one database', () => {
  verifies('operation/upgrades');

  it('loses no write: not by a migration that fails, nor by one that succeeds', async () => {
    expect(next.manifest.version).toBe(NEXT_VERSION);
    const old = await start(present);
    const type = {
      name: 'Note',
      apiName: 'note',
      fields: [{ apiName: 'title', name: 'Title', type: 'text' }],
    };
    expect(await call(old, 'POST', '/content-types', type)).toMatchObject({ status: 201 });
    const sites = dataOf<{ id: string; slug: string }[]>(await call(old, 'GET', '/sites'));
    siteId = sites.find(({ slug }) => slug === 'main')?.id ?? '';
    const load = new Load(old);
    await load.goesOn();

    await expect(start(next)).rejects.toThrow(NEXT_MIGRATION);
    const plan = await command(next, 'migrate', '--plan');
    expect(plan.output).toContain('ACCESS EXCLUSIVE on entries: readers and writers wait');
    expect(plan.output).toContain('ALTER TABLE entries ADD COLUMN added_later');

    await asOwner('CREATE TABLE not_yet ()');
    expect(await command(next, 'migrate')).toEqual({ code: 1, output: expect.stringContaining('not yet') });
    expect(await asOwner("SELECT FROM pg_attribute WHERE attname = 'added_later'")).toEqual([]);
    const second = await start(present);
    await newNote(second, 'After the failure');
    await load.goesOn();

    await asOwner('DROP TABLE not_yet');
    const migrated = await command(next, 'migrate');
    expect(migrated).toEqual({ code: 0, output: expect.stringContaining(`Applied ${NEXT_MIGRATION}`) });
    await load.goesOn();

    const fresh = await start(next);
    const other = new Load(fresh);
    await Promise.all([load.goesOn(), other.goesOn()]);
    for (const [writer, reader] of [
      [fresh, old],
      [old, fresh],
    ] as const) {
      const id = await newNote(writer, 'From the other version');
      await waitFor('the other version shows it', async () => (await published(reader, id)) !== undefined);
    }

    // A return to the version before, on the schema of the next one.
    const again = await start(present);
    await newNote(again, 'After a return');
    await Promise.all([load.goesOn(), other.goesOn()]);
    await load.stop();
    for (const service of [old, second, again])
      expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    await other.goesOn();
    await other.stop();
    expect({ old: load.failures, next: other.failures }).toEqual({ old: [], next: [] });

    const [counted] = await asOwner(
      "SELECT count(*)::int AS notes, count(*) FILTER (WHERE added_later = 7)::int AS filled FROM entries WHERE set_config('headwater.platform', 'on', false) = 'on'",
    );
    expect(counted?.notes).toBe(counted?.filled);
    expect(await fresh.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('leaves what the next version verifies: content, and the chain of audit records', async () => {
    for (const args of [
      ['rebuild', '--check'],
      ['audit', '--verify'],
    ] as const)
      expect(await command(next, ...args)).toMatchObject({ code: 0 });
  });
});
