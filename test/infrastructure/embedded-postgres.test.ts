import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/infrastructure/postgres/embedded-postgres.js';

const holder = path.resolve('test/support/hold-embedded-postgres.ts');

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('the embedded database', () => {
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const dataDirectory = path.join(tmpdir(), `headwater-embedded-${randomUUID()}`);
  const start = () => startEmbeddedPostgres({ dataDirectory, log });

  async function holdInAnotherProcess() {
    const child = spawn(process.execPath, ['--import', 'tsx', holder, dataDirectory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const kill = async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    };
    return { ownerUrl: line.trim(), kill };
  }

  beforeAll(async () => {
    const first = await start();
    await query(first.ownerUrl, 'CREATE TABLE kept AS SELECT 1 AS value');
    await first.stop();
  });

  afterAll(async () => {
    await rm(dataDirectory, { recursive: true, force: true });
  });

  it('keeps data across restarts of the embedded database', async () => {
    const { ownerUrl, stop } = await start();
    expect(await query(ownerUrl, 'SELECT value FROM kept')).toEqual([{ value: 1 }]);
    await stop();
  });

  it('creates a UTF-8 database whose owner may create roles but is no superuser', async () => {
    const { ownerUrl, stop } = await start();
    const sql = `SELECT rolsuper, rolcreaterole, pg_encoding_to_char(encoding) AS encoding
      FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`;
    expect(await query(ownerUrl, sql)).toEqual([{ rolsuper: false, rolcreaterole: true, encoding: 'UTF8' }]);
    await stop();
  });

  it('keeps the database passwords private and listens on loopback only', async () => {
    for (const name of ['superuser-password', 'owner-password']) {
      expect((await stat(path.join(dataDirectory, name))).mode & 0o777).toBe(0o600);
    }
    const { ownerUrl, stop } = await start();
    expect(await query(ownerUrl, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    await stop();
  });

  it('logs problems of the database by severity and SQL state, without statements and values', async () => {
    const { ownerUrl, stop } = await start();
    const forged =
      'marker\n2026-01-01 00:00:00.000 UTC [1] 00000 LOG:  marker\r2026-01-01 00:00:00.000 UTC [1] 00000 LOG:  marker';
    const failing: [state: string, sql: string, values: string[]][] = [
      ['22P02', 'SELECT $1::uuid', [forged]],
      ['23505', "CREATE TEMP TABLE t (v text UNIQUE); INSERT INTO t VALUES ('marker'), ('marker')", []],
      ['42601', "SELEC 'marker'", []],
      [
        'P0001',
        "DO $$ BEGIN RAISE WARNING E'marker\nmarker'; RAISE EXCEPTION 'marker' USING DETAIL = 'marker'; END $$",
        [],
      ],
    ];
    for (const [code, sql, values] of failing) {
      const client = new pg.Client({ connectionString: ownerUrl });
      await client.connect();
      await expect(client.query(sql, values.length > 0 ? values : undefined)).rejects.toMatchObject({ code });
      await client.end();
    }
    await stop();
    for (const [code] of failing)
      expect(lines.filter((line) => line.endsWith(` ERROR: SQL state ${code}`))).toHaveLength(1);
    expect(lines.filter((line) => line.endsWith(' WARNING: SQL state 01000'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('ready to accept connections'))).not.toEqual([]);
    expect(lines.filter((line) => /marker|SELEC|INSERT/i.test(line))).toEqual([]);
  });

  it('rejects a second process in one line, shares on request, and takes over the database of a killed process', async () => {
    const first = await holdInAnotherProcess();
    await expect(start()).rejects.toThrow(
      /^The data directory .* is in use by process \d+: stop it, or set HEADWATER_DATA_DIR/,
    );
    const shared = await startEmbeddedPostgres({ dataDirectory, log, whenInUse: 'share' });
    expect(shared.ownerUrl).toBe(first.ownerUrl);
    await shared.stop();
    await first.kill();

    const { ownerUrl, stop } = await start();
    expect(lines.some((line) => line.startsWith('Stopping the database that an earlier process left'))).toBe(
      true,
    );
    expect(await query(ownerUrl, 'SELECT value FROM kept')).toEqual([{ value: 1 }]);
    await stop();
  });

  it('recovers a database that was killed together with its process', async () => {
    const first = await holdInAnotherProcess();
    const [pid] = (await readFile(path.join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8')).split(
      '\n',
    );
    await first.kill();
    process.kill(Number(pid), 'SIGKILL');

    const { ownerUrl, stop } = await start();
    expect(await query(ownerUrl, 'SELECT value FROM kept')).toEqual([{ value: 1 }]);
    await stop();
  });
});

const isRoot = process.getuid?.() === 0;

(isRoot ? describe : describe.skip)(
  'The embedded database in a directory closed to its user (root only)',
  () => {
    it("keeps the cluster where the database's user can reach it", async () => {
      const closed = await mkdtemp(path.join(tmpdir(), 'headwater-closed-'));
      const said: string[] = [];
      const open = () =>
        startEmbeddedPostgres({ dataDirectory: path.join(closed, 'data'), log: (line) => said.push(line) });
      const first = await open();
      await query(first.ownerUrl, 'CREATE TABLE kept AS SELECT 2 AS value');
      await first.stop();
      const second = await open();
      expect(await query(second.ownerUrl, 'SELECT value FROM kept')).toEqual([{ value: 2 }]);
      await second.stop();
      const home = /is kept in (.*)\.$/.exec(said.find((line) => line.includes('is kept in')) ?? '')?.[1];
      expect(home).toBeDefined();
      await rm(home ?? closed, { recursive: true, force: true });
      await rm(closed, { recursive: true, force: true });
    });
  },
);
