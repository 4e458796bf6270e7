import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { createManagementClient } from '../../src/cli/client-package/index.js';
import { sampleOf } from '../support/extent.js';
import { hasBun, hasDeno, serverPath } from '../support/optional-servers.js';
import { installClient, type InstalledClient } from './installed-client.js';

const program = `import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import type { AppRouter, DeliveryEntry, Entry, ErrorCode, OperationErrors } from 'headwater-client';
declare const process: { argv: string[] };
const [, , url = '', key = ''] = process.argv;
const client = createTRPCClient<AppRouter>({
  links: [httpBatchLink({ url: url + '/api/trpc', headers: { authorization: 'Bearer ' + key } })],
});
const { data, meta } = await client.entries.list.query({ projectSlug: 'demo', status: ['published'] });
const first: Entry | undefined = data[0];
const sites = await client.sites.list.query({ projectSlug: 'demo' });
const site = sites.data.find(({ id }) => id === first?.siteId);
if (first === undefined || site === undefined) throw new Error('nothing found');
const read = await client.delivery.getEntry.query({ projectSlug: 'demo', siteSlug: site.slug, id: first.id });
const entry: DeliveryEntry = read.data;
let code: ErrorCode | undefined;
const missing: OperationErrors['entries.get'] = 'entry_not_found';
try {
  await client.entries.get.query({ projectSlug: 'demo', id: '00000000-0000-0000-0000-000000000000' });
} catch (error) {
  if (error instanceof TRPCClientError) code = (error as TRPCClientError<AppRouter>).data?.error;
}
console.log(JSON.stringify([meta.total > 0, entry._id === first.id, code === missing]));
`;

const reader = `import { createDeliveryClient, createManagementClient, HeadwaterError, image } from 'headwater-client';
declare const process: { argv: string[] };
const [, , url = '', key = ''] = process.argv;
const manage = createManagementClient({ url, project: 'demo', key });
const { data: sites } = await manage.sites.list();
const site = createDeliveryClient({ url, project: 'demo', site: 'main', key });
const titles: unknown[] = [];
for await (const article of site.listContent.all({ contentTypeApiName: 'article', limit: 1, fields: ['title'] }))
  titles.push(article.fields.title);
const siteId = sites[0]?.id ?? '';
const { data: made } = await manage.entries.create({
  siteId,
  contentTypeApiName: 'article',
  fields: { title: 'Written' },
});
const { data: read } = await manage.entries.get({ id: made.id });
let code = '';
try {
  await manage.entries.get({ id: '00000000-0000-0000-0000-000000000000' });
} catch (error) {
  if (error instanceof HeadwaterError) code = error.code;
}
const { data: files } = await manage.media.list({ limit: 1 });
const picture = files[0] === undefined ? undefined : image(files[0], { width: 320 });
console.log(JSON.stringify([titles.length > 2, read.fields.title, code, picture?.src.includes('w=320')]));
`;

let client: InstalledClient;

beforeAll(async () => {
  client = await installClient();
}, 240_000);
afterAll(() => client.close());

