import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { credentialsFile } from '../../src/cli/client/credentials.js';
import { loadDemo, type LoadedDemo } from '../../src/cli/demo/load-demo.js';
import { welcome } from '../../src/cli/demo/welcome.js';
import { OperationsClient, type OperationsHost } from '../../src/cli/client/operations-client.js';
import { openCliHost, type CliHost } from './cli-host.js';

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

/** The host with an end: it calls so many operations and then fails. */
function dyingHost(calls: number): OperationsHost {
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

beforeAll(async () => {
  host = await openCliHost();
});

afterAll(() => host.close());

test('is completed by the next start wherever the first one was cut short', async () => {
  for (const calls of [1, 3, 6, 13, 30, 60]) {
    await expect(load(dyingHost(calls))).rejects.toThrow();
  }
  demo = await load();
  const all = await slugs();
  expect(all).toHaveLength(16);
  expect(new Set(all).size).toBe(16);
  expect(all).toContain('a-winter-without-water changed published published');
  expect(all).toContain('notes-for-a-spring-walk draft');
});

describe('once loaded', () => {
  test('keeps its credentials in a file for this user only', async () => {
    const file = credentialsFile(host.dataDirectory);
    const { credentialsPath, ...credentials } = demo;
    expect(credentialsPath).toBe(file);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(credentials);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(Object.keys(credentials).sort()).toEqual([
      'baseUrl',
      'keys',
      'locales',
      'projectSlug',
      'siteSlugs',
      'superAdmin',
      'tenantSlug',
    ]);
  });

  test('gives the same credentials at the next start, with the address of that start', async () => {
    expect(await load()).toEqual(demo);
    const moved = await loadDemo({
      composition: host.composition,
      dataDirectory: host.dataDirectory,
      baseUrl: 'http://a.example',
    });
    expect(moved).toEqual({ ...demo, baseUrl: 'http://a.example' });
  });

  test('leaves to its editors what they have changed', async () => {
    const client = new OperationsClient(host.composition, demo.keys.management);
    const { data } = await client.call('entries', 'list', { projectSlug, q: 'heron' });
    await client.call('entries', 'delete', { projectSlug, id: data[0]?.id ?? '' });
    await load();
    expect(await slugs()).toHaveLength(15);
  });

  test.each(['delivery', 'preview', 'management'] as const)('has a %s key that works', async (type) => {
    const path = '/api/delivery/projects/demo/sites/main/content/article?locale=fr';
    const response = await host.request.get(path).set('Authorization', `Bearer ${demo.keys[type]}`);
    expect(response.status).toBe(200);
    expect(response.body.data.length).toBeGreaterThan(0);
  });

  test('shows its fallback: French readers are served English where French is missing', async () => {
    const path = '/api/delivery/projects/demo/sites/main/content/article?locale=fr';
    const { body } = await host.request.get(path);
    const { data } = body as { data: { _locale: string }[] };
    expect(new Set(data.map(({ _locale }) => _locale))).toEqual(new Set(['fr', 'en']));
  });

  test('welcomes with a line for every surface', () => {
    const text = welcome(demo);
    for (const part of [
      '/api/delivery/',
      '/api/v1/',
      '/api/trpc/',
      '/api/graphql/',
      '/api/mcp/',
      '/docs',
      '/openapi.json',
      'credentials.json',
    ]) {
      expect(text).toContain(part);
    }
  });
});

describe('when credentials are lost', () => {
  test('replaces a key that was revoked, and only that', async () => {
    const client = await OperationsClient.login(host.composition, demo.superAdmin);
    const { data } = await client.call('apiKeys', 'list', { projectSlug, q: 'Demo preview' });
    await client.call('apiKeys', 'revoke', { projectSlug, id: data[0]?.id ?? '' });
    const next = await load();
    expect(next.keys).toEqual({ ...demo.keys, preview: expect.not.stringMatching(demo.keys.preview) });
    demo = next;
  });

  test('makes a new administrator and new keys where the file is gone, and no second project', async () => {
    await rm(credentialsFile(host.dataDirectory));
    const next = await load();
    expect(next.superAdmin.email).not.toBe(demo.superAdmin.email);
    expect(next.keys.delivery).not.toBe(demo.keys.delivery);
    const client = await OperationsClient.login(host.composition, next.superAdmin);
    const { data } = await client.call('tenants', 'list', {});
    expect(data.map(({ slug, projects }) => [slug, projects.length])).toEqual([['demo', 1]]);
    demo = next;
    expect(await slugs()).toHaveLength(15);
  });

  test('says what to do where the file cannot be understood', async () => {
    await writeFile(credentialsFile(host.dataDirectory), '{');
    await expect(load()).rejects.toThrow('does not contain credentials. Restore it, or delete it');
  });

  test('keeps the login of a file whose database is fresh, and makes new keys', async () => {
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
  });
});

test('does not keep the service from starting where its tenant was deactivated', async () => {
  await rm(credentialsFile(host.dataDirectory));
  const again = await load();
  const client = await OperationsClient.login(host.composition, again.superAdmin);
  await client.call('tenants', 'deactivate', { tenantSlug: 'demo' });
  expect(await load()).toEqual(again);
});
