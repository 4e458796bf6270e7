import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDeliveryClient, createManagementClient } from '../../src/cli/client-package/index.js';
import { sampleOf } from '../support/extent.js';
import { installClient, type InstalledClient } from './installed-client.js';

const typedReader = `import { createDeliveryClient, type RichTextNode } from 'headwater-client';
import type { Article, Callout, ContentTypes } from './content-types.js';
declare const process: { argv: string[] };
const [, , url = '', key = ''] = process.argv;
const site = createDeliveryClient<ContentTypes>({ url, project: 'demo', site: 'main', key });
const teaser = ({ fields }: Article<1>): string => 'fields' in fields.author ? fields.author.fields.name : fields.title;
const { data } = await site.listContent({ contentTypeApiName: 'article', include: 1 });
const names: string[] = data.map(teaser);
const tree: RichTextNode | undefined = data[0]?.fields.body.raw;
let season: 'spring' | 'summer' | 'autumn' | 'winter' | undefined;
for await (const article of site.listContent.all({ contentTypeApiName: 'article', fields: ['seasons'], limit: 2 }))
  season ??= article.fields.seasons[0];
const { data: page } = await site.getEntry({ id: data[0]?._id ?? '', include: 2, blocks: 'all' });
const tones: Callout['fields']['tone'][] = page._type !== 'article' ? [] : page.fields.callouts.flatMap(
  (block) => ('fields' in block ? [block.fields.tone] : []));
const { data: found } = await site.searchContent({ q: 'lock', contentTypeApiName: 'article' });
const mile: number | null | undefined = found[0]?.entry.fields.mile;
const link: string | undefined = found[0]?.entry.fields.author._ref;
const ofNone = createDeliveryClient<{}>({ url, project: 'demo', site: 'main', key });
const anything: unknown = (await ofNone.listContent({ contentTypeApiName: 'article' })).data[0]?.fields['title'];
console.log(JSON.stringify([typeof anything, names.every((name) => name.length > 0), tree?.type, season !== undefined, tones, mile, link]));
`;

let client: InstalledClient;

const manage = () =>
  createManagementClient({ url: client.url, project: 'demo', key: client.keys.management });

/** Types of content over REST, written by the command of the package. */
async function writeRestTypes(): Promise<void> {
  const source = ['--url', client.url, '--project', 'demo', '--key', client.keys.management];
  await client.headwater('types', '--rest', ...source, '--out', 'content-types.ts');
}

type ListInput = Parameters<ReturnType<typeof createDeliveryClient>['listContent']>[0];

/** Entries of all sites, as readers get them. */
async function entriesOf(input: ListInput): Promise<unknown[]> {
  const { data: sites } = await manage().sites.list();
  const found: unknown[] = [];
  for (const { slug } of sites) {
    const site = createDeliveryClient({
      url: client.url,
      project: 'demo',
      site: slug,
      key: client.keys.delivery,
    });
    for await (const entry of site.listContent.all(input)) found.push(entry);
  }
  return found;
}

/** A published entry of a type with fields of all kinds, whose name and field names need care. */
async function makeOffers(): Promise<void> {
  const { customFieldTypes, contentTypes, entries, sites } = manage();
  await customFieldTypes.create({
    apiName: 'money',
    name: 'Money',
    jsonSchema: {
      type: 'object',
      properties: {
        amount: { type: 'number' },
        currency: { enum: ['EUR', 'USD'] },
        by: { $ref: '#/$defs/by' },
      },
      required: ['amount'],
      $defs: { by: { type: 'string' } },
    },
  });
  await contentTypes.create({
    apiName: 'array',
    name: 'Array',
    isBlock: true,
    fields: [
      { apiName: 'class', type: 'text', required: true },
      { apiName: 'inner', type: 'blocks', settings: { contentTypes: ['array'] } },
    ],
  });
  await contentTypes.create({
    apiName: 'content_types',
    name: 'Offer',
    description: 'Ends */ here',
    fields: [
      { apiName: 'title', type: 'text', required: true },
      { apiName: 'price', type: 'custom', required: true, settings: { customFieldType: 'money' } },
      {
        apiName: 'sizes',
        type: 'select',
        isList: true,
        settings: { options: [{ value: '3 m' }, { value: '"' }] },
      },
      {
        apiName: 'size',
        type: 'select',
        required: true,
        settings: { options: [{ value: 'a' }, { value: 'b' }] },
      },
      { apiName: 'count', type: 'integer', required: true },
      { apiName: 'open', type: 'boolean' },
      { apiName: 'place', type: 'location', required: true },
      {
        apiName: 'meta',
        type: 'json',
        settings: {
          jsonSchema: {
            type: ['object', 'null'],
            additionalProperties: { type: 'array', items: { type: 'integer' } },
          },
        },
      },
      { apiName: 'anything', type: 'json' },
      { apiName: 'at', type: 'dateTime' },
      { apiName: 'color', type: 'color' },
      { apiName: 'link', type: 'url' },
      { apiName: 'picture', type: 'media', required: true },
      { apiName: 'same', type: 'reference' },
      { apiName: 'text', type: 'richText', isList: true },
      {
        apiName: 'secret',
        type: 'text',
        required: true,
        settings: { visibleWhen: [{ field: 'open', exists: true }] },
      },
      {
        apiName: 'box',
        type: 'blocks',
        settings: { contentTypes: ['array'], shape: 'group' },
        validations: { maxItems: 1 },
      },
      { apiName: 'boxes', type: 'blocks' },
    ],
  });
  const { data: places } = await sites.list();
  const siteId = places.find(({ slug }) => slug === 'main')?.id ?? '';
  const { data: files } = await manage().media.list({ limit: 1 });
  const box = (...inner: object[]) => ({ _type: 'array', fields: { class: 'c', inner } });
  const { data: made } = await entries.create({
    siteId,
    contentTypeApiName: 'content_types',
    fields: {
      title: 'Offer',
      price: { amount: 1, currency: 'EUR', by: 'card' },
      sizes: ['"', '3 m'],
      size: 'a',
      count: 3,
      place: { lat: 1, lng: 2 },
      meta: { a: [1] },
      anything: [null, { b: 1 }],
      at: '2026-03-01T09:30:00Z',
      color: '#00ff00',
      link: 'https://example.com/',
      picture: { _ref: files[0]?.id },
      text: [{ html: '<p>One</p>' }, { html: '<p>Two</p>' }],
      box: box(box()),
      boxes: [box(box(box()))],
    },
  });
  await entries.update({ id: made.id, version: made.version, fields: { same: { _ref: made.id } } });
  await entries.publish({ id: made.id });
}

