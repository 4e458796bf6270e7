import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  asset,
  entry,
  field,
  link,
  node,
  space,
  text,
  type,
  note,
  post,
} from '../support/contentful-space.js';
import { Desk, useApp } from '../support/desk.js';
import { contentfulRuns, importedEntries, useImports, whats } from '../support/export-import.js';
import { verifies } from '../support/verifies.js';

verifies('entries/import-exports');

const app = useApp();
const importing = useImports(app);

const { run } = contentfulRuns(importing);

describe('An import from Contentful', () => {
  it('brings every kind of field with its validations', async () => {
    const { folder, scene } = importing();
    const fields = [
      field('title', 'Symbol', {
        required: true,
        validations: [{ unique: true }, { size: { min: 2, max: 60 } }],
      }),
      field('slug', 'Symbol', { validations: [{ regexp: { pattern: '^[a-z-]+$', flags: null } }] }),
      field('text', 'Text'),
      field('count', 'Integer', { validations: [{ range: { min: 1, max: 9 } }] }),
      field('price', 'Number'),
      field('isGood', 'Boolean'),
      field('day', 'Date'),
      field('time', 'Date'),
      field('place', 'Location'),
      field('data', 'Object'),
      field('colour', 'Symbol', { validations: [{ in: ['red', 'blue'] }] }),
      field('words', 'Array', {
        items: { type: 'Symbol', validations: [] },
        validations: [{ size: { max: 3 } }],
      }),
      field('next', 'Link', { linkType: 'Entry', validations: [{ linkContentType: ['post'] }] }),
      field('others', 'Array', { items: { type: 'Link', linkType: 'Entry', validations: [] } }),
      field('images', 'Array', {
        items: { type: 'Link', linkType: 'Asset', validations: [{ linkMimetypeGroup: ['image'] }] },
      }),
      field('odd', 'Matrix'),
    ];
    const plain = { title: 'The lock', slug: 'the-lock', text: 'Long', count: 3, price: 1.5, isGood: true };
    const values = {
      ...plain,
      day: '2020-02-03',
      time: '2020-02-03T04:05+01:00',
      place: { lat: 52.1, lon: 13.2 },
      data: { a: [1] },
      colour: 'red',
      words: ['a', 'b'],
      next: link('Entry', 'a'),
      others: [link('Entry', 'a')],
      images: [link('Asset', 'pic')],
      odd: [[1, 2]],
    };
    await mkdir(path.join(folder, 'images.example.com'));
    await writeFile(
      path.join(folder, 'images.example.com', 'pic.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
    );
    const localized = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, { en: value }]),
    );
    const outcome = await run(
      space({
        contentTypes: [type('post', fields)],
        entries: [entry('post', 'a', localized)],
        assets: [asset('pic', '//images.example.com/pic.svg')],
      }),
    );
    expect(whats(outcome, 'field')).toEqual(['post.odd: the kind Matrix']);
    const found = (await importedEntries(scene, 'post')).get('a');
    const self = { _ref: found?.id, _type: 'post' };
    const { images, ...others } = found?.fields ?? {};
    expect(others).toEqual({
      ...values,
      time: '2020-02-03T04:05:00+01:00',
      place: { lat: 52.1, lng: 13.2 },
      next: self,
      others: [self],
      images: undefined,
    });
    expect(images).toEqual([{ _ref: expect.any(String), _type: 'MediaAsset' }]);
    expect([found?.slug, found?.status]).toEqual(['the-lock', 'published']);
    const { body } = await new Desk(app(), scene.project).get('/content-types/post');
    const made = (body as { data: { fields: { apiName: string }[] } }).data.fields;
    const shape = Object.fromEntries(made.map((one) => [one.apiName, one]));
    expect(shape).toMatchObject({
      title: { type: 'text', required: true, unique: true, validations: { minLength: 2, maxLength: 60 } },
      slug: { type: 'slug', validations: { pattern: '^[a-z-]+$' } },
      count: { type: 'integer', validations: { min: 1, max: 9 } },
      day: { type: 'date' },
      time: { type: 'dateTime' },
      colour: { type: 'select', settings: { options: [{ value: 'red' }, { value: 'blue' }] } },
      words: { type: 'text', isList: true, validations: { maxItems: 3 } },
      next: { type: 'reference', settings: { contentTypes: ['post'] } },
      images: { type: 'media', isList: true, validations: { mimeTypes: ['image/*'] } },
      odd: { type: 'json' },
    });
  });

  it('turns rich text into ours, with links, embeds and tables', async () => {
    const { scene } = importing();
    const paragraph = (...content: object[]) => node('paragraph', content);
    const document = node('document', [
      node('heading-2', [text('Locks')]),
      paragraph(
        text('A ', 'bold'),
        node('hyperlink', [text('site')], { uri: 'https://example.com' }),
        text('x\ny', 'code', 'blink'),
      ),
      paragraph(
        node('entry-hyperlink', [text('other')], { target: link('Entry', 'b') }),
        node('embedded-entry-inline', [], { target: link('Entry', 'b') }),
      ),
      node('unordered-list', [node('list-item', [paragraph(text('one'))]), node('list-item')]),
      node('table', [
        node('table-row', [
          node('table-header-cell', [paragraph(text('h'))]),
          node('table-cell', [paragraph(text('c'))]),
        ]),
      ]),
      node('hr'),
      node('embedded-entry-block', [], { target: link('Entry', 'b') }),
      node('embedded-asset-block', [], { target: link('Asset', 'gone') }),
      node('carousel', [paragraph(text('kept'))]),
      paragraph(node('hyperlink', [text('bad')], { uri: 'javascript:alert(1)' })),
    ]);
    const outcome = await run(
      space({
        contentTypes: [type('post', [field('title', 'Symbol'), field('body', 'RichText')])],
        entries: [note('a', { body: { en: document } }), note('b')],
      }),
    );
    expect(whats(outcome, 'entry')).toEqual([
      'entry a / en / body: the mark blink',
      'entry a / en / body: the link to asset gone',
      'entry a / en / body: the node carousel',
      'entry a / en / body: the link to javascript:alert(1)',
    ]);
    const entries = await importedEntries(scene, 'post');
    const entryId = entries.get('b')?.id;
    const plain = (value: string) => ({ type: 'paragraph', content: [{ type: 'text', text: value }] });
    const code = { marks: [{ type: 'code' }] };
    expect(entries.get('a')?.fields.body).toEqual({
      type: 'doc',
      content: [
        { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Locks' }] },
        {
          type: 'paragraph',
          content: [
            { type: 'text', text: 'A ', marks: [{ type: 'bold' }] },
            { type: 'text', text: 'site', marks: [{ type: 'link', attrs: { href: 'https://example.com' } }] },
            { type: 'text', text: 'x', ...code },
            { type: 'hardBreak' },
            { type: 'text', text: 'y', ...code },
          ],
        },
        {
          type: 'paragraph',
          content: [
            { type: 'text', text: 'other', marks: [{ type: 'link', attrs: { entryId } }] },
            { type: 'entryMention', attrs: { entryId } },
          ],
        },
        {
          type: 'bulletList',
          content: [
            { type: 'listItem', content: [plain('one')] },
            { type: 'listItem', content: [{ type: 'paragraph' }] },
          ],
        },
        {
          type: 'table',
          content: [
            {
              type: 'tableRow',
              content: [
                { type: 'tableHeader', content: [plain('h')] },
                { type: 'tableCell', content: [plain('c')] },
              ],
            },
          ],
        },
        { type: 'horizontalRule' },
        { type: 'entryEmbed', attrs: { entryId } },
        plain('kept'),
        plain('bad'),
      ],
    });
  });

  it('brings locales with their fallbacks, and states', async () => {
    const { scene } = importing();
    const locales = [
      { code: 'en', name: 'English', default: true, fallbackCode: null },
      { code: 'it-CH', name: 'Swiss', fallbackCode: 'it' },
      { code: 'it', name: 'Italian', fallbackCode: 'en' },
    ];
    const fields = [field('title', 'Symbol', { localized: true }), field('count', 'Integer')];
    const titled = (id: string, sys: object = {}) =>
      entry('post', id, { title: { en: id, it: `${id} it` }, count: { en: 1 } }, sys);
    const outcome = await run(
      space({
        locales,
        contentTypes: [type('post', fields)],
        entries: [
          titled('live'),
          titled('draft', { publishedVersion: undefined }),
          titled('changed', { version: 9 }),
          titled('archived', { archivedVersion: 3 }),
        ],
      }),
    );
    expect(outcome.code).toBe(0);
    expect(whats(outcome, 'entry')).toEqual([
      'entry changed: the published version',
      'entry archived: archived',
    ]);
    const italian = await importedEntries(scene, 'post', 'it');
    expect(
      [...italian].map(([id, { fields: values, locales: own }]) => [
        id,
        values,
        own.map(({ status }) => status),
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['live', { title: 'live it', count: 1 }, ['published', 'published']],
        ...['draft', 'changed', 'archived'].map((id) => [
          id,
          { title: `${id} it`, count: 1 },
          ['draft', 'draft'],
        ]),
      ]),
    );
    const desk = new Desk(app(), scene.project);
    const { data } = (await desk.get('/locales')).body as {
      data: { code: string; fallbackCode: string | null }[];
    };
    const fallbacks = Object.fromEntries(data.map(({ code, fallbackCode }) => [code, fallbackCode]));
    expect(fallbacks).toMatchObject({ 'it-CH': 'it', it: 'en' });
    expect((await desk.get('/content-types/post')).body).toMatchObject({
      data: { isLocalized: true, fieldFallback: true },
    });
  });

  it('links entries in a cycle that is longer than a batch', async () => {
    const { scene } = importing();
    const count = 150;
    const ring = Array.from({ length: count }, (_, index) =>
      note(`n${String(index)}`, { next: { en: link('Entry', `n${String((index + 1) % count)}`) } }),
    );
    const content = space({ contentTypes: [post], entries: ring });
    expect((await run(content)).counts('entry')).toEqual([count, 0, 0, 0, 0]);
    const entries = await importedEntries(scene, 'post');
    const ids = new Map([...entries].map(([key, { id }]) => [id, key]));
    const next = (key: string) => ids.get((entries.get(key)?.fields.next as { _ref: string })._ref);
    expect(
      [...entries.keys()].filter((key) => next(key) !== `n${String((Number(key.slice(1)) + 1) % count)}`),
    ).toEqual([]);
    expect([...entries.values()].every(({ status }) => status === 'published')).toBe(true);
    expect((await run(content)).counts('entry')).toEqual([0, 0, count, 0, 0]);
  });
});
