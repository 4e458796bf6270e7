import { beforeAll, describe, expect, it } from '@jest/globals';
import { limits } from '../../../contracts/limits.js';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
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

describe('A nested block that is refused', () => {
  verifies('entries/nested-blocks');

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
    ['a type that is no string', { _ref: someId, _type: 7, fields: {} }, '_type', 'invalid_type'],
    ['fields that are no object', { _type: 'card', fields: [] }, 'fields', 'invalid_type'],
    ['fields that are null', { _type: 'card', fields: null }, 'fields', 'invalid_type'],
    ['an unknown key', { _type: 'card', fields: {}, slug: 'x' }, 'slug', 'unknown_key'],
    ['a malformed id', { _ref: "x' OR 1=1", fields: {} }, '_ref', 'invalid_format'],
    ['a null id', { _ref: null, fields: {} }, '_ref', 'invalid_format'],
    ['a version of a new block', { _type: 'card', version: 1, fields: {} }, 'version', 'invalid_type'],
    ['a version that is none', { _ref: someId, version: '1', fields: {} }, 'version', 'invalid_type'],
  ])('returns 422 for %s', async (_what, item, key, code) => {
    const response = await create({ body: [item] });
    expect(outcome(response)).toEqual([422, 'validation_failed']);
    expect(issues(response)).toEqual([[`fields.body.0.${key}`, code]]);
  });

  it('returns 404 for a block that does not exist or belongs to another tenant, and 422 for another type', async () => {
    const foreign = await openDesk(app());
    await createBlockTypes(foreign);
    const [theirs = ''] = linked(await page(foreign, { body: [card('Theirs')] }));
    for (const _ref of [theirs, someId]) {
      const response = await create({ body: [card('A'), { _ref, fields: { heading: 'Mine' } }] });
      expect(outcome(response)).toEqual([404, 'entry_not_found']);
      expect(response.body.details).toEqual({ path: ['fields', 'body', 1, '_ref'] });
    }
    expect((await now(foreign, theirs)).fields).toMatchObject({ heading: 'Theirs' });
    const own = await page(desk, { body: [card('Own')] });
    const [mine] = linked(own);
    const wrong = await create({ body: [{ _ref: mine, _type: 'section', fields: {} }] });
    expect(issues(wrong)).toEqual([['fields.body.0._type', 'wrong_type']]);
    const twice = await create({
      body: [
        { _ref: mine, fields: {} },
        { _ref: mine, fields: {} },
      ],
    });
    expect(issues(twice)).toEqual([['fields.body.1._ref', 'repeated_block']]);
    const noBlock = await create({ body: [{ _ref: own.id, fields: {} }] });
    expect(issues(noBlock)).toEqual([['fields.body.0._type', 'type_not_allowed']]);
  });

  it('returns 409 for an outdated version and writes nothing of the entry', async () => {
    const made = await page(desk, { title: 'Before', body: [card('Now')] });
    const [id = ''] = linked(made);
    const change = (version: number, title: string) =>
      desk.put(`/entries/${made.id}`, {
        version: 1,
        fields: { title, body: [{ _ref: id, version, fields: { heading: title } }] },
      });
    const stale = await change(7, 'Stale');
    expect(outcome(stale)).toEqual([409, 'version_conflict']);
    expect(stale.body.details).toMatchObject({
      path: ['fields', 'body', 0],
      expectedVersion: 7,
      currentVersion: 1,
    });
    expect(await now(desk, made.id)).toMatchObject({ version: 1, fields: { title: 'Before' } });
    expect((await change(1, 'After')).status).toBe(200);
  });

  it('returns 422 beyond the limits of number and depth', async () => {
    const many = Array.from({ length: limits.nestedBlocks + 1 }, () => card('Many'));
    const response = await create({ body: many });
    expect(outcome(response)).toEqual([422, 'limit_reached']);
    expect(response.body.details).toMatchObject({ limit: limits.nestedBlocks });
    const nest = (depth: number): object => ({
      _type: 'section',
      fields: depth === 1 ? {} : { cards: [nest(depth - 1)] },
    });
    expect((await create({ body: [nest(limits.nestedBlockDepth)] })).status).toBe(201);
    const deep = await create({ body: [nest(limits.nestedBlockDepth + 1)] });
    expect(issues(deep).map(([, code]) => code)).toEqual(['too_deep']);
  });

  it('needs the rights for the block itself', async () => {
    const made = await page(desk, { body: [card('Kept')] });
    const [id = ''] = linked(made);
    const { secret: updating } = await desk.newKey({ type: 'management', permissions: ['read', 'update'] });
    const put = (key: string, item: object) =>
      desk.as(key).put(`/entries/${made.id}`, { version: 1, fields: { body: [item] } });
    const created = await put(updating, card('New'));
    expect(outcome(created)).toEqual([403, 'permission_denied']);
    expect(created.body.details).toMatchObject({ path: ['fields', 'body', 0] });
    const siteId = await otherSite(desk);
    const { secret: elsewhere } = await desk.newKey({ type: 'management', siteIds: [siteId] });
    const item = { _ref: id, fields: { heading: 'Taken over' } };
    const reached = await desk.as(elsewhere).post('/entries', { ...request({ body: [item] }), siteId });
    expect(outcome(reached)).toEqual([403, 'permission_denied']);
    expect((await now(desk, id)).fields).toMatchObject({ heading: 'Kept' });
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
