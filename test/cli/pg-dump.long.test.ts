import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { hasPostgresTools, installedPostgres } from '../support/installed-postgres.js';
import { environment, runCommand, ServiceProcess } from '../support/service-process.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { verifies } from '../support/verifies.js';
import { pgDumpCommands } from '../documentation/declared-commands.js';

const describeWithTools =
  installedPostgres !== undefined && hasPostgresTools('pg_dump', 'psql', 'pg_restore')
    ? describe
    : describe.skip;
const [dump, ...restoring] = pgDumpCommands;

let servers: TestServer[];
let folder: string;

async function owned(server: TestServer, owner: string): Promise<string> {
  const client = new pg.Client({ connectionString: server.superuserUrl });
  await client.connect();
  await client.query(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD 'secret'`);
  await client.query(`CREATE DATABASE content OWNER ${owner}`);
  await client.end();
  const url = new URL(server.superuserUrl);
  Object.assign(url, { username: owner, password: 'secret', pathname: '/content' });
  return url.href;
}

/** Not synchronous: the servers write to pipes of this process. */
async function shell(databaseUrl: string, line: string): Promise<void> {
  await promisify(execFile)('bash', ['-c', line], { cwd: folder, env: environment(databaseUrl, {}) });
}

interface Listed {
  readonly data: readonly { readonly _id: string }[];
}

/** Every article of the demo with its ETag, and the sitemap, from a service on this database. */
async function delivered(databaseUrl: string): Promise<unknown> {
  const service = await ServiceProcess.start(databaseUrl);
  try {
    const site = `${service.url}/api/delivery/projects/demo/sites/main/content/article`;
    const list = (await (await fetch(`${site}?limit=100`)).json()) as Listed;
    const found: unknown[] = [];
    for (const { _id } of list.data) {
      const answer = await fetch(`${service.url}/api/delivery/projects/demo/sites/main/entries/${_id}`);
      found.push([answer.status, answer.headers.get('etag'), await answer.json()]);
    }
    return found;
  } finally {
    await service.kill('SIGTERM');
  }
}

describeWithTools('Dumping and restoring with the tools of PostgreSQL', () => {
  verifies('operation/backup');
  let source: string;
  let before: unknown;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'headwater-dump-'));
    servers = [];
    for (let count = 0; count < 3; count += 1)
      servers.push(
        await startTestServer({ ...(installedPostgres !== undefined && { binaries: installedPostgres }) }),
      );
    source = await owned(servers[0]!, 'content_owner');
    expect(await runCommand(source, ['migrate'])).toMatchObject({ code: 0 });
    expect(await runCommand(source, ['seed'], { HEADWATER_DATA_DIR: folder })).toMatchObject({ code: 0 });
    before = await delivered(source);
    expect(before).toEqual(expect.arrayContaining([[200, expect.any(String), expect.anything()]]));
    await shell(source, dump);
  }, 180_000);

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  });

  it('restores every document in an empty cluster by the documented commands', async () => {
    const target = await owned(servers[1]!, 'content_owner');
    for (const line of restoring) await shell(target, line);
    expect(await runCommand(target, ['migrate'])).toEqual({
      code: 0,
      output: expect.stringContaining('No pending migrations.'),
    });
    expect(await delivered(target)).toEqual(before);
    expect(await runCommand(target, ['rebuild', '--check'])).toMatchObject({ code: 0 });
    expect(await runCommand(target, ['audit', '--verify'])).toMatchObject({ code: 0 });
  }, 120_000);

  it('names and restores what a restore under another owner without the roles has lost', async () => {
    const target = await owned(servers[2]!, 'other_owner');
    const restore = shell(target, 'pg_restore --no-owner --dbname "$DATABASE_URL" headwater.dump');
    await expect(restore).rejects.toThrow('headwater_service');
    await expect(ServiceProcess.start(target)).rejects.toThrow(
      /lacks the roles headwater_service and headwater_reader: run npm run migrate/,
    );
    const { code, output } = await runCommand(target, ['migrate']);
    expect([code, output]).toEqual([
      0,
      expect.stringContaining('GRANT SELECT ON routes TO headwater_reader;'),
    ]);
    expect(output).toContain('CREATE ROLE headwater_reader');
    expect(output).toContain('CREATE POLICY delivered');
    expect(output).toContain('CREATE POLICY hits_counted');
    expect(await delivered(target)).toEqual(before);
    await shell(target, dump.replace('headwater.dump', 'again.dump'));
  }, 120_000);
});
