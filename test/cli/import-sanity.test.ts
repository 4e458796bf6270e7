import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { packTar, type TarEntry } from 'modern-tar';
import { useApp } from '../support/desk.js';
import { importExport, importedEntries, useImports, type ImportOutcome } from '../support/export-import.js';
import { verifies } from '../support/verifies.js';

verifies('entries/import-exports');

const app = useApp();
const importing = useImports(app);

const picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';
const hash = 'a'.repeat(40);
const picturePath = `images/${hash}-1x1.svg`;

/** As AssetHandler of @sanity/export rewrites a field with an asset. */
const image = { _type: 'image', _sanityAsset: `image@file://./${picturePath}`, alt: 'A lock' };
const reference = (id: string) => ({ _type: 'reference', _ref: id });
const words = (text: string, ...marks: string[]) => ({ _type: 'span', text, marks });
const block = (children: object[], more: object = {}) => ({
  _type: 'block',
  style: 'normal',
  markDefs: [],
  children,
  ...more,
});
const item = (text: string, level: number, listItem = 'bullet') => block([words(text)], { level, listItem });

/** `internationalizedArray*Value` is what sanity-plugin-internationalized-array stores. */
const inLocales = (values: Record<string, string>) =>
  Object.entries(values).map(([key, value]) => ({
    _key: key,
    _type: 'internationalizedArrayStringValue',
    value,
  }));

const dated = { _createdAt: '2020-01-02T03:04:05Z', _updatedAt: '2020-02-03T04:05:06Z' };

const documents = [
  {
    ...dated,
    _id: 'a',
    _type: 'post',
    title: inLocales({ en: 'Lock', de: 'Schleuse' }),
    slug: { _type: 'slug', current: 'lock' },
    rank: 3,
    day: '2020-01-01',
    open: true,
    place: { _type: 'geopoint', lat: 52.1, lng: 13.2 },
    author: reference('ada'),
    photo: image,
    words: ['x', 'y'],
    seo: { title: 'T' },
    body: [
      block([words('Head')], { style: 'h2' }),
      block([words('b', 'strong', 'odd'), words('l', 'web'), words('e', 'inner'), words('n', 'note')], {
        markDefs: [
          { _key: 'web', _type: 'link', href: 'https://example.com' },
          { _key: 'inner', _type: 'internalLink', reference: reference('b') },
          { _key: 'note', _type: 'footnote' },
        ],
      }),
      ...[item('1', 1), item('1.1', 2, 'number'), item('2', 1)],
      { ...image, caption: 'Cap' },
      { _type: 'code', language: 'js', code: 'a\nb' },
      { _type: 'gallery', images: [] },
      block([{ _type: 'span', text: 'q\nr' }], { style: 'blockquote' }),
    ],
  },
  {
    ...dated,
    _id: 'b',
    _type: 'post',
    title: inLocales({ en: 'Gate' }),
    related: [reference('a'), reference('gone')],
  },
  { ...dated, _id: 'drafts.b', _type: 'post', title: inLocales({ en: 'Changed' }) },
  { ...dated, _id: 'drafts.c', _type: 'post', title: inLocales({ en: 'Draft' }) },
  { _id: 'ada', _type: 'person', name: 'Ada' },
  { _id: 'translation', _type: 'translation.metadata' },
  { _id: 'image-x', _type: 'sanity.imageAsset' },
  { _type: 'broken' },
];

const data = (lines: readonly object[]): string => lines.map((line) => JSON.stringify(line)).join('\n');

const files: Record<string, string> = {
  'data.ndjson': `${data(documents)}\n{`,
  'assets.json': JSON.stringify({ [`image-${hash}`]: { originalFilename: 'lock.svg', title: 'The lock' } }),
  [picturePath]: picture,
};

/** The archive has a folder around its files. */
const entries = (given = files): TarEntry[] =>
  Object.entries(given).map(([name, body]) => ({
    header: { name: `production/${name}`, size: Buffer.byteLength(body), type: 'file' },
    body,
  }));

async function run(archive: Uint8Array, name = 'production.tgz'): Promise<ImportOutcome> {
  const { folder, scene } = importing();
  await writeFile(path.join(folder, name), archive);
  return importExport(scene, 'sanity', path.join(folder, name));
}

const lost = ({ losses }: ImportOutcome): string[] => losses.map(({ where, what }) => `${where}: ${what}`);
const unpacked = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith(`headwater-export-${String(process.pid)}-`));

