import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createManagementClient, type ManagementClient } from '../../src/cli/client-package/index.js';
import { installClient, type InstalledClient } from '../cli/installed-client.js';
import { withNpmPackages } from '../support/installed-packages.js';
import { waitFor } from '../support/wait-for.js';
import { freePort } from './free-port.js';

const run = promisify(execFile);
const PAGE = '/stories/the-upper-lock';
const SECRET = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;

interface Starter {
  readonly name: string;
  readonly build: readonly string[];
  readonly start: (port: string) => readonly string[];
  /** What a redirect for good is in this framework. */
  readonly moved: number;
}

const starters: readonly Starter[] = [
  {
    name: 'astro',
    build: ['node_modules/astro/bin/astro.mjs', 'build'],
    start: () => ['--env-file=.env', 'dist/server/entry.mjs'],
    moved: 301,
  },
  {
    name: 'next',
    build: ['node_modules/next/dist/bin/next', 'build'],
    start: (port) => ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', port],
    moved: 308,
  },
];

const packages = new Map<string, string>();
for (const { name } of starters) {
  const folder = await withNpmPackages(path.resolve('test/examples/starters', name));
  if (folder !== undefined) packages.set(name, folder);
}

let client: InstalledClient | undefined;
let manage: ManagementClient;
let site: string;

afterAll(async () => {
  await client?.close();
  for (const folder of packages.values()) await rm(folder, { recursive: true, force: true });
});

const get = (at: string, cookie = '') => fetch(site + at, { redirect: 'manual', headers: { cookie } });
const textOf = async (at: string, cookie = '') => (await get(at, cookie)).text();

/** Writes the site into a folder, with the packages that were installed, and those of the client. */
async function writeSite({ name }: Starter, client: InstalledClient): Promise<string> {
  const place = ['--url', client.url, '--project', 'demo', '--site', 'main'];
  const keys = ['--key', client.keys.delivery, '--types-key', client.keys.management];
  await client.headwater('init', name, `${name}-site`, ...place, ...keys);
  const cwd = path.join(client.folder, `${name}-site`);
  await rename(path.join(packages.get(name) ?? '', 'node_modules'), path.join(cwd, 'node_modules'));
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...options], { cwd });
  const settings = path.join(cwd, '.env');
  const given = await readFile(settings, 'utf8');
  await writeFile(settings, given.replace('WEBHOOK_SECRET=""', `WEBHOOK_SECRET="${SECRET}"`));
  const env = { ...process.env, HEADWATER_KEY: client.keys.management };
  expect((await run('npm', ['run', 'types'], { cwd, env })).stdout).toContain('is up to date.');
  return cwd;
}

async function serveSite({ build, start }: Starter, cwd: string): Promise<ChildProcess> {
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    NODE_ENV: 'production',
    ASTRO_TELEMETRY_DISABLED: '1',
    NEXT_TELEMETRY_DISABLED: '1',
  };
  await run(process.execPath, build, { cwd, env, maxBuffer: 2 ** 26 });
  const port = await freePort();
  site = `http://127.0.0.1:${port}`;
  return spawn(process.execPath, start(port), {
    cwd,
    env: { ...env, HOST: '127.0.0.1', PORT: port },
    stdio: 'ignore',
  });
}

/** Headers of a delivery with the signature that the secret makes. */
async function purge(secret: string): Promise<number> {
  const at = String(Math.floor(Date.now() / 1000));
  const body = '{"event":"entry.published"}';
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`msg_1.${at}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-timestamp': at,
    'webhook-signature': `v1,${signature}`,
  };
  return (await fetch(`${site}/purge`, { method: 'POST', headers, body })).status;
}

async function mainSiteId(): Promise<string> {
  const { data: sites } = await manage.sites.list();
  return sites.find(({ slug }) => slug === 'main')?.id ?? '';
}

/** Changes the draft of the article at the path; returns its id. */
async function editArticle(title: string): Promise<string> {
  const { data: found } = await manage.entries.list({
    contentTypeApiName: ['article'],
    siteId: [await mainSiteId()],
    limit: 100,
  });
  const { id, version } = found.find(({ slug }) => slug === 'the-upper-lock') ?? { id: '', version: 0 };
  const { data: files } = await manage.media.list({ limit: 1 });
  await manage.entries.update({ id, version, fields: { title, picture: { _ref: files[0]?.id } } });
  return id;
}

/** The cookies of a preview session. */
async function enterPreview(): Promise<string> {
  const { data: session } = await manage.entries.previewSite({ siteId: await mainSiteId() });
  const entered = await get(
    `/preview?${new URLSearchParams({ path: PAGE, previewToken: session.token }).toString()}`,
  );
  expect([entered.status, entered.headers.get('location')]).toEqual([307, PAGE]);
  return entered.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
}

const headingOf = async (at: string, cookie = '') =>
  /<h1>([^<]*)<\/h1>/.exec(await textOf(at, cookie))?.[1]?.replace(/[\u200b-\u200d\u2060\u2063]/g, '');

for (const starter of starters) {
  const title = `The starter for ${starter.name} (needs its packages)`;
  (packages.has(starter.name) ? describe : describe.skip)(title, () => {
    let server: ChildProcess | undefined;

    beforeAll(async () => {
      client ??= await installClient();
      manage = createManagementClient({ url: client.url, project: 'demo', key: client.keys.management });
      server = await serveSite(starter, await writeSite(starter, client));
      await waitFor('the site listens', () =>
        fetch(`${site}/search`).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
    }, 600_000);
    afterAll(async () => {
      server?.kill();
      if (server?.exitCode === null && server.signalCode === null) await once(server, 'exit');
    });

    it('shows pages with rich text, redirects and search', async () => {
      const page = await textOf(PAGE);
      expect(page).toMatch(/<h1>[^<]*upper lock/i);
      expect(page).toMatch(/<h2>How to pass it<\/h2>/);
      expect((await get('/no/such/page')).status).toBe(404);
      expect(await textOf('/search?q=lock')).toContain(`href="${PAGE}"`);

      const source = `/old-lock-${starter.name}`;
      await manage.redirects.create({ siteId: await mainSiteId(), source, target: PAGE });
      const moved = await get(source);
      expect([moved.status, moved.headers.get('location')]).toEqual([starter.moved, PAGE]);
    }, 120_000);

    it('shows drafts in a preview, and publications with pictures once its webhook is called', async () => {
      const before = await headingOf(PAGE);
      const after = `The upper lock with ${starter.name}`;
      const id = await editArticle(after);
      expect(await headingOf(PAGE, await enterPreview())).toBe(after);

      await manage.entries.publish({ id });
      expect(await headingOf(PAGE)).toBe(before);
      expect(await purge(`whsec_${Buffer.from('another secret').toString('base64')}`)).toBe(401);
      expect(await headingOf(PAGE)).toBe(before);
      expect(await purge(SECRET)).toBe(204);
      expect(await headingOf(PAGE)).toBe(after);
      const [picture = ''] = /<img [^>]*>/.exec(await textOf(PAGE)) ?? [];
      expect(picture).toMatch(/ src="http[^"]*w=720/);
      expect(picture).toMatch(/ srcset="[^"]* 128w, [^"]*"/i);
    }, 120_000);
  });
}
