import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { commandsFile, credentialsFile } from '../../src/cli/client/credentials.js';
import { loadDemo, type LoadedDemo } from '../../src/cli/demo/load-demo.js';
import { welcome } from '../../src/cli/demo/welcome.js';
import { OperationsClient, type OperationsHost } from '../../src/cli/client/operations-client.js';
import { openCliHost, type CliHost } from './cli-host.js';
import { sampleOf } from '../support/extent.js';

const baseUrl = 'http://127.0.0.1:4000';
const projectSlug = 'demo';
let host: CliHost;
let demo: LoadedDemo;

const load = (composition: OperationsHost = host.composition): Promise<LoadedDemo> =>
  loadDemo({ composition, dataDirectory: host.dataDirectory, baseUrl });

async function slugs(): Promise<string[]> {
  const client = new OperationsClient(host.composition, demo.keys.management);
  const { data } = await client.call('entries', 'list', {
    projectSlug,
    limit: 100,
    orderBy: 'createdAt:asc',
  });
  return data.map(({ slug, locales }) => `${slug} ${locales.map(({ status }) => status).join(' ')}`);
}

/** The host, failing after `calls` operations. */
function failingHost(calls: number): OperationsHost {
  let left = calls;
  const operations = host.composition.operations.map((operation) => ({
    ...operation,
    call: (...given: Parameters<typeof operation.call>) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('the process died')) : operation.call(...given);
    },
  }));
  return { ...host.composition, operations };
}

const pendingFile = 'credentials.json.pending';
const fileNames = async (): Promise<string[]> =>
  (await readdir(host.dataDirectory)).filter((name) => name.startsWith('credentials'));

beforeAll(async () => {
  host = await openCliHost();
});

afterAll(() => host.close());

test('an interrupted demo load is completed by the next start', async () => {
  for (const calls of sampleOf([1, 3, 6, 13, 30, 60, 110], 3)) {
    await expect(load(failingHost(calls))).rejects.toThrow();
    expect(await fileNames()).toEqual([pendingFile]);
  }
  demo = await load();
  expect(await fileNames()).toEqual(['credentials.json']);
  const all = await slugs();
  expect(all).toHaveLength(21);
  expect(new Set(all).size).toBe(21);
  expect(all).toContain('a-winter-without-water changed published published');
  expect(all).toContain('notes-for-a-spring-walk draft');
}, 120_000);

describe('A loaded demo', () => {
  test('stores its credentials in a file readable only by the current user', async () => {
    const file = credentialsFile(host.dataDirectory);
    const { credentialsPath, ...credentials } = demo;
    expect(credentialsPath).toBe(file);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(credentials);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(Object.keys(credentials).sort()).toEqual([
      'baseUrl',
      'keys',
      'locales',
      'members',
      'projectSlug',
      'siteSlugs',
      'superAdmin',
      'tenantSlug',
    ]);
  });

  test('returns the same credentials at the next start, with the new base URL', async () => {
    expect(await load()).toEqual(demo);
    const moved = await loadDemo({
      composition: host.composition,
      dataDirectory: host.dataDirectory,
      baseUrl: 'http://a.example',
    });
    expect(moved).toEqual({ ...demo, baseUrl: 'http://a.example' });
  });

  test('keeps what editors have changed', async () => {
    const client = new OperationsClient(host.composition, demo.keys.management);
    const { data } = await client.call('entries', 'list', { projectSlug, q: 'heron' });
    await client.call('entries', 'delete', { projectSlug, id: data[0]?.id ?? '' });
    await load();
    expect(await slugs()).toHaveLength(20);
  });

  test.each(['delivery', 'preview', 'management'] as const)('has a working %s key', async (type) => {
    const path = '/api/delivery/projects/demo/sites/main/content/article?locale=fr';
    const response = await host.request.get(path).set('Authorization', `Bearer ${demo.keys[type]}`);
    expect(response.status).toBe(200);
    expect(response.body.data.length).toBeGreaterThan(0);
  });

  test('serves English to French readers where the French version is missing', async () => {
    const path = '/api/delivery/projects/demo/sites/main/content/article?locale=fr';
    const { body } = await host.request.get(path);
    const { data } = body as { data: { _locale: string }[] };
    expect(new Set(data.map(({ _locale }) => _locale))).toEqual(new Set(['fr', 'en']));
  });

  test('shows drawings of its own with the alternative text of the locale', async () => {
    const client = new OperationsClient(host.composition, demo.keys.management);
    const { data: assets, meta } = await client.call('media', 'list', { projectSlug, limit: 100 });
    expect([meta.total, new Set(assets.map(({ checksum }) => checksum)).size]).toEqual([13, 13]);
    const path = '/api/delivery/projects/demo/sites/main/content/article?include=1&filter[_slug][eq]=';
    const { body } = await host.request.get(`${path}die-obere-schleuse&locale=de`);
    const { picture } =
      (body as { data: { fields: { picture: Record<string, unknown> } }[] }).data[0]?.fields ?? {};
    expect(picture).toMatchObject({
      mimeType: 'image/svg+xml',
      width: 1200,
      height: 675,
      altText: 'Die geschlossenen Tore der Oberen Schleuse, darüber Schwalben',
    });
    const rendition = await host.request.get(`${String(picture?.url)}?w=128&fm=webp`);
    expect([rendition.status, rendition.type]).toEqual([200, 'image/webp']);
  });

  test('prints a line for every surface', () => {
    const text = welcome(demo);
    for (const part of [
      '/api/delivery/',
      '/api/v1/',
      '/api/trpc/',
      '/api/graphql/',
      '/api/mcp/',
      '/admin',
      demo.superAdmin.password,
      '/docs',
      '/openapi.json',
      'credentials.json',
    ]) {
      expect(text).toContain(part);
    }
  });
});

