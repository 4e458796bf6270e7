import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useApp } from '../support/desk.js';
import { ServiceProcess } from '../support/service-process.js';
import { verifies } from '../support/verifies.js';

const builder = '../../src/cli/docs/build-docs.js';

interface Section {
  readonly address: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

describe('The documentation as static pages', () => {
  verifies('operation/documentation');
  let folder: string;
  const pages = new Map<string, string>();

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'headwater-guides-'));
    const { buildDocs } = (await import(builder)) as {
      buildDocs(root: string, directory: string): Promise<number>;
    };
    const count = await buildDocs(process.cwd(), folder);
    const names = (await readdir(folder)).filter((name) => name.endsWith('.html'));
    expect(names.length).toBe(count);
    for (const name of names) pages.set(name, await readFile(path.join(folder, name), 'utf8'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has a page for each README of the product and each tag of the REST interface', async () => {
    const document = JSON.parse(await readFile('openapi/openapi.json', 'utf8')) as {
      tags: { name: string }[];
    };
    expect([...pages.keys()]).toEqual(
      expect.arrayContaining([
        'index.html',
        'contracts.html',
        'graphql.html',
        'deploy.html',
        'api-delivery.html',
      ]),
    );
    expect([...pages.keys()].filter((name) => name.startsWith('api-')).length).toBe(document.tags.length);
  });

  it('links only what exists, with its anchor', async () => {
    const files = new Set(await readdir(folder));
    const ids = new Map(
      [...pages].map(([name, html]) => [
        name,
        new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
      ]),
    );
    const missing: string[] = [];
    for (const [name, html] of pages)
      for (const [, target = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
        if (/^(?:[a-z]+:|\/)/.test(target)) continue;
        const [file = '', anchor] = target.split('#');
        const page = file === '' ? name : file;
        const isThere = files.has(page) && (anchor === undefined || ids.get(page)?.has(anchor) === true);
        if (!isThere) missing.push(`${name}: ${target}`);
      }
    expect(missing).toEqual([]);
  });

  it('loads nothing from other servers', () => {
    for (const [, html] of pages) {
      expect(html).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?\/\//);
      expect(html).not.toMatch(/<script>| on[a-z]+="/);
    }
  });

  it('is searched by sections, whose addresses are unique and whose texts are those of the pages', async () => {
    const sections = JSON.parse(await readFile(path.join(folder, 'search.json'), 'utf8')) as Section[];
    const filters = sections.find(({ address }) => address === 'graphql.html#filters');
    expect(filters).toMatchObject({ page: 'GraphQL', title: 'Filters' });
    expect(filters?.text).toContain('names one content type');
    const publish = sections.find(({ title }) => title === 'Publish a locale');
    expect(publish?.address).toMatch(/^api-.*\.html#/);
    expect(new Set(sections.map(({ address }) => address)).size).toBe(sections.length);
  });
});

describe('The service', () => {
  verifies('operation/documentation');
  const app = useApp();
  let service: ServiceProcess;

  beforeAll(async () => {
    service = await ServiceProcess.start(app().databaseUrl);
  });
  afterAll(() => service.kill('SIGTERM'));

  it('serves the documentation with its files, and nothing else below its address', async () => {
    const start = await fetch(`${service.url}/docs/guides`, { redirect: 'manual' });
    expect([start.status, start.headers.get('location')]).toEqual([308, '/docs/guides/']);
    for (const [name, type] of [
      ['', 'text/html; charset=utf-8'],
      ['graphql.html', 'text/html; charset=utf-8'],
      ['guides.js', 'text/javascript; charset=utf-8'],
      ['guides.css', 'text/css; charset=utf-8'],
      ['search.json', 'application/json; charset=utf-8'],
    ] as const) {
      const answer = await fetch(`${service.url}/docs/guides/${name}`);
      expect([name, answer.status, answer.headers.get('content-type')]).toEqual([name, 200, type]);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
      expect((await answer.text()).length).toBeGreaterThan(100);
    }
    for (const name of ['nothing.html', '..%2fmain.js', '%2e%2e/main.js', 'constructor'])
      expect((await fetch(`${service.url}/docs/guides/${name}`)).status).toBe(404);
  });
});
