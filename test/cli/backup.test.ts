import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { importPages } from '../../src/cli/import/import-pages.js';
import { startBeside } from '../support/app.js';
import { png, uploadAsset, type TestAsset } from '../support/factories/media.js';
import { createProject } from '../support/factories/project.js';
import { createArticleTypes, createEntry, publish } from '../support/factories/content.js';
import { runCommand } from '../support/service-process.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { verifies } from '../support/verifies.js';
import { adminOf, openCliHost, type CliHost } from './cli-host.js';
import { documentsOf } from './documents.js';
import { inLongRun, sampleOf } from '../support/extent.js';

const shared = path.resolve('../shared/corpus/debian-faq.jsonl');
const corpus = existsSync(shared) ? shared : path.resolve('test/fixtures/pages.jsonl');
const noProgress = { start: () => undefined, advance: () => undefined, stop: () => undefined };
const projectSlug = 'restored';

let host: CliHost;
let server: TestServer;
let folder: string;
let file: string;
let picture: TestAsset;
/** Settings of a command that finds the files of the service. */
let place: Readonly<Record<string, string>>;

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

/** Where restored files go. */
const restoredData = (): string => path.join(folder, 'restored');

const restore = (url: string, from: string) =>
  runCommand(url, ['restore', from], { HEADWATER_DATA_DIR: restoredData() });

const objectIn = (directory: string, { storageKey }: TestAsset): string =>
  path.join(directory, 'objects', storageKey);

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
  picture = await uploadAsset(host, other, {
    file: { fileName: 'large.png', content: png(900, 700).toString('base64') },
  });
  const data = await mkdtemp(path.join(folder, 'data-'));
  await symlink(host.media.directory, path.join(data, 'media'));
  place = { HEADWATER_DATA_DIR: data };
  await host.composition.jobs.sealAudit();
  file = path.join(folder, 'headwater.backup');
  const { code, output } = await runCommand(host.databaseUrl, ['backup', file], place);
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
}, 240_000);

afterAll(async () => {
  await Promise.all([host.close(), server.stop()]);
  await rm(folder, { recursive: true, force: true });
});

describe('npm run backup and npm run restore', () => {
  verifies('operation/backup');

  it('restore every document with its ETag, the read model and the audit chains in an empty cluster', async () => {
    const url = await newOwner('restored_owner', 'CREATEROLE');
    const before = await documentsOf(host, projectSlug);
    expect(before.size).toBeGreaterThanOrEqual(existsSync(shared) ? 200 : 3);
    expect(await restore(url, file)).toEqual({
      code: 0,
      output: expect.stringContaining('1 media files of '),
    });
    const media = { ...host.media, directory: path.join(restoredData(), 'media') };
    const beside = await startBeside({ databaseUrl: url, media });
    try {
      expect(await documentsOf(beside, projectSlug)).toEqual(before);
      const [own, other] = await Promise.all([host, beside].map((app) => app.request.get(picture.url)));
      expect([other?.status, other?.body]).toEqual([200, own?.body]);
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

  inLongRun(() => {
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
    }, 120_000);
  });

  it('refuse damaged, incomplete and foreign files and leave the database empty', async () => {
    const url = await newOwner('careful_owner', 'CREATEROLE');
    const content = gunzipSync(await readFile(file)).toString('latin1');
    const picturesBytes = (await readFile(objectIn(host.media.directory, picture))).toString('latin1');
    const inFile = content.indexOf(picturesBytes) + picturesBytes.length / 2;
    const variants = {
      'its hash differs': gzipSync(
        Buffer.from(`${content.slice(0, inFile)}\x00${content.slice(inFile + 1)}`, 'latin1'),
      ),
      'it ends too early': gzipSync(Buffer.from(content.slice(0, inFile), 'latin1')),
      'is damaged': gzipSync(
        Buffer.from(content.replace('\tAdministrator\t', '\tadministrator\t'), 'latin1'),
      ),
      'ends too early': gzipSync(Buffer.from(content.slice(0, content.length / 2), 'latin1')),
      'not a backup of headwater': Buffer.from('hello'),
      'newer release': gzipSync(Buffer.from(content.replace('"0001-tenants"', '"0001-other"'), 'latin1')),
      'columns of tenants': gzipSync(
        Buffer.from(content.replace('"table":"api_keys"', '"table":"tenants"'), 'latin1'),
      ),
    };
    for (const [message, bytes] of sampleOf(Object.entries(variants), 3)) {
      const bad = path.join(folder, 'bad.backup');
      await writeFile(bad, bytes);
      expect(await restore(url, bad)).toEqual({ code: 1, output: expect.stringContaining(message) });
    }
    expect(await restore(url, file)).toMatchObject({ code: 0 });
  }, 120_000);

  it('write a complete file that only its owner can read, and never replace one', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await runCommand(host.databaseUrl, ['backup', file])).toMatchObject({ code: 1 });
    const into = await mkdtemp(path.join(folder, 'dated-'));
    expect(await runCommand(host.databaseUrl, ['backup', into], place)).toMatchObject({ code: 0 });
    expect(await readdir(into)).toEqual([
      expect.stringMatching(/^headwater-\d{4}-\d\d-\d\dT[\d-]+Z\.backup$/),
    ]);
  });

  inLongRun(() => {
    it('back up no missing or damaged media file, unless told to, and say so when it is restored', async () => {
      const object = objectIn(host.media.directory, picture);
      const bytes = await readFile(object);
      const into = await mkdtemp(path.join(folder, 'lacking-'));
      const backup = (name: string, ...flags: string[]) =>
        runCommand(host.databaseUrl, ['backup', path.join(into, name), ...flags], place);
      try {
        for (const broken of [undefined, Buffer.alloc(bytes.length)]) {
          await (broken === undefined ? rm(object) : writeFile(object, broken));
          const refused = await backup('refused');
          expect(refused).toEqual({ code: 1, output: expect.stringContaining(picture.storageKey) });
        }
        expect(await readdir(into)).toEqual([]);
        const bare = await backup('bare', '--no-files');
        expect(bare).toEqual({ code: 0, output: expect.stringContaining('files are not in the backup') });
        expect(await backup('incomplete', '--incomplete')).toMatchObject({ code: 0 });
      } finally {
        await writeFile(object, bytes);
      }
      await rm(restoredData(), { recursive: true, force: true });
      const url = await newOwner('lacking_owner', 'CREATEROLE');
      const lacking = `damaged in the backup: ${picture.storageKey}`;
      const restored = await restore(url, path.join(into, 'incomplete'));
      expect(restored).toEqual({ code: 0, output: expect.stringContaining(lacking) });
      expect(existsSync(objectIn(path.join(restoredData(), 'media'), picture))).toBe(false);
    }, 120_000);
  });
});
