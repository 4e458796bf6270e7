import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Desk, useApp } from '../support/desk.js';
import { importExport, importedEntries, useImports, type ImportOutcome } from '../support/export-import.js';
import { verifies } from '../support/verifies.js';

verifies('entries/import-exports');

const app = useApp();
const importing = useImports(app);

const cdata = (text: string): string => `<![CDATA[${text}]]>`;
const elements = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, text]) => `<${name}>${cdata(text)}</${name}>`)
    .join('');

interface Item {
  readonly values?: Readonly<Record<string, string>>;
  readonly metas?: readonly (readonly [string, string])[];
  /** Taxonomies and slugs. */
  readonly terms?: readonly (readonly [string, string])[];
}

function item(type: string, id: string, { values = {}, metas = [], terms = [] }: Item = {}): string {
  const all = {
    'wp:post_id': id,
    'wp:post_type': type,
    'wp:status': 'publish',
    title: `Item ${id}`,
    'wp:post_name': `item-${id}`,
    link: `https://old.example/${type}/item-${id}/`,
    ...values,
  };
  const more = metas.map(
    ([key, value]) =>
      `<wp:postmeta>${elements({ 'wp:meta_key': key, 'wp:meta_value': value })}</wp:postmeta>`,
  );
  const named = terms.map(
    ([domain, slug]) => `<category domain="${domain}" nicename="${slug}">${cdata(slug)}</category>`,
  );
  return `<item>${elements(all)}${more.join('')}${named.join('')}</item>`;
}

const term = (taxonomy: string, slug: string, more: Readonly<Record<string, string>> = {}): string =>
  `<wp:term>${elements({ 'wp:term_taxonomy': taxonomy, 'wp:term_slug': slug, 'wp:term_name': slug.toUpperCase(), ...more })}</wp:term>`;

