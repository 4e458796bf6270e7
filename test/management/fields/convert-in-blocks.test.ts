import { beforeEach, describe, expect, it } from '@jest/globals';
import { outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';
import { expectConsistent } from '../../support/consistency.js';
import { verifies } from '../../support/verifies.js';
import {
  first,
  itemsIn,
  newPage,
  openPages,
  publishedBlocks,
  publishedPage,
  readPage,
  writePage,
} from './own-blocks.js';

const app = useOwnApp();
let desk: Desk;

beforeEach(async () => {
  desk = await openPages(app());
});

const convert = (type: string, field: string, body: object) =>
  desk.put(`/content-types/${type}/fields/${field}`, body);

const statuses = async (id: string) => (await readPage(desk, id)).locales.map(({ status }) => status);

const fieldsIn = async (id: string, locale: string) => (await readPage(desk, id, locale)).fields;

/** What a locale of {@link publishedPage} has in its blocks. */
async function texts(id: string, locale: string) {
  const fields = await fieldsIn(id, locale);
  const section = first(fields, 'body').fields;
  return {
    section: section.title,
    card: first(section, 'cards').fields.heading,
    tone: first(section, 'cards').fields.tone,
    part: first(fields, 'parts').fields.heading,
  };
}

const english = { section: 'Section', card: 'Card', tone: 'calm', part: 'Part' };
const german = { section: 'Abschnitt', card: 'Karte', tone: 'calm', part: 'Teil' };

async function expectUnchanged(id: string): Promise<void> {
  expect([await texts(id, 'en'), await texts(id, 'de')]).toEqual([english, german]);
  expect(await statuses(id)).toEqual(['published', 'published']);
  await expectConsistent(app(), desk.project);
}

describe('a field of a block type', () => {
  verifies('content/conversions');

  it('that becomes localized has the value in every locale, and each changes alone', async () => {
    const { id, ids } = await publishedPage(desk);
    expect((await convert('card', 'tone', { localized: true })).status).toBe(200);
    await expectUnchanged(id);
    const card = { _ref: ids.card, fields: { tone: 'ruhig' } };
    const body = [{ _ref: ids.section, fields: { cards: [card] } }];
    await writePage(desk, id, { version: 2, locale: 'de', fields: { body } });
    expect([(await texts(id, 'en')).tone, (await texts(id, 'de')).tone]).toEqual(['calm', 'ruhig']);
    expect(await statuses(id)).toEqual(['published', 'changed']);
    await expectConsistent(app(), desk.project);
  });

  it('that becomes shared is 409 with what is lost, and keeps the values of the default locale', async () => {
    const { id } = await publishedPage(desk);
    await newPage(desk, { parts: [{ _type: 'card', fields: { heading: 'Alone' } }] });
    const refused = await convert('card', 'heading', { localized: false });
    expect([outcome(refused), refused.body.details]).toEqual([
      [409, 'field_in_use'],
      { entryCount: 1, lost: { values: 1, entries: 1 } },
    ]);
    expect((await convert('card', 'heading', { localized: false, allowDestructive: true })).status).toBe(200);
    expect(await texts(id, 'en')).toEqual(english);
    // A block in a localized list has values of its locale alone.
    expect(await texts(id, 'de')).toEqual({ ...german, card: 'Card' });
    expect(await statuses(id)).toEqual(['published', 'changed']);
    await expectConsistent(app(), desk.project);
  });

  it('that becomes shared loses nothing where only one locale has a value', async () => {
    const made = await newPage(desk, { title: 'P', body: [{ _type: 'card', fields: { tone: 'x' } }] });
    const block = { _ref: first(made.fields, 'body')._ref, fields: { heading: 'Nur hier' } };
    await writePage(desk, made.id, { version: 1, locale: 'de', fields: { body: [block] } });
    expect((await convert('card', 'heading', { localized: false })).status).toBe(200);
    for (const locale of ['en', 'de'])
      expect(first(await fieldsIn(made.id, locale), 'body').fields).toEqual({
        tone: 'x',
        heading: 'Nur hier',
      });
    await expectConsistent(app(), desk.project);
  });

  it('that becomes a list, and one value again, keeps its values', async () => {
    const { id, ids } = await publishedPage(desk);
    for (const name of ['heading', 'tone'])
      expect((await convert('card', name, { isList: true })).status).toBe(200);
    expect([await texts(id, 'en'), await texts(id, 'de')]).toEqual([
      { ...english, card: ['Card'], tone: ['calm'], part: ['Part'] },
      { ...german, card: ['Karte'], tone: ['calm'], part: ['Teil'] },
    ]);
    const { [ids.card]: card } = await publishedBlocks(desk, id, 'de');
    expect(card?.fields).toMatchObject({ heading: ['Karte'], tone: ['calm'] });
    await expectConsistent(app(), desk.project);
    for (const name of ['heading', 'tone'])
      expect((await convert('card', name, { isList: false })).status).toBe(200);
    await expectUnchanged(id);
  });

  it('that becomes one value is 409 where a block has several, and drops links of what it loses', async () => {
    await convert('card', 'author', { isList: true });
    const authors = await Promise.all(
      ['A', 'B'].map((name) =>
        createEntry(app(), desk.project, { contentTypeApiName: 'author', fields: { name } }),
      ),
    );
    for (const { id } of authors) await publish(app(), desk.project, id);
    const author = authors.map(({ id }) => ({ _ref: id }));
    const made = await newPage(desk, { parts: [{ _type: 'card', fields: { author } }] });
    await publish(app(), desk.project, made.id);
    const refused = await convert('card', 'author', { isList: false });
    expect([outcome(refused), refused.body.details]).toEqual([
      [409, 'field_in_use'],
      { entryCount: 1, lost: { values: 1, entries: 1 } },
    ]);
    expect((await convert('card', 'author', { isList: false, allowDestructive: true })).status).toBe(200);
    const kept = { _ref: authors[0]?.id, _type: 'author' };
    expect(first(await fieldsIn(made.id, 'en'), 'parts').fields).toEqual({ author: kept });
    expect(Object.values(await publishedBlocks(desk, made.id))).toMatchObject([{ fields: { author: kept } }]);
    expect((await readPage(desk, made.id)).status).toBe('published');
    await expectConsistent(app(), desk.project);
  });
});

describe('a blocks field', () => {
  verifies('content/conversions');

  it.each([
    ['page', 'body'],
    ['section', 'cards'],
  ])(
    '%s.%s that becomes localized, and shared again, keeps localized values of its blocks',
    async (...[type, field]) => {
      const { id } = await publishedPage(desk);
      expect((await convert(type, field, { localized: true })).status).toBe(200);
      await expectUnchanged(id);
      expect((await convert(type, field, { localized: false })).status).toBe(200);
      await expectUnchanged(id);
    },
  );

  it('that becomes shared is 409 where locales have other blocks, and keeps those of the default locale', async () => {
    const { id, ids } = await publishedPage(desk);
    const refused = await convert('page', 'parts', { localized: false });
    expect([outcome(refused), refused.body.details]).toEqual([
      [409, 'field_in_use'],
      { entryCount: 1, lost: { values: 1, entries: 1 } },
    ]);
    expect((await convert('page', 'parts', { localized: false, allowDestructive: true })).status).toBe(200);
    const parts = itemsIn(await fieldsIn(id, 'de'), 'parts');
    expect(parts.map(({ _ref, fields }) => [_ref, fields.tone, fields.heading])).toEqual([
      [ids.part, 'soft', undefined],
    ]);
    expect(await texts(id, 'en')).toEqual(english);
    expect(await statuses(id)).toEqual(['published', 'changed']);
    await expectConsistent(app(), desk.project);
  });
});
