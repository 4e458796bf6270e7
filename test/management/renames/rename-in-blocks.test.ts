import { beforeEach, describe, expect, it } from '@jest/globals';
import { useOwnApp, type Desk } from '../../support/desk.js';
import { createEntry, createType, publish } from '../../support/factories/content.js';
import { expectConsistent } from '../../support/consistency.js';
import { verifies } from '../../support/verifies.js';
import {
  first,
  itemsIn,
  lookalike,
  need,
  newPage,
  openPages,
  publishedBlocks,
  publishedPage,
  readPage,
  writePage,
} from '../fields/own-blocks.js';

const app = useOwnApp();
let desk: Desk;

beforeEach(async () => {
  desk = await openPages(app());
});

const renameField = (type: string, from: string, apiName: string) =>
  need(desk, 'POST', `/content-types/${type}/fields/${from}/rename`, { apiName });

const renameType = (from: string, apiName: string) =>
  need(desk, 'POST', `/content-types/${from}/rename`, { apiName });

const statusOf = async (id: string) => {
  const { version, locales } = await readPage(desk, id);
  return [version, locales.map(({ locale, status }) => [locale, status])];
};

const allPublished = [
  2,
  [
    ['en', 'published'],
    ['de', 'published'],
  ],
];

describe('the rename of a field of a block type', () => {
  verifies('content/renames');

  it('reaches own blocks on all levels and in every locale, and changes no status', async () => {
    const { id } = await publishedPage(desk);
    await renameField('card', 'heading', 'label');
    await renameField('card', 'tone', 'mood');
    expect(await statusOf(id)).toEqual(allPublished);
    const { fields } = await readPage(desk, id);
    const section = first(fields, 'body').fields;
    expect(first(section, 'cards').fields).toEqual({ label: 'Card', mood: 'calm', data: lookalike });
    expect(first(section, 'extras').fields).toEqual({ label: 'Extra', mood: 'loud', data: lookalike });
    expect(first(fields, 'parts').fields).toEqual({ label: 'Part', mood: 'soft', data: lookalike });
    const german = (await readPage(desk, id, 'de')).fields;
    expect(first(first(german, 'body').fields, 'cards').fields).toEqual({
      label: 'Karte',
      mood: 'calm',
      data: lookalike,
    });
    expect(first(german, 'parts').fields).toMatchObject({ label: 'Teil', mood: 'weich' });
    await expectConsistent(app(), desk.project);
  });

  it('reaches published blocks, also those whose draft is newer', async () => {
    const { id, ids } = await publishedPage(desk);
    const changed = { _ref: ids.part, fields: { heading: 'Newer' } };
    await writePage(desk, id, { version: 2, locale: 'en', fields: { parts: [changed] } });
    await renameField('card', 'heading', 'label');
    const unset = { author: null };
    expect(await publishedBlocks(desk, id)).toMatchObject({
      [ids.card]: { fields: { label: 'Card', tone: 'calm', data: lookalike, ...unset } },
      [ids.extra]: { fields: { label: 'Extra', tone: 'loud', data: lookalike, ...unset } },
      [ids.part]: { fields: { label: 'Part', tone: 'soft', data: lookalike, ...unset } },
    });
    expect(Object.values(await publishedBlocks(desk, id)).some(({ fields }) => 'heading' in fields)).toBe(
      false,
    );
    const { fields, locales } = await readPage(desk, id);
    expect(first(fields, 'parts').fields).toMatchObject({ label: 'Newer' });
    expect(locales.map(({ status }) => status)).toEqual(['changed', 'published']);
    await expectConsistent(app(), desk.project);
  });

  it('keeps blocks in a blocks field that is renamed', async () => {
    const { id, ids } = await publishedPage(desk);
    await renameField('section', 'cards', 'tiles');
    await renameField('page', 'body', 'main');
    expect(await statusOf(id)).toEqual(allPublished);
    const { fields } = await readPage(desk, id, 'de');
    const section = first(fields, 'main');
    expect([section._ref, section.fields.title]).toEqual([ids.section, 'Abschnitt']);
    expect(first(section.fields, 'tiles')).toMatchObject({ _ref: ids.card, fields: { heading: 'Karte' } });
    expect(section.fields).not.toHaveProperty('cards');
    await expectConsistent(app(), desk.project);
  });

  it('leaves entries of other types and shared blocks of the type right', async () => {
    const card = await createEntry(app(), desk.project, {
      contentTypeApiName: 'card',
      fields: { heading: 'Shared', tone: 'calm' },
    });
    const page = await newPage(desk, { title: 'P', body: [{ _ref: card.id, _type: 'card' }] });
    await renameField('card', 'heading', 'label');
    expect((await readPage(desk, card.id)).fields).toEqual({ label: 'Shared', tone: 'calm' });
    expect((await readPage(desk, page.id)).fields.body).toEqual([{ _ref: card.id, _type: 'card' }]);
  });

  it('keeps translations of blocks as current as they are, under the new names', async () => {
    const { id, ids } = await publishedPage(desk);
    const card = { _ref: ids.card, fields: { heading: 'Newer' } };
    const body = [{ _ref: ids.section, fields: { cards: [card] } }];
    await writePage(desk, id, { version: 2, locale: 'en', fields: { body } });
    await publish(app(), desk.project, id, 'en');
    const german = async () => {
      const { locales } = await need<{
        locales: { locale: string; status: string; outdatedFields: string[] }[];
      }>(...([desk, 'GET', `/translations/${id}`] as const));
      return locales.find(({ locale }) => locale === 'de');
    };
    const before = await german();
    expect(before).toMatchObject({ status: 'stale', outdatedFields: [`body[${ids.card}].heading`] });
    await renameField('card', 'heading', 'label');
    await renameField('page', 'body', 'main');
    const path = `main[${ids.card}].label`;
    expect(await german()).toEqual({
      ...before,
      outdatedFields: [path],
      outdated: [expect.objectContaining({ field: path, then: 'Card', now: 'Newer' })],
    });
    await expectConsistent(app(), desk.project);
  });

  it('runs as many statements for many entries with blocks as for two', async () => {
    const counts: number[] = [];
    const part = (name: string) => ({ _type: 'card', fields: { [name]: 'x' } });
    for (const name of ['heading', 'a1']) await newPage(desk, { parts: [part('heading')], title: name });
    for (const [from, to] of [
      ['heading', 'a1'],
      ['a1', 'a2'],
    ] as const) {
      await need(desk, 'GET', '/content-types');
      const { statements } = await app().recordStatements(() => renameField('card', from, to));
      counts.push(statements.length);
      for (let n = 0; n < 10; n += 1) await newPage(desk, { parts: [part(to)] });
    }
    expect(counts[1]).toBe(counts[0]);
  });
});

