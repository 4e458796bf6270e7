import { beforeAll, describe, expect, it } from '@jest/globals';
import { limits } from '../../../contracts/limits.js';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { branch } from '../../support/factories/branch.js';
import { verifies } from '../../support/verifies.js';
import { card, createBlockTypes, linked, page } from './blocks.js';
import { now, otherSite } from './history.js';

const app = useApp();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app());
  await createBlockTypes(desk);
});

const request = (fields: object) => ({ contentTypeApiName: 'page', siteId: desk.project.siteId, fields });
const create = (fields: object) => desk.post('/entries', request(fields));
const entryCount = async (): Promise<number> => {
  const [row] = await app().rows<{ count: number }>(
    desk.project.tenantId,
    'SELECT count(*)::int AS count FROM entries',
  );
  return row?.count ?? -1;
};

describe('A block that is refused', () => {
  verifies('entries/own-blocks');

  it('reports every issue with the path of the value, and nothing is written', async () => {
    const before = await entryCount();
    const cards = [card('Fine'), { _type: 'card', fields: { heading: 7 } }];
    const response = await create({
      body: [card('Fine', { heading: [] }), { _type: 'section', fields: { title: 'S', cards } }],
    });
    expect(outcome(response)).toEqual([422, 'validation_failed']);
    expect(issues(response)).toEqual([
      ['fields.body.0.fields.heading', 'invalid_type'],
      ['fields.body.1.fields.cards.1.fields.heading', 'invalid_type'],
    ]);
    const unknown = await create({ body: [card('A', { misspelt: 1 })] });
    expect(issues(unknown)).toEqual([['fields.body.0.fields.misspelt', 'unknown_field']]);
    const markup = await create({ body: [card('A', { text: { html: '<b>'.repeat(20_001) } })] });
    expect(issues(markup)[0]).toEqual(['fields.body.0.fields.text', 'too_complex']);
    expect(await entryCount()).toBe(before);
  });

  const someId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';

  it.each([
    ['a type that the field does not take', { _type: 'author', fields: {} }, '_type', 'type_not_allowed'],
    ['an unknown type', { _type: 'constructor', fields: {} }, '_type', 'type_not_allowed'],
    ['no type', { fields: {} }, '_type', 'required'],
    ['a type that is no string', { _type: 7, fields: {} }, '_type', 'invalid_type'],
    ['fields that are no object', { _type: 'card', fields: [] }, 'fields', 'invalid_type'],
    ['fields that are null', { _type: 'card', fields: null }, 'fields', 'invalid_type'],
    ['an unknown key', { _type: 'card', fields: {}, slug: 'x' }, 'slug', 'unknown_key'],
    ['a malformed id', { _ref: "x' OR 1=1", fields: {} }, '_ref', 'invalid_format'],
    ['a null id', { _ref: null, fields: {} }, '_ref', 'invalid_format'],
    ['a version', { _type: 'card', version: 1, fields: {} }, 'version', 'unknown_key'],
    ['a malformed chosen id', { _id: 'X', _type: 'card', fields: {} }, '_id', 'invalid_format'],
    ['two ids', { _ref: someId, _id: someId, _type: 'card', fields: {} }, '_id', 'unknown_key'],
    ['an empty external id', { _externalId: '', _type: 'card', fields: {} }, '_externalId', 'invalid_type'],
    ['an unknown block', { _ref: someId, fields: {} }, '_ref', 'unknown_block'],
  ])('returns 422 for %s', async (_what, item, key, code) => {
    const response = await create({ body: [item] });
    expect(outcome(response)).toEqual([422, 'validation_failed']);
    expect(issues(response)).toEqual([[`fields.body.0.${key}`, code]]);
  });

  it('returns 422 for a block of another entry, environment or tenant, and for one that occurs twice', async () => {
    const foreign = await openDesk(app());
    await createBlockTypes(foreign);
    const [theirs = ''] = linked(await page(foreign, { body: [card('Theirs')] }));
    const [other = ''] = linked(await page(desk, { body: [card('Of another entry')] }));
    const own = await page(desk, {
      body: [card('Own'), { _type: 'section', fields: { cards: [card('In')] } }],
    });
    const [mine = '', section = ''] = linked(own);
    const refuse = async (body: object[]) => {
      const response = await desk.put(`/entries/${own.id}`, { version: 1, fields: { body } });
      expect(outcome(response)).toEqual([422, 'validation_failed']);
      return issues(response);
    };
    for (const id of [theirs, other, own.id])
      expect(await refuse([{ _ref: id, fields: { heading: 'Mine' } }])).toEqual([
        ['fields.body.0._ref', 'unknown_block'],
      ]);
    const chosen = (_id: string) => ({ _id, ...card('Mine') });
    for (const id of [other, own.id])
      expect(await refuse([card('A'), chosen(id)])).toEqual([['fields.body.1._id', 'block_id_taken']]);
    const taken = await create({ body: [chosen(mine)] });
    expect(issues(taken)).toEqual([['fields.body.0._id', 'block_id_taken']]);
    expect((await create({ body: [chosen(theirs)] })).status).toBe(201);
    expect((await now(foreign, (await foreign.get('/entries')).body.data[0].id)).version).toBe(1);
    expect(await refuse([{ _ref: mine, _type: 'section', fields: {} }])).toEqual([
      ['fields.body.0._type', 'wrong_type'],
    ]);
    expect(await refuse([{ _ref: mine, fields: {} }, { _ref: mine }])).toEqual([
      ['fields.body.1._ref', 'repeated_block'],
    ]);
    const [, { fields } = { fields: {} }] = own.fields.body as { fields: { cards?: { _ref: string }[] } }[];
    const inner = fields.cards?.[0]?._ref;
    const [[, code] = ['', '']] = await refuse([{ _ref: section }, { _ref: inner, fields: {} }]);
    expect(code).toBe('repeated_block');
    expect(await now(desk, own.id)).toEqual(own);
  });

  it('returns 422 for a block of another environment, which keeps its own', async () => {
    const there = desk.in(await branch(desk));
    const made = await there.post('/entries', request({ body: [card('There')] }));
    const [theirs = ''] = linked(made.body.data);
    const own = await page(desk, { body: [card('Here')] });
    const body = [{ _ref: theirs, fields: { heading: 'Mine' } }];
    const refused = await desk.put(`/entries/${own.id}`, { version: 1, fields: { body } });
    expect(issues(refused)).toEqual([['fields.body.0._ref', 'unknown_block']]);
    const chosen = await create({ body: [{ _id: theirs, ...card('The same id') }] });
    expect(outcome(chosen)).toEqual([201, undefined]);
    const { data } = (await there.get(`/entries/${made.body.data.id}`)).body;
    expect(data.fields).toEqual(made.body.data.fields);
  });

  it('returns 422 for a link to a block that is part of an entry, on every level and in a batch', async () => {
    const [theirs = ''] = linked(await page(desk, { body: [card('Theirs')] }));
    const own = await page(desk, { body: [card('Removed'), card('Kept')] });
    const [removed = '', kept = ''] = linked(own);
    const section = { _type: 'section', fields: { cards: [card('Fine'), { _ref: theirs, _type: 'card' }] } };
    const refused = [
      ['fields.body.0._ref', 'block_not_shared'],
      ['fields.body.1.fields.cards.1._ref', 'block_not_shared'],
    ];
    const response = await create({ body: [{ _ref: theirs }, section] });
    expect([outcome(response), issues(response)]).toEqual([[422, 'validation_failed'], refused]);
    const items = [request({ body: [{ _ref: theirs }, section] }), request({ title: 'Fine' })];
    const batch = await desk.post('/entries/batch', {
      items: items.map((item) => ({ action: 'create', ...item })),
    });
    const [first, second] = batch.body.data.results as { ok: boolean; error?: string }[];
    expect([first?.ok, first?.error, second?.ok]).toEqual([false, 'validation_failed', true]);
    await desk.put(`/entries/${own.id}`, { version: 1, fields: { body: [{ _ref: kept }] } });
    const back = { version: 2, fields: { body: [{ _ref: kept }, { _ref: removed }] } };
    expect(issues(await desk.put(`/entries/${own.id}`, back))).toEqual([
      ['fields.body.1._ref', 'block_not_shared'],
    ]);
  });

  it('returns 422 for a block inside itself; one of a type that contains its own type is accepted', async () => {
    const inside = (fields: object) => [{ _type: 'section', fields }];
    const own = await page(desk, { body: inside({ title: 'Outer', cards: inside({ title: 'Inner' }) }) });
    const [outer = ''] = linked(own);
    const [{ fields } = { fields: {} }] = own.fields.body as { fields: { cards?: { _ref: string }[] } }[];
    const inner = fields.cards?.[0]?._ref ?? '';
    const put = (body: object[]) => desk.put(`/entries/${own.id}`, { version: 1, fields: { body } });
    const itself = [{ _ref: outer, fields: { cards: [{ _ref: outer }] } }];
    expect(issues(await put(itself))).toEqual([['fields.body.0.fields.cards.0._ref', 'repeated_block']]);
    const circle = [
      { _ref: inner, fields: { cards: [{ _ref: outer, fields: { cards: [{ _ref: inner }] } }] } },
    ];
    expect(issues(await put(circle))).toEqual([
      ['fields.body.0.fields.cards.0.fields.cards.0._ref', 'repeated_block'],
    ]);
    const turned = await put([{ _ref: inner, fields: { cards: [{ _ref: outer, fields: { cards: [] } }] } }]);
    expect(turned.body.data.fields.body).toEqual([
      {
        _ref: inner,
        _type: 'section',
        fields: {
          title: 'Inner',
          cards: [{ _ref: outer, _type: 'section', fields: { title: 'Outer', cards: [] } }],
        },
      },
    ]);
  });

  it('returns 422 beyond the limits of number and depth', async () => {
    const many = Array.from({ length: limits.ownBlocks + 1 }, () => card('Many'));
    const response = await create({ body: many });
    expect(outcome(response)).toEqual([422, 'limit_reached']);
    expect(response.body.details).toMatchObject({ limit: limits.ownBlocks });
    const nest = (depth: number): object => ({
      _type: 'section',
      fields: depth === 1 ? {} : { cards: [nest(depth - 1)] },
    });
    expect((await create({ body: [nest(limits.ownBlockDepth)] })).status).toBe(201);
    const deep = await create({ body: [nest(limits.ownBlockDepth + 1)] });
    expect(issues(deep).map(([, code]) => code)).toEqual(['too_deep']);
  });

  it('is refused where the caller may not change the field of the entry, and needs no right of its own type', async () => {
    const made = await page(desk, { title: 'T', body: [card('Kept')] });
    const [id = ''] = linked(made);
    const siteId = await otherSite(desk);
    const { secret: elsewhere } = await desk.newKey({ type: 'management', siteIds: [siteId] });
    const body = [{ _ref: id, fields: { heading: 'Taken over' } }, card('New')];
    const change = (key: string) => desk.as(key).put(`/entries/${made.id}`, { version: 1, fields: { body } });
    expect(outcome(await change(elsewhere))).toEqual([403, 'permission_denied']);
    expect(await now(desk, made.id)).toEqual(made);
    const { secret: updating } = await desk.newKey({ type: 'management', permissions: ['read', 'update'] });
    expect((await change(updating)).status).toBe(200);
  });

  it('is not read outside blocks fields', async () => {
    const { body } = await desk.post('/content-types', {
      apiName: 'data',
      name: 'Data',
      fields: [
        { apiName: 'data', type: 'json' },
        { apiName: 'links', type: 'reference', isList: true },
      ],
    });
    const make = (fields: object) =>
      desk.post('/entries', { contentTypeApiName: body.data.apiName, siteId: desk.project.siteId, fields });
    const data = [{ _type: 'card', fields: { heading: 'No block' } }];
    expect((await make({ data })).body.data.fields).toEqual({ data });
    expect(outcome(await make({ links: data }))).toEqual([422, 'validation_failed']);
  });
});