beforeAll(async () => {
  client = await installClient();
}, 240_000);
afterAll(() => client.close());

describe('headwater types --rest', () => {
  it('types reads over REST by content type, depth and choice of fields, and they compile strictly', async () => {
    await writeRestTypes();
    await client.write('app.ts', typedReader);
    const stdout = await client.compile('app.ts');
    expect(stdout).toBe('');
    const [ofNone, areNamed, type, hasSeason, tones, mile, link] = (await client.runProgram()) as unknown[];
    expect([ofNone, areNamed, type, hasSeason]).toEqual(['string', true, 'doc', true]);
    expect(tones).toBeInstanceOf(Array);
    expect(typeof mile).toBe('number');
    expect(link).toMatch(/^[0-9a-f-]{36}$/);
  }, 120_000);

  it.each(
    sampleOf(
      [
        ['data[0]?.fields.author.fields', 'TS2339'],
        ["(await site.listContent({ contentTypeApiName: 'novel' }))", 'TS2322'],
        ["(await site.listContent({ contentTypeApiName: 'article', fields: ['nothing'] }))", 'TS2322'],
        [
          "(await site.listContent({ contentTypeApiName: 'article', fields: ['mile'] })).data[0]?.fields.title",
          'TS2339',
        ],
        ["data[0]?.fields.seasons.includes('monsoon')", 'TS2345'],
        [
          "(await createDeliveryClient<ContentTypes<'draft'>>({ url, project: 'demo', site: 'main' }).listContent({ contentTypeApiName: 'article' })).data[0]?.fields.title.length",
          'TS2531',
        ],
      ],
      3,
    ) as [string, string][],
  )('does not compile %s of a typed read', async (expression, code) => {
    await writeRestTypes();
    const [head] = typedReader.split('const names');
    await client.write('app.ts', `${head ?? ''}export const wrong = ${expression};\n`);
    const stdout = await client.compile('app.ts', '--noEmit', '--skipLibCheck');
    expect(stdout).toContain(`error ${code}`);
  });

  it('generates types over REST that every entry of the demo and of a type with all field kinds satisfies', async () => {
    await makeOffers();
    await writeRestTypes();
    const lines = ["import type { ContentTypes } from './content-types.js';"];
    const { data: types } = await manage().contentTypes.list({ limit: 100 });
    for (const { apiName, isBlock } of types.filter((type) => !type.isBlock))
      for (const include of [0, 1, 2, 3] as const)
        for (const blocks of ['hops', 'all'] as const) {
          const found = await entriesOf({ contentTypeApiName: apiName, include, blocks, paths: true });
          expect([apiName, isBlock, found.length > 0]).toEqual([apiName, false, true]);
          const name = `ContentTypes['${apiName}']['${blocks}'][${String(include)}]`;
          lines.push(
            `export const ${apiName}_${blocks}${String(include)}: Array<${name}> = ${JSON.stringify(found)};`,
          );
        }
    await client.write('answers.ts', lines.join('\n'));
    const stdout = await client.compile('answers.ts', '--noEmit', '--skipLibCheck');
    expect(stdout).toBe('');
  }, 240_000);
});