describe('the rename of a block type', () => {
  verifies('content/renames');

  it('reaches own blocks of the type on all levels, and changes no status', async () => {
    const { id, ids } = await publishedPage(desk);
    await renameType('card', 'tile');
    await renameType('section', 'chapter');
    expect(await statusOf(id)).toEqual(allPublished);
    const { fields } = await readPage(desk, id, 'de');
    const section = first(fields, 'body');
    expect(section).toMatchObject({ _ref: ids.section, _type: 'chapter', fields: { title: 'Abschnitt' } });
    expect(first(section.fields, 'cards')).toEqual({
      _ref: ids.card,
      _type: 'tile',
      fields: { heading: 'Karte', tone: 'calm', data: lookalike },
    });
    expect(first(fields, 'parts')).toMatchObject({ _type: 'tile', fields: { data: lookalike } });
    const english = first((await readPage(desk, id)).fields, 'body');
    expect(first(english.fields, 'extras')).toMatchObject({ _ref: ids.extra, _type: 'tile' });
    const blocks = await publishedBlocks(desk, id);
    expect(blocks[ids.section]?.fields).toMatchObject({
      cards: [{ _ref: ids.card, _type: 'tile' }],
      extras: [{ _ref: ids.extra, _type: 'tile' }],
    });
    expect(blocks[ids.card]?.fields.data).toEqual(lookalike);
    await expectConsistent(app(), desk.project);
  });

  it('reaches links inside own blocks', async () => {
    const { project } = desk;
    await createType(app(), project, {
      apiName: 'quote',
      isBlock: true,
      fields: [{ apiName: 'by', type: 'reference', localized: false, isList: true }],
    });
    await createType(app(), project, {
      apiName: 'book',
      fields: [{ apiName: 'quotes', type: 'blocks', localized: false }],
    });
    const author = await createEntry(app(), project, { contentTypeApiName: 'author', fields: { name: 'A' } });
    await publish(app(), project, author.id);
    const quote = { _type: 'quote', fields: { by: [{ _ref: author.id }] } };
    const book = await createEntry(app(), project, {
      contentTypeApiName: 'book',
      fields: { quotes: [quote] },
    });
    await publish(app(), project, book.id);
    await renameType('author', 'writer');
    const { fields, status } = await readPage(desk, book.id);
    expect(status).toBe('published');
    const link = { _ref: author.id, _type: 'writer' };
    expect(itemsIn(fields, 'quotes').map((item) => item.fields)).toEqual([{ by: [link] }]);
    expect(Object.values(await publishedBlocks(desk, book.id))).toMatchObject([{ fields: { by: [link] } }]);
  });
});

describe('versions from before a rename', () => {
  verifies('content/renames');

  it('are read and restored under the new names of types and fields', async () => {
    const { id, ids } = await publishedPage(desk);
    const section = { _ref: ids.section, fields: { cards: [{ _ref: ids.card, fields: { heading: 'B' } }] } };
    await writePage(desk, id, { version: 2, locale: 'en', fields: { body: [section] } });
    await renameField('card', 'heading', 'label');
    await renameType('card', 'tile');
    await renameField('section', 'cards', 'tiles');
    await renameField('page', 'body', 'main');
    const versions = await need<{ changedFields: string[] }[]>(
      desk,
      'GET',
      `/entries/${id}/versions?orderBy=createdAt:asc`,
    );
    const path = `main[${ids.section}].tiles[${ids.card}].label`;
    expect(versions[2]?.changedFields).toEqual([path]);
    const read = await need<{ snapshot: { fields: Record<string, object> } }>(
      desk,
      'GET',
      `/entries/${id}/versions/2`,
    );
    const restored = await need(desk, 'POST', `/entries/${id}/restore`, { versionNum: 2 });
    for (const fields of [read.snapshot.fields.en ?? {}, restored.fields]) {
      const tile = first(first(fields, 'main').fields, 'tiles');
      expect(tile).toEqual({
        _ref: ids.card,
        _type: 'tile',
        fields: { label: 'Card', tone: 'calm', data: lookalike },
      });
    }
    const german = first(read.snapshot.fields.de ?? {}, 'main');
    expect(first(german.fields, 'tiles').fields).toMatchObject({ label: 'Karte' });
  });
});
