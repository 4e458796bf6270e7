import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import {
  freePort,
  startServer,
  type PostgresServer,
} from '../../src/infrastructure/postgres/postgres-server.js';
import { archiveSettings, pointInTimeCommands } from '../documentation/declared-commands.js';
import { startBeside, type TestApp } from '../support/app.js';
import { must } from '../support/call.js';
import { createArticleTypes, createEntry, publish } from '../support/factories/content.js';
import { uploadAsset, type TestAsset } from '../support/factories/media.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { hasPostgresTools, installedPostgres } from '../support/installed-postgres.js';
import { runCommand } from '../support/service-process.js';
import { testMedia } from '../support/test-media.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

const run = promisify(execFile);
const OWNER = 'content_owner';
const PAGE_TIME = '2026-11-28 14:05:00+00';
const [takeCopy = '', restore = ''] = pointInTimeCommands;

let folder: string;
let primary: TestServer;
let second: PostgresServer | undefined;
let app: TestApp;
let project: TestProject;

/** As the page has it, with a folder in place of the other machine. */
const here = (text: string): string => text.replaceAll('/mnt/backups', path.join(folder, 'backups'));

const shell = (line: string, env: Readonly<Record<string, string>>) =>
  run('bash', ['--norc', '-eu', '-c', here(line)], { cwd: folder, env: { PATH: process.env.PATH, ...env } });

async function asSuperuser<Row>(sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: primary.superuserUrl });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** The files belong to who runs the server. */
async function giveToServer(...names: string[]): Promise<void> {
  const { account } = primary.cluster;
  if (account === undefined) return;
  await run('chown', ['-R', `${String(account.uid)}:${String(account.gid)}`, ...names]);
}

const databaseOn = (port: number | string): string => {
  const url = new URL(primary.superuserUrl);
  Object.assign(url, { username: OWNER, password: 'secret', pathname: '/content', port: String(port) });
  return url.href;
};

const mediaIn = (directory: string) => ({ ...testMedia(), directory: path.join(folder, directory, 'media') });

const rename = (id: string, version: number, title: string) =>
  must(app, {
    method: 'PUT',
    path: `${project.management}/entries/${id}`,
    key: project.keys.management,
    body: { version, fields: { title } },
  });

interface Delivered {
  readonly data: { readonly fields: { readonly title: string } };
}

async function titleOn(service: TestApp, id: string): Promise<unknown> {
  const answer = await service.request
    .get(`${project.delivery}/entries/${id}`)
    .set('Authorization', `Bearer ${project.keys.delivery}`);
  return answer.status === 200 ? (answer.body as Delivered).data.fields.title : answer.status;
}

/** Until the log of everything so far is in the archive. */
async function archiveAll(): Promise<void> {
  const [{ file = '' } = {}] = await asSuperuser<{ file: string }>(
    'SELECT pg_walfile_name(pg_switch_wal()) AS file',
  );
  await waitFor('the log is archived', async () => {
    const [found] = await asSuperuser<{ last: string | null }>(
      'SELECT last_archived_wal AS last FROM pg_stat_archiver',
    );
    return (found?.last ?? '') >= file;
  });
}

/** Starts a server over the restored folder, which replays the log until the moment. */
async function startRestored(moment: string): Promise<string> {
  const RESTORED = path.join(folder, 'restored');
  const env = { RESTORED, HEADWATER_DATA_DIR: path.join(folder, 'restored-data') };
  await shell(restore.replace(PAGE_TIME, moment), env);
  await giveToServer(RESTORED);
  const port = await freePort();
  second = await startServer({ ...primary.cluster, directory: RESTORED }, port);
  const client = new pg.Client({ connectionString: databaseOn(port) });
  await client.connect();
  await waitFor('the recovery ends', async () => {
    const { rows } = await client.query<{ replays: boolean }>('SELECT pg_is_in_recovery() AS replays');
    return rows[0]?.replays === false;
  });
  await client.end();
  return databaseOn(port);
}

const hasTools = installedPostgres !== undefined && hasPostgresTools('pg_basebackup');
(hasTools ? describe : describe.skip)(
  'The page on points in time (needs pg_basebackup and its server)',
  () => {
    verifies('operation/backup');

    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'headwater-moment-'));
      await chmod(folder, 0o711);
      for (const name of ['backups/wal', 'data/media', 'restored-data'])
        await mkdir(path.join(folder, name), { recursive: true });
      const settings = [...here(archiveSettings).matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(
        ([, name, value]) => `${String(name)}=${String(value)}`,
      );
      primary = await startTestServer({
        settings,
        ...(installedPostgres !== undefined && { binaries: installedPostgres }),
      });
      await giveToServer(path.join(folder, 'backups'));
      await asSuperuser(`CREATE ROLE ${OWNER} LOGIN CREATEROLE PASSWORD 'secret'`);
      await asSuperuser(`CREATE DATABASE content OWNER ${OWNER} TEMPLATE template0 ENCODING 'UTF8'`);
      const databaseUrl = databaseOn(new URL(primary.superuserUrl).port);
      expect(await runCommand(databaseUrl, ['migrate'])).toMatchObject({ code: 0 });
      app = await startBeside({ databaseUrl, media: mediaIn('data') });
      project = await createProject(app);
      await createArticleTypes(app, project);
    }, 300_000);

    afterAll(async () => {
      await app.close();
      await second?.stop();
      await primary.stop();
      await rm(folder, { recursive: true, force: true });
    });

    it('restores what was written before a moment after the base backup, with media, and nothing later', async () => {
      const draft = { contentTypeApiName: 'article', fields: { title: 'Before the base backup' } };
      const { id } = await createEntry(app, project, draft);
      await publish(app, project, id);
      const env = { REPLICATION_URL: primary.superuserUrl, HEADWATER_DATA_DIR: path.join(folder, 'data') };
      const [baseBackup = '', copyMedia = ''] = takeCopy.trim().split('\n');
      await shell(baseBackup, env);

      await rename(id, 1, 'Before the mistake');
      await publish(app, project, id);
      const asset: TestAsset = await uploadAsset(app, project);
      await app.composition.jobs.sealAudit();
      const [{ moment = '' } = {}] = await asSuperuser<{ moment: string }>(
        'SELECT clock_timestamp()::text AS moment',
      );
      await rename(id, 2, 'The mistake');
      await publish(app, project, id);
      await shell(copyMedia, env);
      await archiveAll();

      const databaseUrl = await startRestored(moment);
      expect(await runCommand(databaseUrl, ['rebuild', '--check'])).toMatchObject({ code: 0 });
      const audit = await runCommand(databaseUrl, ['audit', '--verify']);
      expect(audit).toEqual({ code: 0, output: expect.stringMatching(/\d+ chains, 0 broken/) });
      const beside = await startBeside({ databaseUrl, media: mediaIn('restored-data') });
      try {
        expect([await titleOn(app, id), await titleOn(beside, id)]).toEqual([
          'The mistake',
          'Before the mistake',
        ]);
        const [own, other] = await Promise.all([app, beside].map((one) => one.request.get(asset.url)));
        expect([other?.status, other?.body]).toEqual([200, own?.body]);
      } finally {
        await beside.close();
      }
    });
  },
);
