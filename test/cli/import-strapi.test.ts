import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { Desk, useApp } from '../support/desk.js';
import { importExport, importedEntries, useImports, type ImportOutcome } from '../support/export-import.js';
import {
  ARTICLE,
  schemas,
  strapiArchive,
  strapiFiles,
  strapiFolder,
  strapiLink,
  strapiPart,
} from '../support/strapi-export.js';
import { verifies } from '../support/verifies.js';

verifies('entries/import-exports');

const app = useApp();
const importing = useImports(app);

async function run(archive: Uint8Array, name = 'shop.tar.gz', ...options: string[]): Promise<ImportOutcome> {
  const { folder, scene } = importing();
  await writeFile(path.join(folder, name), archive);
  return importExport(scene, 'strapi', path.join(folder, name), ...options);
}

const compressed = async (files = strapiFiles): Promise<Uint8Array> => gzipSync(await strapiArchive(files));
const lost = ({ losses }: ImportOutcome): string[] =>
  losses.map(({ where, what }) => `${where}: ${what}`).sort();
const unpacked = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith(`headwater-export-${String(process.pid)}-`));
const text = (value: string, ...marks: object[]) => ({
  type: 'text',
  text: value,
  ...(marks.length > 0 && { marks }),
});
const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
const listItem = (...content: object[]) => ({ type: 'listItem', content });

const article = 'api::article.article';
const expectedLosses = [
  `${article} a / en / body: the block gallery`,
  `${article} a / en / body: the link to javascript:alert(1)`,
  `${article} a / en / related: the link to ${article} 99`,
  `${article} a / en / sections: the component sections.gone`,
  `${article} a / en / shots: the link to asset 8`,
  `${article} a / en / slug: the slug lock`,
  `${article} b / en: the changed draft`,
  `${article}.big: the kind biginteger`,
  `${article}.key: the field`,
  `${article}.odd: the kind enumeration`,
  `${article}.owner: the field`,
  `${article}.secret: private`,
  `${article}.tone: the kind plugin::tones.tone`,
  'api::tag.tag.articles: the field',
  'asset 8: the file /uploads/gone.png',
  'assets: dates and authors',
  'entities/entities_00002.jsonl, line 7: the entry',
  'entities/entities_00002.jsonl, line 8: the line',
  'folder Locks: the folder',
  'links/links_00001.jsonl, line 12: the link',
  'plugin::users-permissions.user: 1 entries',
  'users: authors',
  'webhook deploy: the webhook',
];