describe('The client package', () => {
  it('is one small file without dependencies and without server code', async () => {
    expect((await stat(client.tarball)).size).toBeLessThan(650_000);
    const installed = path.join(client.folder, 'node_modules/headwater-client');
    const manifest = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8'));
    expect(manifest.dependencies).toBeUndefined();
    const command = await readFile(path.join(installed, 'headwater.cjs'), 'utf8');
    expect(command).not.toMatch(/sequelize|postgres|argon2/i);
  });

  it('types a client strictly with the libraries of ES2022 and DOM, and the client runs', async () => {
    await client.write('app.ts', program);
    const stdout = await client.compile('app.ts', '--listFiles');
    const files = stdout.trim().split('\n');
    expect(files.filter((line) => line.includes('error TS'))).toEqual([]);
    expect(files.length).toBeLessThan(120);
    expect(files.filter((file) => file.includes('/zod/'))).toEqual([]);
    expect(await client.runProgram()).toEqual([true, true, true]);
  }, 120_000);

  it('reads and writes over REST by names and types of the operations', async () => {
    await client.write('app.ts', reader);
    const stdout = await client.compile('app.ts');
    expect(stdout).toBe('');
    expect(await client.runProgram()).toEqual([true, 'Written', 'entry_not_found', true]);
  }, 120_000);

  const runtimes: readonly [name: string, isInstalled: boolean, command: readonly string[]][] = [
    ['Deno', hasDeno, [serverPath('DENO'), 'run', '--quiet', '--no-lock', '--allow-net=127.0.0.1']],
    ['Bun', hasBun, [serverPath('BUN')]],
  ];
  for (const [name, isInstalled, command] of runtimes)
    (isInstalled ? it : it.skip)(`runs under ${name} (needs its binary)`, async () => {
      await client.write('app.ts', reader);
      expect(await client.runProgram(...command)).toEqual([true, 'Written', 'entry_not_found', true]);
    });

  it('adds at most 12 KB to a page that only reads', async () => {
    await client.write(
      'page.js',
      "import { createDeliveryClient } from 'headwater-client';\nglobalThis.read = createDeliveryClient;\n",
    );
    const { outputFiles } = await build({
      absWorkingDir: client.folder,
      entryPoints: ['page.js'],
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
    });
    const [{ text, contents } = { text: '', contents: new Uint8Array() }] = outputFiles;
    expect(text).toContain('/api/delivery/');
    expect(text).not.toContain('/api/v1/projects/{projectSlug}/');
    expect(gzipSync(contents).length).toBeLessThan(12 * 1024);
  });

  it.each(
    sampleOf<[call: string, code: string]>(
      [
        ["client.entries.get.query({ projectSlug: 'demo' })", 'TS2345'],
        ["client.entries.list.query({ projectSlug: 'demo', status: ['live'] })", 'TS2322'],
        ["client.entries.publish.query({ projectSlug: 'demo', id: '' })", 'TS2339'],
        ["client.entries.list.query({ projectSlug: 'demo' }).then(({ data }) => data.title)", 'TS2339'],
      ],
      2,
    ),
  )('does not compile %s', async (call, code) => {
    await client.write('app.ts', `${program.split('const { data')[0]}await ${call};\n`);
    const stdout = await client.compile('app.ts', '--noEmit', '--skipLibCheck');
    expect(stdout).toContain(`error ${code}`);
  });

  it('writes the types of a project with its command', async () => {
    const source = ['--url', client.url, '--project', 'demo', '--key', client.keys.preview];
    await client.headwater('types', ...source, '--out', 'content-types.ts');
    expect(await readFile(path.join(client.folder, 'content-types.ts'), 'utf8')).toContain(
      'export interface Article ',
    );
    expect(await client.headwater('types', '--help')).toContain('--check');
  });

  it('imports Markdown with HTML with its command', async () => {
    await mkdir(path.join(client.folder, 'notes'));
    const text = '---\ntitle: Imported note\n---\nText *with* <b>HTML</b>.\n\n<ul><li>A point</li></ul>\n';
    await client.write('notes/note.md', text);
    const place = [
      '--url',
      client.url,
      '--key',
      client.keys.management,
      '--project',
      'demo',
      '--site',
      'main',
    ];
    await client.headwater('import', 'markdown', 'notes', ...place);
    const manage = createManagementClient({ url: client.url, project: 'demo', key: client.keys.management });
    const bodies: string[] = [];
    for await (const { fields } of manage.entries.list.all({ contentTypeApiName: ['page'] }))
      if (fields.title === 'Imported note') bodies.push(JSON.stringify(fields.body));
    expect(bodies).toEqual([expect.stringMatching(/"bold".*"bulletList".*"A point"/)]);
  });

  it('imports exports of Contentful and WordPress, and exports the project, with its command', async () => {
    const place = ['--url', client.url, '--key', client.keys.management, '--project', 'demo'];
    const field = { id: 'title', name: 'Title', type: 'Symbol', localized: false, required: true };
    const sys = { id: 'one', contentType: { sys: { id: 'lock' } }, publishedVersion: 1, version: 2 };
    const space = {
      locales: [{ code: 'en', name: 'English', default: true, fallbackCode: null }],
      contentTypes: [{ sys: { id: 'lock' }, name: 'Lock', displayField: 'title', fields: [field] }],
      entries: [{ sys, fields: { title: { en: 'A lock of Contentful' } } }],
    };
    await client.write('space.json', JSON.stringify(space));
    const site = [...place, '--site', 'main'];
    await client.headwater('import', 'contentful', 'space.json', ...site);

    await client.write(
      'site.xml',
      `<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"
      xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><language>en</language><item>
      <title>A post of WordPress</title><wp:post_id>7</wp:post_id><wp:post_type>post</wp:post_type>
      <wp:status>publish</wp:status><wp:post_name>seven</wp:post_name>
      <content:encoded><![CDATA[Words.]]></content:encoded></item></channel></rss>`,
    );
    const wordpress = ['import', 'wordpress', 'site.xml', ...site, '--mapping', 'map.json'];
    const dry = client.headwater(...wordpress, '--dry-run');
    await expect(dry).rejects.toMatchObject({
      code: 2,
      stdout: expect.stringContaining('lack 2 fields of the mapping'),
    });
    const fileOf = (name: string) => readFile(path.join(client.folder, name), 'utf8');
    expect(await fileOf('site.losses.jsonl')).toMatch(/"page\.excerpt"[^]*"page\.image"/);
    const mapping = JSON.parse(await fileOf('map.json'));
    Object.assign(mapping.types.page.fields, { excerpt: null, image: null });
    await client.write('map.json', JSON.stringify(mapping));
    expect(await client.headwater(...wordpress, '--dry-run')).toContain('Nothing was changed.');
    await client.headwater(...wordpress);

    await client.headwater('export', ...place, '--out', 'exported');
    const names = await readdir(path.join(client.folder, 'exported'), { recursive: true });
    const lines = names.filter((name) => name.endsWith('.jsonl'));
    const exported = (await Promise.all(lines.map((name) => fileOf(`exported/${name}`)))).join('\n');
    for (const title of ['A lock of Contentful', 'A post of WordPress']) expect(exported).toContain(title);
  }, 120_000);

  it('writes a site into an empty folder, with its settings, and into no other', async () => {
    const place = ['--url', `${client.url}/`, '--project', 'demo', '--site', 'main', '--key', 'hwd_x'];
    const said = await client.headwater('init', 'astro', 'new/site', ...place);
    expect(said).toMatch(/^Types of the content are not written\. .+ Later: HEADWATER_KEY=/m);
    const site = path.join(client.folder, 'new/site');
    expect((await readFile(path.join(site, '.env'), 'utf8')).split('\n').slice(0, 4)).toEqual([
      `HEADWATER_URL="${client.url}"`,
      'HEADWATER_PROJECT="demo"',
      'HEADWATER_SITE="main"',
      'HEADWATER_KEY="hwd_x"',
    ]);
    expect(await readFile(path.join(site, '.gitignore'), 'utf8')).toContain('.env');
    const { dependencies } = JSON.parse(await readFile(path.join(site, 'package.json'), 'utf8'));
    expect(dependencies['headwater-client']).toBe('file:../../node_modules/headwater-client');
    const failures = [
      ['astro', 'new/site', ...place],
      ['remix', 'other', ...place],
      ['astro', 'other', '--url', client.url],
      ['astro', 'other', ...place, '--key', 'a"b'],
      ['astro', 'package.json', ...place],
    ].map((options) =>
      client.headwater('init', ...options).catch((error: { stderr: string }) => error.stderr),
    );
    expect(await Promise.all(failures)).toEqual([
      'headwater: new/site is not empty. Name another folder.\n',
      expect.stringMatching(/^headwater: There are starters for: astro, next\..*\n$/),
      expect.stringMatching(/^headwater: Name a project and a site\..*\n$/),
      'headwater: HEADWATER_KEY has characters that a setting cannot have.\n',
      'headwater: package.json is not a folder.\n',
    ]);
  });

  it('writes the types of the content into a site with a management key, which it does not store', async () => {
    const place = ['--project', 'demo', '--site', 'main', '--key', client.keys.management];
    const said = await client.headwater('init', 'next', 'typed', '--url', client.url, ...place);
    expect(said).toContain('\nTypes of the content are in src/content-types.ts.\n');
    expect(said).toContain('The management key is not stored.');
    const fileOf = (name: string) => readFile(path.join(client.folder, name), 'utf8');
    expect(await fileOf('typed/.env')).toContain('HEADWATER_KEY=""\n');
    expect(await fileOf('typed/src/content-types.ts')).toContain('export interface Article<');
    const alone = await client.headwater('init', 'next', 'alone', '--url', 'http://127.0.0.1:1', ...place);
    expect(alone).toMatch(
      /^Types of the content are not written\. http:\/\/127\.0\.0\.1:1 cannot be reached: /m,
    );
    expect(await fileOf('alone/src/content-types.ts')).toContain('ContentTypes = undefined');
  });

  it('compiles the code of a site strictly, without types of the project and with them', async () => {
    const options = ['--noEmit', '--allowImportingTsExtensions', '--skipLibCheck', '--types', 'node'];
    await client.link('@types');
    const place = ['--url', client.url, '--project', 'demo', '--site', 'main'];
    await client.headwater('init', 'astro', 'untyped', ...place);
    expect(await client.compile('untyped/src/pages/purge.ts', ...options)).toBe('');
    const keys = ['--key', client.keys.delivery, '--types-key', client.keys.management];
    await client.headwater('init', 'astro', 'checked', ...place, ...keys);
    expect(await readFile(path.join(client.folder, 'checked/.env'), 'utf8')).toContain(client.keys.delivery);
    expect(await client.compile('checked/src/pages/purge.ts', ...options)).toBe('');
  });
});
