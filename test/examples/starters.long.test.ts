import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createManagementClient, type ManagementClient } from '../../src/cli/client-package/index.js';
import { installClient, type InstalledClient } from '../cli/installed-client.js';
import { withNpmPackages } from '../support/installed-packages.js';
import { waitFor } from '../support/wait-for.js';
import { freePort } from './free-port.js';

const run = promisify(execFile);
const SECRET = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;

const packages = await withNpmPackages(path.resolve('test/examples/starters/astro'));

let client: InstalledClient;
let manage: ManagementClient;
let server: ChildProcess | undefined;
let site: string;

const get = (at: string, cookie = '') => fetch(site + at, { redirect: 'manual', headers: { cookie } });
const textOf = async (at: string, cookie = '') => (await get(at, cookie)).text();

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

const describeInstalled = packages === undefined ? describe.skip : describe;

describeInstalled('The starter for Astro (needs its packages)', () => {
  beforeAll(async () => {
    client = await installClient();
    manage = createManagementClient({ url: client.url, project: 'demo', key: client.keys.management });
    const place = ['--url', client.url, '--project', 'demo', '--site', 'main', '--key', client.keys.delivery];
    await client.headwater('init', 'astro', 'site', ...place);
    const cwd = path.join(client.folder, 'site');
    await rename(path.join(packages ?? '', 'node_modules'), path.join(cwd, 'node_modules'));
    const pack = path.join(client.folder, 'node_modules/headwater-client');
    await symlink(pack, path.join(cwd, 'node_modules/headwater-client'));
    const settings = path.join(cwd, '.env');
    const given = await readFile(settings, 'utf8');
    await writeFile(settings, given.replace('WEBHOOK_SECRET=""', `WEBHOOK_SECRET="${SECRET}"`));
    const env = { ...process.env, NODE_OPTIONS: '', NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' };
    await run(process.execPath, ['node_modules/astro/bin/astro.mjs', 'build'], {
      cwd,
      env,
      maxBuffer: 2 ** 26,
    });
    const port = await freePort();
    server = spawn(process.execPath, ['--env-file=.env', 'dist/server/entry.mjs'], {
      cwd,
      env: { ...env, HOST: '127.0.0.1', PORT: port },
      stdio: 'ignore',
    });
    site = `http://127.0.0.1:${port}`;
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
    await client.close();
    await rm(packages ?? '', { recursive: true, force: true });
  });

  it('builds and serves pages, pictures, redirects, search and previews, and renews pages by its webhook', async () => {
    const path = '/stories/the-upper-lock';
    const before = await textOf(path);
    expect(before).toMatch(/<h1>[^<]*Upper Lock/i);
    expect(before).toMatch(/<h2>How to pass it<\/h2>/);
    expect((await get('/no/such/page')).status).toBe(404);
    expect(await textOf('/search?q=lock')).toContain(`href="${path}"`);

    const { data: sites } = await manage.sites.list();
    const siteId = sites.find(({ slug }) => slug === 'main')?.id ?? '';
    await manage.redirects.create({ siteId, source: '/old-lock', target: path });
    expect([(await get('/old-lock')).status, (await get('/old-lock')).headers.get('location')]).toEqual([
      301,
      path,
    ]);

    const { data: found } = await manage.entries.list({
      contentTypeApiName: ['article'],
      siteId: [siteId],
      limit: 100,
    });
    const article = found.find(({ slug }) => slug === 'the-upper-lock');
    const { data: files } = await manage.media.list({ limit: 1 });
    const fields = { title: 'The upper lock, again', picture: { _ref: files[0]?.id } };
    await manage.entries.update({ id: article?.id ?? '', version: article?.version ?? 0, fields });
    const { data: session } = await manage.entries.previewSite({ siteId });
    const entered = await get(
      `/preview?${new URLSearchParams({ path, previewToken: session.token }).toString()}`,
    );
    const cookie = entered.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    expect(await textOf(path, cookie)).toContain('The upper lock, again');

    await manage.entries.publish({ id: article?.id ?? '' });
    expect(await textOf(path)).toBe(before);
    expect(await purge(`whsec_${Buffer.from('another secret').toString('base64')}`)).toBe(401);
    expect(await textOf(path)).toBe(before);
    expect(await purge(SECRET)).toBe(204);
    const after = await textOf(path);
    expect(after).toContain('The upper lock, again');
    expect(after).toMatch(/<img src="http[^"]*w=720[^"]*" srcset="[^"]* 128w, [^"]*"/);
  }, 120_000);
});