const site = (parts: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
  xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:wp="http://wordpress.org/export/1.2/"><channel><language>en</language>${parts.join('\n')}</channel></rss>`;

async function run(xml: string, ...options: string[]): Promise<ImportOutcome> {
  const { folder, scene } = importing();
  await writeFile(path.join(folder, 'site.xml'), xml);
  return importExport(scene, 'wordpress', path.join(folder, 'site.xml'), ...options);
}

const lost = ({ losses }: ImportOutcome): string[] =>
  losses.map(({ where, what }) => `${where}: ${what}`).sort();

const shop = site([
  term('genre', 'novel'),
  term('genre', 'crime', { 'wp:term_parent': 'novel' }),
  term('nav_menu', 'main'),
  item('book', '1', {
    metas: [
      ['pages', '310'],
      ['price', '12.50'],
      ['_sku', 'B-007'],
      ['signed', 'yes'],
      ['chapter', 'One'],
      ['chapter', 'Two'],
      ['layout', 'a:1:{s:1:"x";i:1;}'],
      ['title', 'A title beside the title'],
      ['_pages', 'field_5f1a'],
      ['_edit_lock', '1:1'],
      ['_thumbnail_id', '404'],
    ],
    terms: [
      ['genre', 'crime'],
      ['post_tag', 'rain'],
      ['nav_menu', 'main'],
    ],
    values: { 'content:encoded': 'See <a href="https://old.example/book/item-2/">two</a>' },
  }),
  item('book', '2', {
    metas: [['pages', '99']],
    values: { 'wp:post_parent': '5', 'wp:status': 'draft' },
  }),
  item('book', '5', { values: { 'wp:post_parent': '1' } }),
  // Of a plug-in whose types have no addresses.
  item('edition', '3', {
    values: { 'wp:post_parent': '1', link: 'https://old.example/?post_type=edition&p=3' },
  }),
  item('post', '4', { terms: [['genre', 'essay']] }),
  ...['nav_menu_item', 'revision', 'wp_block', 'wp_template', 'acf-field-group', 'custom_css'].map(
    (type, index) => item(type, String(10 + index)),
  ),
  item('Bad type!', '20'),
]);

describe('An import from WordPress with types of a plug-in', () => {
  it('makes types of them, fields of their meta values, and types of their taxonomies, once', async () => {
    const { scene } = importing();
    const outcome = await run(shop);
    expect([outcome.code, lost(outcome)]).toEqual([
      0,
      [
        'book 1 / _edit_lock: the meta value',
        'book 1 / _pages: the meta value',
        'book 1 / en / image: the link to asset 404',
        'book._pages: the meta value',
        'book.layout: the structure',
        'items[10] custom_css 15: the item',
        'items[11] Bad type! 20: the item',
        'items[5] nav_menu_item 10: the item',
        'items[6] revision 11: the item',
        'items[7] wp_block 12: the item',
        'items[8] wp_template 13: the item',
        'items[9] acf-field-group 14: the item',
        'term nav_menu main: the term',
      ],
    ]);
    const of = (type: string) => importedEntries(scene, type);
    const [books, editions, genres] = [await of('book'), await of('edition'), await of('genre')];
    const [posts, tags] = [await of('post'), await of('tag')];
    const linkTo = (entry: { id: string } | undefined) => ({ _ref: entry?.id });
    expect(books.get('1')).toMatchObject({
      status: 'published',
      slug: 'item-1',
      fields: {
        title: 'Item 1',
        pages: 310,
        price: 12.5,
        sku: 'B-007',
        signed: true,
        chapter: ['One', 'Two'],
        layout: 'a:1:{s:1:"x";i:1;}',
        title2: 'A title beside the title',
        genre: [linkTo(genres.get('crime'))],
        tags: [linkTo(tags.get('rain'))],
      },
    });
    const body = books.get('1')?.fields.body as { content: { content: { marks?: object[] }[] }[] };
    expect(body.content[0]?.content[1]?.marks).toEqual([
      { type: 'link', attrs: { entryId: books.get('2')?.id } },
    ]);
    expect(books.get('2')).toMatchObject({ status: 'draft', treeParentId: books.get('5')?.treeNodeId });
    expect(books.get('5')?.treeParentId).toBe(books.get('1')?.treeNodeId);
    expect(editions.get('3')).toMatchObject({
      treeNodeId: null,
      fields: { parent: linkTo(books.get('1')) },
    });
    expect(posts.get('4')?.fields.genre).toMatchObject([linkTo(genres.get('essay'))]);
    expect(genres.get('crime')?.fields).toMatchObject({ name: 'CRIME', parent: linkTo(genres.get('novel')) });
    const redirects = (await new Desk(app(), scene.project).get('/redirects?limit=100')).body as {
      data: { source: string; target: string }[];
    };
    expect(redirects.data.map(({ source, target }) => `${source} ${target}`)).toContain(
      '/book/item-1 /item-1',
    );
    const second = await run(shop);
    expect([second.counts('entry').slice(0, 3), lost(second)]).toEqual([[0, 0, 9], lost(outcome)]);
  });

  it('leaves out a type, a taxonomy and a meta value that the mapping leaves out', async () => {
    const { folder, scene } = importing();
    const dry = await run(shop, '--dry-run');
    expect([dry.counts('entry')[0], dry.output]).toEqual([
      9,
      expect.stringContaining('Nothing was changed.'),
    ]);
    const mapping = [
      'system: wordpress',
      'locales: {en: en}',
      'authors: {}',
      'types:',
      ...['category', 'tag', 'genre', 'page', 'post', 'edition'].map((type) => `  ${type}: null`),
      '  book:',
      '    apiName: volume',
      '    fields:',
      '      title: {apiName: name, kind: text, required: false}',
      '      meta pages: {apiName: pages, kind: integer, required: false}',
      ...[
        'body',
        'excerpt',
        'image',
        'tags',
        'term genre',
        'meta price',
        'meta _sku',
        'meta signed',
        'meta chapter',
      ]
        .concat('meta layout', 'meta title')
        .map((name) => `      ${name}: null`),
    ];
    await writeFile(path.join(folder, 'site.mapping.yaml'), mapping.join('\n'));
    const outcome = await run(shop);
    expect([outcome.code, outcome.counts('type').slice(0, 4)]).toEqual([0, [1, 0, 0, 6]]);
    expect((await importedEntries(scene, 'volume')).get('1')?.fields).toEqual({ name: 'Item 1', pages: 310 });
  });
});
