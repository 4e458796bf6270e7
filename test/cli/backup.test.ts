import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { importPages } from '../../src/cli/import/import-pages.js';
import { startBeside } from '../support/app.js';
import { createProject } from '../support/factories/project.js';
import { createArticleTypes, createEntry, publish } from '../support/factories/content.js';
import { runCommand } from '../support/service-process.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { verifies } from '../support/verifies.js';
import { adminOf, openCliHost, type CliHost } from './cli-host.js';
import { documentsOf } from './documents.js';

const shared = path.resolve('../shared/corpus/debian-faq.jsonl');
const corpus = existsSync(shared) ? shared : path.resolve('test/fixtures/pages.jsonl');
const noProgress = { start: () => undefined, advance: () => undefined, stop: () => undefined };
const projectSlug = 'restored';

let host: CliHost;
let server: TestServer;
let folder: string;
let file: string;

/** The first pages of the corpus, with every locale. */
async function firstPages(lines: number): Promise<string> {
  const target = path.join(folder, 'pages.jsonl');
  const text = (await readFile(corpus, 'utf8')).trim().split('\n').slice(0, lines).join('\n');
  await writeFile(target, `${text}\n`);
  return target;
}

async function asSuperuser(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server.superuserUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** An empty database of an owner in the empty cluster. */
async function newOwner(name: string, rights: string): Promise<string> {
  await asSuperuser(
    `CREATE ROLE ${name} LOGIN ${rights} PASSWORD 'secret'`,
    `CREATE DATABASE ${name} OWNER ${name}`,
  );
  const url = new URL(server.superuserUrl);
  Object.assign(url, { username: name, password: 'secret', pathname: `/${name}` });
  return url.href;
}

const restore = (url: string, from: string) => runCommand(url, ['restore', from]);

beforeAll(async () => {
  [host, server, folder] = await Promise.all([
    openCliHost(),
    startTestServer(),
    mkdtemp(path.join(tmpdir(), 'headwater-backup-')),
  ]);
  const report = await importPages({
    client: await adminOf(host),
    file: await firstPages(200),
    destination: { project: projectSlug, site: 'main', tenant: undefined },
    isPublishing: true,
    concurrency: 6,
    progress: noProgress,
  });
  expect(report.problems).toEqual(new Map());
  const other = await createProject(host);
  await createArticleTypes(host, other);
  const { id } = await createEntry(host, other, {
    contentTypeApiName: 'article',
    fields: { title: 'Tab\t\\. \n' },
  });
  await publish(host, other, id);
  await host.composition.jobs.sealAudit();
  file = path.join(folder, 'headwater.backup');
  const { code, output } = await runCommand(host.databaseUrl, ['backup', file]);
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
}, 240_000);

afterAll(async () => {
  await Promise.all([host.close(), server.stop()]);
  await rm(folder, { recursive: true, force: true });
});

describe('npm run backup and npm run restore', () => {
  verifies('ops-backup');

  it('restore every document with its ETag, the read model and the audit chains in an empty cluster', async () => {
    const url = await newOwner('restored_owner', 'CREATEROLE');
    const before = await documentsOf(host, projectSlug);
    expect(before.size).toBeGreaterThanOrEqual(existsSync(shared) ? 200 : 3);
    expect(await restore(url, file)).toMatchObject({ code: 0 });
    const beside = await startBeside({ ...host, databaseUrl: url });
    try {
      expect(await documentsOf(beside, projectSlug)).toEqual(before);
    } finally {
      await beside.close();
    }
    expect(await runCommand(url, ['rebuild', '--check'])).toMatchObject({ code: 0 });
    const audit = await runCommand(url, ['audit', '--verify']);
    expect(audit).toEqual(await runCommand(host.databaseUrl, ['audit', '--verify']));
    expect(audit).toMatchObject({
      code: 0,
      output: expect.stringMatching(/ [1-9]\d* records.*\n\d+ chains, 0 broken/),
    });
  }, 120_000);

  it('refuse a database with rows and change nothing', async () => {
    const answer = await restore(host.databaseUrl, file);
    expect(answer).toEqual({ code: 1, output: expect.stringContaining('The database is not empty') });
    expect((await documentsOf(host, projectSlug)).size).toBeGreaterThan(0);
  });

  it('name the SQL for a superuser where the owner may not create the roles', async () => {
    await asSuperuser('DROP DATABASE IF EXISTS restored_owner WITH (FORCE)');
    for (const role of ['headwater_service', 'headwater_reader'])
      await asSuperuser(`DROP ROLE IF EXISTS ${role}`);
    const url = await newOwner('plain_owner', '');
    const { code, output } = await restore(url, file);
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/lacks the roles .* plain_owner lacks CREATEROLE/),
    ]);
    const [, sql = ''] = /superuser: (.*;) Then/.exec(output) ?? [];
    await asSuperuser(sql);
    expect(await restore(url, file)).toMatchObject({ code: 0 });
    expect(await runCommand(url, ['rebuild', '--check'])).toMatchObject({ code: 0 });
  });

  it('refuse damaged, incomplete and foreign files and leave the database empty', async () => {
    const url = await newOwner('careful_owner', 'CREATEROLE');
    const content = gunzipSync(await readFile(file)).toString('latin1');
    const variants = {
      'is damaged': gzipSync(
        Buffer.from(content.replace('\tAdministrator\t', '\tadministrator\t'), 'latin1'),
      ),
      'ends too early': gzipSync(Buffer.from(content.slice(0, content.length / 2), 'latin1')),
      'not a backup of headwater': Buffer.from('hello'),
      'newer release': gzipSync(Buffer.from(content.replace('"0001-roles"', '"0001-other"'), 'latin1')),
      'columns of tenants': gzipSync(
        Buffer.from(content.replace('"table":"api_keys"', '"table":"tenants"'), 'latin1'),
      ),
    };
    for (const [message, bytes] of Object.entries(variants)) {
      const bad = path.join(folder, 'bad.backup');
      await writeFile(bad, bytes);
      expect(await restore(url, bad)).toEqual({ code: 1, output: expect.stringContaining(message) });
    }
    expect(await restore(url, file)).toMatchObject({ code: 0 });
  });

  it('write a complete file that only its owner can read, and never replace one', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await runCommand(host.databaseUrl, ['backup', file])).toMatchObject({ code: 1 });
    const into = await mkdtemp(path.join(folder, 'dated-'));
    expect(await runCommand(host.databaseUrl, ['backup', into])).toMatchObject({ code: 0 });
    expect(await readdir(into)).toEqual([
      expect.stringMatching(/^headwater-\d{4}-\d\d-\d\dT[\d-]+Z\.backup$/),
    ]);
  });
});
