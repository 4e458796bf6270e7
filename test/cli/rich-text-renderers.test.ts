import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseHTML } from 'linkedom';
import { createDeliveryClient, createManagementClient } from '../../src/cli/client-package/index.js';
import { everything, hostileDocuments, type Value } from './rich-text-documents.js';
import { installClient, type InstalledClient } from './installed-client.js';

const run = promisify(execFile);
const modules = path.resolve('node_modules');
const page = 'src/cli/client-package/README.md';

type Rendered = Readonly<Record<'plain' | 'react' | 'vue' | 'svelte', string>>;

let client: InstalledClient;
let values: Value[];

/** Values of rich text anywhere in a response. */
function textsIn(value: unknown): Value[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('raw' in value && 'html' in value) return [value as Value];
  return Object.values(value).flatMap(textsIn);
}

async function renderAll(given: readonly Value[], ...options: string[]): Promise<Rendered[]> {
  await client.write('values.jsonl', given.map((value) => JSON.stringify(value)).join('\n'));
  const { stdout } = await run(process.execPath, ['render.mjs', 'values.jsonl', ...options], {
    cwd: client.folder,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Rendered);
}

/** As a browser reads it, without the marks of frameworks; React writes `colSpan`, which is the same attribute. */
function asRead(html: string): string {
  const { document } = parseHTML(
    `<html><body>${html.replaceAll(/<!--.*?-->|<link rel="preload"[^>]*>/gs, '')}</body></html>`,
  );
  return document.body.innerHTML
    .trim()
    .replaceAll(/ (?:col|row)Span=/g, (name: string) => name.toLowerCase());
}

/** A published article with everything. */
async function publishEverything(): Promise<void> {
  const { entries, media, sites } = createManagementClient({
    url: client.url,
    project: 'demo',
    key: client.keys.management,
  });
  const { data: places } = await sites.list();
  const siteId = places.find(({ slug }) => slug === 'main')?.id ?? '';
  const { data: articles } = await entries.list({
    contentTypeApiName: ['article'],
    siteId: [siteId],
    status: ['published'],
  });
  const { data: authors } = await entries.list({ contentTypeApiName: ['author'], status: ['published'] });
  const { data: files } = await media.list({ limit: 1 });
  const author = { _ref: authors[0]?.id };
  const type = { siteId, contentTypeApiName: 'article' };
  const { data: later } = await entries.create({
    ...type,
    fields: { title: 'Later', author, body: { html: '<p>x</p>' } },
  });
  await entries.publish({ id: later.id });
  const ids = { entry: articles[0]?.id ?? '', draft: later.id, asset: files[0]?.id ?? '' };
  const { data: made } = await entries.create({
    ...type,
    fields: { title: 'Everything', author, body: everything(ids) },
  });
  await entries.publish({ id: made.id });
  await entries.unpublish({ id: later.id });
}

/** All texts of the demo, as links and as shown. */
async function readValues(): Promise<Value[]> {
  const manage = createManagementClient({ url: client.url, project: 'demo', key: client.keys.management });
  const [{ data: sites }, { data: types }] = await Promise.all([
    manage.sites.list(),
    manage.contentTypes.list({ limit: 100 }),
  ]);
  const found: Value[] = [];
  for (const { slug } of sites) {
    const site = createDeliveryClient({
      url: client.url,
      project: 'demo',
      site: slug,
      key: client.keys.delivery,
    });
    for (const { apiName } of types.filter(({ isBlock }) => !isBlock))
      for (const include of [0, 1, 2])
        for (const links of ['path', 'absolute'] as const)
          for await (const entry of site.listContent.all({
            contentTypeApiName: apiName,
            include,
            links,
            blocks: 'all',
          }))
            found.push(...textsIn(entry));
  }
  return found;
}

beforeAll(async () => {
  client = await installClient();
  await mkdir(path.join(client.folder, 'node_modules/@types'), { recursive: true });
  for (const name of ['react', 'react-dom', 'vue', 'svelte', '@types/react', '@types/react-dom'])
    await symlink(path.join(modules, name), path.join(client.folder, 'node_modules', name)).catch(
      () => undefined,
    );
  await copyFile('test/cli/render-rich-text.mjs', path.join(client.folder, 'render.mjs'));
  await publishEverything();
  values = await readValues();
}, 240_000);
afterAll(() => client.close());

describe('The renderers of rich text', () => {
  it('write the HTML that the service returns for every text of the demo and for one with every node', async () => {
    const isWhole = ({ html = '' }: Value) => html.includes('<table>') && html.includes('data-mention');
    expect(values.filter(isWhole).length).toBeGreaterThan(2);
    const rendered = await renderAll(values);
    expect(rendered.map(({ plain }) => plain)).toEqual(values.map(({ html }) => html));
    for (const name of ['react', 'vue', 'svelte'] as const)
      expect(rendered.map((one) => asRead(one[name]))).toEqual(values.map(({ html = '' }) => asRead(html)));
  }, 120_000);

  it('write links with the paths of links where the value has no HTML', async () => {
    const linked = values.filter(
      ({ html = '', links }) =>
        links !== undefined && /<a data-entry="[^"]*" data-anchor="[^"]*" href=/.test(html),
    );
    expect(linked.length).toBeGreaterThan(0);
    const [first] = linked;
    const [rendered] = await renderAll([{ raw: first!.raw, links: first!.links! }]);
    expect(rendered?.plain).toMatch(/<a data-entry="[^"]*" data-anchor="[^"]*" href="\/[^"]*#/);
  });

  it('write nothing that runs for documents that the service would refuse', async () => {
    const documents = hostileDocuments();
    const rendered = await renderAll(documents);
    expect(rendered).toHaveLength(documents.length);
    for (const html of rendered.flatMap((one) => Object.values(one))) {
      const { document } = parseHTML(`<html><body>${html}</body></html>`);
      for (const found of document.querySelectorAll('body *')) {
        expect(found.localName).not.toMatch(/script|iframe|proto|constructor|string/i);
        for (const { name, value } of found.attributes) {
          expect(name).not.toMatch(/^on|style|inner/i);
          if (name === 'href' || name === 'src') expect(value).not.toMatch(/script|data:/i);
        }
      }
    }
  });

  it('write what hooks return, as the examples of the page show', async () => {
    const blocks = [...(await readFile(page, 'utf8')).matchAll(/```(\w+)\n([\s\S]*?)```/g)];
    const codeOf = (language: string) => blocks.find(([, found]) => found === language)?.[2] ?? '';
    await client.write('plain.ts', codeOf('ts'));
    await client.write('react-body.tsx', codeOf('tsx'));
    expect(await client.compile('plain.ts', '--skipLibCheck')).toBe('');
    expect(await client.compile('react-body.tsx', '--skipLibCheck', '--jsx', 'react-jsx')).toBe('');
    await client.write('vue-body.js', codeOf('js'));
    await client.write('Body.svelte', codeOf('svelte'));
    const shown = values.filter(
      ({ html = '' }) =>
        html.includes('<table>') &&
        html.includes('<figcaption>') &&
        /<a data-entry="[^"]*" data-anchor="[^"]*" href/.test(html),
    );
    const rendered = await renderAll(shown.slice(0, 1), 'page');
    for (const name of ['plain', 'react', 'vue', 'svelte'] as const) {
      const { document } = parseHTML(`<html><body>${asRead(rendered[0]?.[name] ?? '')}</body></html>`);
      expect([name, document.querySelectorAll('b').length > 0, document.querySelector('strong')]).toEqual([
        name,
        true,
        null,
      ]);
      expect(document.querySelector('a.link')?.getAttribute('href')).toMatch(/^\/|^https?:/);
      expect(document.querySelectorAll('aside').length).toBeGreaterThan(0);
    }
  }, 120_000);
});
