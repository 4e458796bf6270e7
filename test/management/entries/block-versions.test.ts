import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDesk, useApp, type Desk } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { blocksOf, card, createBlockTypes, page } from './blocks.js';

const app = useApp();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app(), { locales: ['en', 'de'] });
  await createBlockTypes(desk);
});

interface Change {
  readonly locale: string | null;
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

describe('The difference between versions of an entry with blocks', () => {
  verifies('entries/own-blocks', 'entries/versions');

  it('names localized fields of blocks by their paths, also of blocks that came and went', async () => {
    const section = { _type: 'section', fields: { title: 'Section', cards: [card('Inner')] } };
    const made = await page(desk, { title: 'T', body: [section, card('Gone', { tone: 'loud' })] });
    const [outer, gone] = blocksOf(made);
    const [inner] = blocksOf(outer ?? made, 'cards');
    const changed = [
      { _ref: outer?._ref, fields: { cards: [{ _ref: inner?._ref, fields: { heading: 'Inside' } }] } },
      card('New'),
    ];
    const { body } = await desk.put(`/entries/${made.id}`, { version: 1, fields: { body: changed } });
    const [, added] = blocksOf(body.data);
    const german = [{ _ref: outer?._ref, fields: { title: 'Teil' } }, { _ref: added?._ref }];
    await desk.put(`/entries/${made.id}`, { version: 2, locale: 'de', fields: { title: 'D', body: german } });
    const diff = await desk.get(`/entries/${made.id}/versions/diff?from=1`);
    const changes = diff.body.data.changes as Change[];
    expect(changes.filter(({ locale }) => locale !== null)).toEqual([
      { locale: 'en', field: `body[${added?._ref}].heading`, from: null, to: 'New' },
      {
        locale: 'en',
        field: `body[${outer?._ref}].cards[${inner?._ref}].heading`,
        from: 'Inner',
        to: 'Inside',
      },
      { locale: 'en', field: `body[${gone?._ref}].heading`, from: 'Gone', to: null },
      { locale: 'de', field: '_slug', from: null, to: expect.any(String) },
      { locale: 'de', field: 'title', from: null, to: 'D' },
      { locale: 'de', field: `body[${outer?._ref}].title`, from: null, to: 'Teil' },
    ]);
    const [list, ...others] = changes.filter(({ locale }) => locale === null);
    expect(others).toEqual([]);
    expect(list).toMatchObject({
      field: 'body',
      from: [{ _ref: outer?._ref }, { _ref: gone?._ref, fields: { tone: 'loud' } }],
      to: [{ _ref: outer?._ref }, { _ref: added?._ref, fields: { tone: 'calm' } }],
    });
  });

  it('has the whole blocks of a localized list in its locale alone', async () => {
    const pieces = {
      apiName: 'pieces',
      type: 'blocks',
      localized: true,
      settings: { contentTypes: ['card'] },
    };
    const type = await desk.post('/content-types', { apiName: 'sheet', name: 'Sheet', fields: [pieces] });
    expect(type.status).toBe(201);
    const { siteId } = desk.project;
    const fields = { pieces: [card('One')] };
    const made = await desk.post('/entries', { contentTypeApiName: 'sheet', siteId, fields });
    const { id } = made.body.data as { id: string };
    const [{ _ref = '' } = {}] = blocksOf(made.body.data, 'pieces');
    const next = { pieces: [{ _ref, fields: { tone: 'loud', heading: 'Two' } }] };
    await desk.put(`/entries/${id}`, { version: 1, fields: next });
    const diff = await desk.get(`/entries/${id}/versions/diff?from=1`);
    const changes = diff.body.data.changes as Change[];
    expect(changes.map(({ locale, field, from, to }) => [locale, field, from, to]).sort()).toEqual([
      ['en', `pieces[${_ref}].heading`, 'One', 'Two'],
      ['en', `pieces[${_ref}].tone`, 'calm', 'loud'],
    ]);
  });
});

describe('A version without the list of blocks', () => {
  verifies('entries/own-blocks', 'entries/versions');

  it('is restored with an empty list where another locale has values of blocks', async () => {
    const made = await page(desk, { title: 'T' });
    await desk.put(`/entries/${made.id}`, { version: 1, fields: { body: [card('Hello')] } });
    await desk.put(`/entries/${made.id}`, { version: 2, locale: 'de', fields: { title: 'D' } });
    const [block] = blocksOf((await desk.get(`/entries/${made.id}`)).body.data);
    const german = [{ _ref: block?._ref, fields: { heading: 'Hallo' } }];
    await desk.put(`/entries/${made.id}`, { version: 3, locale: 'de', fields: { body: german } });
    const restored = await desk.post(`/entries/${made.id}/versions/1/restore`, {});
    expect(restored.body.data.fields).toEqual({ title: 'T', body: [] });
    const { body } = await desk.get(`/entries/${made.id}?locale=de`);
    expect(body.data.fields).toEqual({ title: 'D', body: [] });
  });
});