test('the commands of the README read its address and keys from a file that only this user can read', async () => {
  const file = commandsFile(host.dataDirectory);
  const script = '. "$1"; printf "%s\\n" "$URL" "$DELIVERY" "$PREVIEW" "$MANAGEMENT" "$LOGIN"';
  const { stdout } = spawnSync('sh', ['-c', script, 'sh', file], { encoding: 'utf8' });
  const { delivery, preview, management } = demo.keys;
  expect(stdout.trimEnd().split('\n')).toEqual([
    demo.baseUrl,
    delivery,
    preview,
    management,
    JSON.stringify(demo.superAdmin),
  ]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

describe('A demo with lost credentials', () => {
  test('replaces only the revoked key', async () => {
    const client = await OperationsClient.login(host.composition, demo.superAdmin);
    const { data } = await client.call('apiKeys', 'list', { projectSlug, q: 'Demo preview' });
    await client.call('apiKeys', 'revoke', { projectSlug, id: data[0]?.id ?? '' });
    const next = await load();
    expect(next.keys).toEqual({ ...demo.keys, preview: expect.not.stringMatching(demo.keys.preview) });
    demo = next;
  });

  test('creates a new administrator and keys but no second project when the file is deleted', async () => {
    await rm(credentialsFile(host.dataDirectory));
    const next = await load();
    expect(next.superAdmin.email).not.toBe(demo.superAdmin.email);
    expect(next.keys.delivery).not.toBe(demo.keys.delivery);
    const client = await OperationsClient.login(host.composition, next.superAdmin);
    const { data } = await client.call('tenants', 'list', {});
    expect(data.map(({ slug, projects }) => [slug, projects.length])).toEqual([['demo', 1]]);
    demo = next;
    expect(await slugs()).toHaveLength(20);
  });

  test('keeps the complete file until a new login has its keys', async () => {
    const file = credentialsFile(host.dataDirectory);
    const complete = JSON.stringify({
      ...demo,
      superAdmin: { ...demo.superAdmin, password: 'a password that was lost' },
    });
    await writeFile(file, complete);
    await expect(load(failingHost(2))).rejects.toThrow();
    expect(await readFile(file, 'utf8')).toBe(complete);
    const next = await load();
    expect(next.superAdmin.email).not.toBe(demo.superAdmin.email);
    expect(next.keys).toEqual(demo.keys);
    expect(await fileNames()).toEqual(['credentials.json']);
    demo = next;
  });

  test('says how to fix an unreadable credentials file', async () => {
    await writeFile(credentialsFile(host.dataDirectory), '{');
    await expect(load()).rejects.toThrow('does not contain credentials. Restore it, or delete it');
  });

  test('keeps the login of the file on a new database and creates new keys', async () => {
    const fresh = await openCliHost();
    try {
      await writeFile(credentialsFile(fresh.dataDirectory), JSON.stringify(demo));
      const next = await loadDemo({
        composition: fresh.composition,
        dataDirectory: fresh.dataDirectory,
        baseUrl,
      });
      expect(next.superAdmin).toEqual(demo.superAdmin);
      expect(next.keys.delivery).not.toBe(demo.keys.delivery);
    } finally {
      await fresh.close();
    }
  }, 120_000);
});

test("the service starts when the demo's tenant is deactivated", async () => {
  await rm(credentialsFile(host.dataDirectory));
  const again = await load();
  const client = await OperationsClient.login(host.composition, again.superAdmin);
  await client.call('tenants', 'deactivate', { tenantSlug: 'demo' });
  expect(await load()).toEqual(again);
});