describe('An import from Strapi', () => {
  it('brings types, components as blocks, links, rich text, locales, states and files, once', async () => {
    const { scene } = importing();
    const before = await unpacked();
    const outcome = await run(await compressed());
    expect([outcome.code, outcome.counts('entry').slice(0, 3), lost(outcome)]).toEqual([
      0,
      [6, 0, 0],
      expectedLosses,
    ]);
    const desk = new Desk(app(), scene.project);
    const types = (await desk.get('/content-types?limit=100')).body as { data: object[] };
    expect(types.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ apiName: 'home', isSingleton: true, isBlock: false }),
        expect.objectContaining({ apiName: 'sections_hero', isBlock: true }),
      ]),
    );
    const articles = await importedEntries(scene, 'article');
    const tags = await importedEntries(scene, 'tag');
    expect([...articles].map(([id, { status }]) => `${id} ${status}`).sort()).toEqual([
      'a published',
      'b published',
      'c draft',
    ]);
    const a = articles.get('a');
    const media = { _ref: expect.any(String), _type: 'MediaAsset' };
    const linkTo = (id: string) => ({ _ref: articles.get(id)?.id, _type: 'article' });
    expect(a).toMatchObject({
      createdAt: '2020-01-02T03:04:05.000Z',
      locales: [
        { locale: 'de', status: 'draft' },
        { locale: 'en', status: 'published', publishedAt: '2020-03-04T05:06:07.000Z' },
      ],
      fields: {
        title: 'Lock',
        slug: 'lock',
        rank: 3,
        big: '9007199254740993',
        open: true,
        day: '2020-01-01',
        kind: 'long',
        odd: 'two',
        facts: { a: [1] },
        tone: { hue: 3 },
        cover: media,
        shots: [media],
        tags: ['u', 't'].map((id) => ({ _ref: tags.get(id)?.id })),
        related: [linkTo('b')],
        notes: { content: [{ type: 'paragraph' }, { type: 'assetEmbed', attrs: { alt: 'A lock' } }, {}] },
        seo: {
          _type: 'shared_seo',
          fields: {
            metaTitle: 'Meta',
            links: [{ fields: { label: 'one' } }, { fields: { label: 'two', target: linkTo('c') } }],
          },
        },
        sections: [
          { _type: 'sections_hero', fields: { text: { content: [{ type: 'heading' }] }, picture: media } },
          { _type: 'sections_quote', fields: { words: 'Q' } },
          { _type: 'sections_hero', fields: { text: { content: [paragraph(text('Again'))] } } },
        ],
      },
    });
    expect(a?.fields).not.toHaveProperty('key');
    expect(articles.get('b')?.fields).toMatchObject({ title: 'Gate', related: [linkTo('a')] });
    expect((a?.fields.body as { content: unknown }).content).toMatchObject([
      { type: 'heading', attrs: { level: 2 }, content: [text('Head')] },
      paragraph(
        text('b', { type: 'bold' }),
        text('l', { type: 'link', attrs: { href: 'https://example.com' } }, { type: 'italic' }),
        text('n'),
      ),
      {
        type: 'bulletList',
        content: [
          listItem(paragraph(text('1')), {
            type: 'orderedList',
            content: [listItem(paragraph(text('1.1')))],
          }),
          listItem(paragraph(text('2'))),
        ],
      },
      { type: 'assetEmbed', attrs: { alt: 'A lock' } },
      { type: 'codeBlock', attrs: { language: 'js' }, content: [text('a\nb')] },
      { type: 'blockquote', content: [paragraph(text('q'), { type: 'hardBreak' }, text('r'))] },
    ]);
    expect((await importedEntries(scene, 'article', 'de')).get('a')?.fields).toMatchObject({
      title: 'Schleuse',
      rank: 3,
      seo: { fields: { metaTitle: 'Meta' } },
      sections: [{ _type: 'sections_quote', fields: { words: 'Z' } }],
    });
    const second = await run(await compressed());
    expect([
      second.code,
      second.counts('entry').slice(0, 3),
      second.counts('asset').slice(0, 3),
      lost(second),
    ]).toEqual([0, [0, 0, 6], [0, 0, 1], expectedLosses]);
    expect(await unpacked()).toEqual(before);
  });

  it('joins the locales of an export of Strapi 4, whose rows are linked, and leaves drafts alone', async () => {
    const { scene } = importing();
    const times = { createdAt: '2020-01-02T03:04:05.000Z', updatedAt: '2020-02-03T04:05:06.000Z' };
    const row = (id: number, locale: string, title: string, isPublished: boolean) => ({
      type: ARTICLE,
      id,
      data: { ...times, locale, title, publishedAt: isPublished ? times.updatedAt : null, seo: { id } },
    });
    const joined = (from: number, to: number) => strapiLink([ARTICLE, from, 'localizations'], [ARTICLE, to]);
    const archive = await strapiArchive({
      ...strapiPart('schemas', schemas),
      ...strapiPart('entities', [
        ...[row(12, 'de', 'Schleuse', true), row(4, 'en', 'Lock', false), row(30, 'fr', 'Écluse', true)],
        ...[row(5, 'en', 'Alone', true), row(6, 'en', 'Twice', true)],
      ]),
      // Each row names the others, in a circle.
      ...strapiPart('links', [joined(12, 30), joined(4, 12), joined(30, 4), joined(5, 6), joined(6, 5)]),
      ...strapiPart('configuration', [
        { type: 'core-store', value: { key: 'plugin_i18n_default_locale', value: 'en' } },
      ]),
    });
    const outcome = await run(archive, 'old.tar');
    expect([outcome.code, outcome.counts('entry').slice(0, 3)]).toEqual([0, [2, 0, 0]]);
    expect(lost(outcome)).toContain(`${ARTICLE} 5 / en: the row 6`);
    // A published component has no title.
    expect(lost(outcome)).toContain('shared.seo.metaTitle: required');
    const found = await importedEntries(scene, 'article');
    expect([...found.keys()].sort()).toEqual(['4', '5']);
    expect(found.get('4')?.fields.title).toBe('Lock');
    expect(
      found
        .get('4')
        ?.locales.map(({ locale, status }) => `${locale} ${status}`)
        .sort(),
    ).toEqual(['de published', 'en draft', 'fr published']);
    expect((await importedEntries(scene, 'article', 'fr')).get('4')?.fields.title).toBe('Écluse');
    const second = await run(archive, 'old.tar');
    expect(second.counts('entry').slice(0, 3)).toEqual([0, 0, 2]);
  });

  it('changes nothing in a dry run, leaves out what the mapping says, and resumes', async () => {
    const { folder, scene } = importing();
    const archive = await compressed();
    const dry = await run(archive, 'shop.tar.gz', '--dry-run');
    expect([dry.code, dry.counts('entry')[0], dry.output]).toEqual([
      0,
      6,
      expect.stringContaining('Nothing was changed.'),
    ]);
    const mapping = path.join(folder, 'shop.tar.mapping.yaml');
    const edited = (await readFile(mapping, 'utf8'))
      .replace('apiName: article\n', 'apiName: story\n')
      .replace(/secret:\s+apiName: secret\s+kind: text\s+required: false/, 'secret: null')
      .replace(/sections.quote:\n\s+apiName: sections_quote[^]*?(?=\n {2}\S|$)/, 'sections.quote: null');
    await writeFile(mapping, edited);
    const outcome = await run(archive, 'shop.tar.gz', '--resume');
    expect([outcome.code, outcome.counts('type')[3], outcome.counts('field')[3]]).toEqual([0, 1, 1]);
    expect(lost(outcome)).toContain(`${article} a / en / sections: the link to block sections.quote`);
    const { fields } = (await importedEntries(scene, 'story')).get('a') ?? {};
    expect(fields).not.toHaveProperty('secret');
    expect(fields?.sections).toMatchObject([{ _type: 'sections_hero' }, { _type: 'sections_hero' }]);
    expect(await readdir(folder)).toEqual(['shop.tar.gz', 'shop.tar.losses.jsonl', 'shop.tar.mapping.yaml']);
  });

  it('reads the folder that an archive unpacks to, and refuses what is no export of Strapi', async () => {
    const { folder, scene } = importing();
    await strapiFolder(path.join(folder, 'shop'));
    await mkdir(path.join(folder, 'empty'));
    expect((await importExport(scene, 'strapi', path.join(folder, 'shop'))).counts('entry')[0]).toBe(6);
    const { code, output } = await importExport(scene, 'strapi', path.join(folder, 'empty'));
    expect([code, output]).toEqual([1, expect.stringContaining('it has no folder schemas')]);
  });
});
