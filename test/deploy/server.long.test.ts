import { execFile, spawnSync } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import packageJson from '../../package.json' with { type: 'json' };
import { serverSteps } from '../documentation/declared-commands.js';
import { hasNginx } from '../support/optional-servers.js';
import { ServiceProcess } from '../support/service-process.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { verifies } from '../support/verifies.js';
import { startNginx, type Front } from './front.js';
import { makeNextRelease, NEXT_MIGRATION, NEXT_VERSION } from './next-release.js';

const run = promisify(execFile);
const hasClients = ['psql', 'createdb'].every((name) => spawnSync(name, ['--version']).status === 0);

let folder: string;
let root: string;
let server: TestServer;
let front: Front | undefined;

/** A command that the machine of a test does not have, or must not run. */
async function tool(name: string, script: string): Promise<void> {
  const file = path.join(folder, 'tools', name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}

/** A place of the machine, which is in a folder here. */
const place = (name: string): string => path.join(root, name);

/** Runs a step of the page with a folder in place of the root of the machine; returns what it prints. */
async function step(heading: string): Promise<string> {
  const code = serverSteps.get(heading);
  if (code === undefined) throw new Error(`The page has no step “${heading}”.`);
  const { port } = new URL(server.superuserUrl);
  const script = code
    .replaceAll('127.0.0.1/', `127.0.0.1:${port}/`)
    .replaceAll(/(?<=^|[\s=])\/(?=(?:opt|etc|var|usr\/local)\/)/gm, `${root}/`);
  const PATH = [path.join(folder, 'tools'), place('usr/local/bin'), process.env.PATH].join(':');
  const work = path.join(folder, 'work');
  const env = {
    HOME: process.env.HOME,
    PATH,
    CURL_HOME: folder,
    NODE_EXTRA_CA_CERTS: path.join(work, 'cms.example.com.pem'),
    npm_config_prefer_offline: 'true',
  };
  const options = { cwd: work, env, maxBuffer: 50_000_000 };
  return run('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script], options).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`The step “${heading}” failed:\n${stdout}${stderr}`);
    },
  );
}

/** What systemd does: starts the installed command with the settings of the page. @returns the api */
async function startUnits(): Promise<{ readonly api: ServiceProcess; stop(): Promise<void> }> {
  const file = await readFile(place('etc/headwater/headwater.env'), 'utf8');
  const settings = [...file.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value] as const);
  const env = Object.fromEntries(settings) as Record<string, string>;
  const command = await realpath(place('usr/local/bin/headwater'));
  const start = (role: string) =>
    ServiceProcess.start(env.DATABASE_URL ?? '', { ...env, HEADWATER_ROLE: role, PUBLIC_BASE_URL: '' }, [
      command,
      'start',
    ]);
  const [api, worker] = [await start('api'), await start('worker')];
  const stop = async (): Promise<void> => {
    for (const service of [api, worker])
      expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  };
  return { api, stop };
}

async function makePackages(): Promise<void> {
  const next = await makeNextRelease(path.join(folder, 'sources'));
  for (const [sources, version] of [
    [process.cwd(), packageJson.version],
    [next, NEXT_VERSION],
  ] as const) {
    const out = path.join(folder, `made-${version}`);
    await run(process.execPath, ['src/cli/package.js', '--no-embedded', '--out', out], { cwd: sources });
    const name = `headwater-${version}.tgz`;
    await copyFile(path.join(out, name), path.join(folder, 'work', name));
  }
}

/** The shipped nginx on a free port, which curl and the doctor find. */
async function openFront({ url }: ServiceProcess): Promise<void> {
  front = await startNginx(url);
  const work = path.join(folder, 'work');
  const certificate = path.join(work, 'cms.example.com.pem');
  await writeFile(certificate, front.certificate);
  await writeFile(path.join(work, 'cms.example.com.key'), '');
  const target = `127.0.0.1:${String(front.ports.https)}`;
  const curl = `silent\ncacert = "${certificate}"\nconnect-to = "cms.example.com:443:${target}"\n`;
  await writeFile(path.join(folder, '.curlrc'), curl);
  const settings = place('etc/headwater/headwater.env');
  const file = await readFile(settings, 'utf8');
  await writeFile(settings, file.replace('//cms.example.com', `//${target}`));
}

(hasNginx && hasClients ? describe : describe.skip)('The page for a server (needs nginx and psql)', () => {
  verifies('operation/upgrades', 'operation/proxies', 'operation/backup');

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'headwater-server-'));
    root = path.join(folder, 'root');
    const places = ['usr/local/bin', 'etc/systemd/system', 'etc/nginx/conf.d'];
    for (const name of ['tools', 'work', ...places.map((one) => `root/${one}`)])
      await mkdir(path.join(folder, name), { recursive: true });
    server = await startTestServer();
    const { hostname, port, username, password } = new URL(server.superuserUrl);
    const superuser = `PGHOST=${hostname} PGPORT=${port} PGUSER=${username} PGPASSWORD=${password}`;
    await tool('runuser', `user=$2; shift 3; [ $user != postgres ] || export ${superuser}; exec "$@"`);
    await tool('systemctl', `echo "$@" >> ${path.join(folder, 'systemctl.log')}`);
    for (const name of ['useradd', 'nginx']) await tool(name, 'exit 0');
    // The machine may not have the user.
    await tool('install', 'for one; do case "$one" in /*) mkdir -p "$one";; esac; done');
    await makePackages();
  }, 300_000);

  afterAll(async () => {
    await front?.stop();
    await ServiceProcess.killAll();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('leads from the package to a service with TLS, to a backup, a restore and an upgrade', async () => {
    await step('Install');
    const created = await step('Database and settings');
    expect(created).toContain('Created the super-admin you@example.com. Password: ');
    await step('Start');
    const before = await startUnits();
    await openFront(before.api);
    expect(await step('TLS')).toContain('"status":"ready"');
    expect(await step('Back up and restore')).toMatch(/Restored \d+ rows[^]*\n1 chains, 0 broken/);

    const upgraded = await step('Upgrade');
    expect(upgraded).toContain('ALTER TABLE entries ADD COLUMN added_later');
    expect(upgraded).toContain(`Applied ${NEXT_MIGRATION}`);
    expect((await front?.send('/readyz'))?.status).toBe(200);
    await before.stop();
    const after = await startUnits();
    expect((await fetch(`${after.api.url}/readyz`)).status).toBe(200);
    expect(await realpath(place('usr/local/bin/headwater'))).toContain(`/${NEXT_VERSION}/`);
    await after.stop();
    const units = 'headwater@api headwater@worker\n';
    const calls = `enable --now ${units}reload nginx\nrestart ${units}`;
    expect(await readFile(path.join(folder, 'systemctl.log'), 'utf8')).toBe(calls);
  });
});