describe('An import from Sanity', () => {
  it('brings documents, references, Portable Text, locales, drafts and files, once', async () => {
    const { scene } = importing();
    const before = await unpacked();
    const archive = gzipSync(await packTar(entries()));
    const outcome = await run(archive);
    expect([outcome.code, lost(outcome).sort()]).toEqual([
      0,
      [
        'assets: dates and authors',
        'data.ndjson, line 6: the document',
        'data.ndjson, line 8: the document',
        'data.ndjson, line 9: the document',
        'post a / en / body: the annotation footnote',
        'post a / en / body: the block gallery',
        'post a / en / body: the mark odd',
        'post b / en / related: the link to gone',
        'post b: the changed draft',
        'post.seo: the structure',
      ],
    ]);
    const posts = await importedEntries(scene, 'post');
    const people = await importedEntries(scene, 'person');
    expect([...posts].map(([id, { status }]) => `${id} ${status}`).sort()).toEqual([
      'a published',
      'b published',
      'c draft',
    ]);
    const media = { _ref: expect.any(String), _type: 'MediaAsset' };
    expect(posts.get('a')).toMatchObject({
      slug: 'lock',
      createdAt: '2020-01-02T03:04:05.000Z',
      fields: {
        title: 'Lock',
        rank: 3,
        day: '2020-01-01',
        open: true,
        place: { lat: 52.1, lng: 13.2 },
        author: { _ref: people.get('ada')?.id, _type: 'person' },
        photo: media,
        words: ['x', 'y'],
        seo: { title: 'T' },
      },
    });
    expect(posts.get('b')?.fields).toMatchObject({ title: 'Gate', related: [{ _ref: posts.get('a')?.id }] });
    expect((await importedEntries(scene, 'post', 'de')).get('a')?.fields.title).toBe('Schleuse');
    const text = (value: string, ...marks: object[]) => ({
      type: 'text',
      text: value,
      ...(marks.length > 0 && { marks }),
    });
    const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
    const listItem = (...content: object[]) => ({ type: 'listItem', content });
    expect(posts.get('a')?.fields.body).toMatchObject({
      type: 'doc',
      content: [
        { type: 'heading', attrs: { level: 2 }, content: [text('Head')] },
        paragraph(
          text('b', { type: 'bold' }),
          text('l', { type: 'link', attrs: { href: 'https://example.com' } }),
          text('e', { type: 'link', attrs: { entryId: posts.get('b')?.id } }),
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
        { type: 'assetEmbed', attrs: { alt: 'A lock', caption: 'Cap' } },
        { type: 'codeBlock', attrs: { language: 'js' }, content: [text('a\nb')] },
        { type: 'blockquote', content: [paragraph(text('q'), { type: 'hardBreak' }, text('r'))] },
      ],
    });
    const second = await run(archive);
    expect([second.counts('entry').slice(0, 3), second.counts('asset').slice(0, 3)]).toEqual([
      [0, 0, 4],
      [0, 0, 1],
    ]);
    expect(await unpacked()).toEqual(before);
  });

  it('reads a folder, and says that the types are derived from the documents', async () => {
    const { folder, scene } = importing();
    await mkdir(path.join(folder, 'data.set'));
    await writeFile(
      path.join(folder, 'data.set', 'data.ndjson'),
      data([{ _id: 'x', _type: 'note', title: 'X', photo: image, map: { a: 1 } }]),
    );
    const outcome = await importExport(scene, 'sanity', path.join(folder, 'data.set'));
    expect(outcome.code).toBe(0);
    expect(lost(outcome)).toEqual([
      'note.map: the structure',
      `note x: the file image@file://./${picturePath}`,
      'note x / en / photo: the link to asset image@file://./' + picturePath,
    ]);
    expect(outcome.losses[0]?.why).toContain('The export has no schema');
    expect([...(await importedEntries(scene, 'note')).values()][0]?.fields.title).toBe('X');
  });

  const outside: TarEntry = { header: { name: '../out.txt', size: 1, type: 'file' }, body: 'x' };
  const link: TarEntry = {
    header: { name: 'production/images', size: 0, type: 'symlink', linkname: '/etc' },
  };
  const absolute: TarEntry = { header: { name: '/tmp/headwater-out.txt', size: 1, type: 'file' }, body: 'x' };

  it.each<[what: string, archive: () => Promise<Uint8Array>, reason: string]>([
    ['with a path outside', async () => gzipSync(await packTar([outside])), 'is outside the archive'],
    ['with an absolute path', async () => gzipSync(await packTar([absolute])), 'is outside the archive'],
    ['with a link', async () => gzipSync(await packTar([link])), 'is a link or device'],
    [
      'that is truncated',
      async () => gzipSync(await packTar(entries())).subarray(0, -60),
      'damaged, incomplete',
    ],
    ['that is no archive', async () => Promise.resolve(Buffer.from('hello')), 'damaged, incomplete'],
    [
      'without documents',
      async () => gzipSync(await packTar(entries({ 'assets.json': '{}' }))),
      'it has no data.ndjson',
    ],
    [
      'that is a bomb',
      async () =>
        gzipSync(
          await packTar([
            {
              header: { name: 'data.ndjson', size: 100_000_000, type: 'file' },
              body: Buffer.alloc(100_000_000),
            },
          ]),
        ),
      'data.ndjson is compressed to less than 1/200',
    ],
  ])('refuses an archive %s in one line', async (_, archive, reason) => {
    const before = await unpacked();
    const { code, output } = await run(await archive());
    expect([code, output.trim().split('\n')]).toEqual([1, [expect.stringContaining(reason)]]);
    expect(await unpacked()).toEqual(before);
    expect(await readdir(importing().folder)).toEqual(['production.tgz']);
  });
});
