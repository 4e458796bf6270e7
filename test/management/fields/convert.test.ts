import { beforeEach, describe, expect, it } from '@jest/globals';
import { writeBodies } from '../../../src/features/publishing/delivery/index.js';
import { expectConsistent as expectEnvironmentConsistent } from '../../support/consistency.js';
import { Desk, outcome, useOwnApp } from '../../support/desk.js';
import { createEntry, createType, publish, type TestEntry } from '../../support/factories/content.js';
import { createProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { change } from '../entries/history.js';

const app = useOwnApp();
let desk: Desk;

beforeEach(async () => {
  desk = new Desk(app(), await createProject(app(), { locales: ['en', 'de', 'fr'] }));
});

const field = (body: object, name = 'one') => desk.put(`/content-types/thing/fields/${name}`, body);
const draft = async (id: string, locale = 'en') =>
  ((await desk.get(`/entries/${id}?locale=${locale}`)).body as { data: TestEntry }).data;
const one = async (id: string, locale?: string) => (await draft(id, locale)).fields.one;

async function make(fields: Record<string, unknown>, others: Record<string, object> = {}): Promise<string> {
  const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'thing', fields });
  for (const [locale, values] of Object.entries(others)) await change(desk, id, { locale, fields: values });
  for (const locale of ['en', ...Object.keys(others)]) await publish(app(), desk.project, id, locale);
  return id;
}

const type = (definition: object, ...more: object[]) =>
  createType(app(), desk.project, {
    apiName: 'thing',
    fields: [{ apiName: 'one', ...definition }, ...more],
  });

/** The published value by REST and GraphQL, which are the same. */
async function live(id: string, locale = 'en'): Promise<unknown> {
  const { delivery, slug, keys } = desk.project;
  const rest = await app().request.get(`${delivery}/entries/${id}?locale=${locale}`);
  const { fields } = rest.body.data as { fields: { one: unknown } };
  const graphql = await app()
    .request.post(`/api/graphql/${slug}`)
    .set('Authorization', `Bearer ${keys.delivery}`)
    .send({ query: `{ thingCollection(locale: "${locale}") { items { _id one } } }` });
  expect(graphql.body.errors).toBeUndefined();
  const items = graphql.body.data.thingCollection.items as { _id: string; one: unknown }[];
  expect(items.find(({ _id }) => _id === id)?.one).toEqual(fields.one);
  return fields.one;
}

const expectConsistent = () => expectEnvironmentConsistent(app(), desk.project);

const onError = (error: unknown) => {
  throw error;
};
const writeTexts = () => writeBodies({ units: app().composition.services.units, onError });

describe('A field that becomes a list', () => {
  verifies('content/conversions');

  it('keeps its value as the first of the list, in drafts, documents and its default', async () => {
    await type({ type: 'text', defaultValue: 'D' });
    const id = await make({ one: 'a' }, { de: { one: 'b' } });
    await change(desk, id, { fields: { one: 'newer' } });
    const unset = await make({ one: null });
    expect(await live(id)).toBe('a');
    const { status, body } = await field({ isList: true });
    expect([status, body.data.defaultValue]).toEqual([200, ['D']]);
    expect([await one(id), await one(id, 'de'), await one(unset)]).toEqual([['newer'], ['b'], undefined]);
    for (const _texts of ['missing', 'written']) {
      expect([await live(id), await live(id, 'de'), await live(unset)]).toEqual([['a'], ['b'], []]);
      await writeTexts();
    }
    const { locales } = await draft(id);
    expect(locales.map(({ locale, status: is }) => [locale, is])).toEqual([
      ['en', 'changed'],
      ['de', 'published'],
    ]);
    await expectConsistent();
  });

  it.each([
    ['number', 7],
    ['json', { a: [1] }],
    ['json', [1, 2]],
    ['boolean', false],
    ['date', '2026-03-01'],
  ])('keeps a %s that every locale shares, and gives it back: %j', async (kind, value) => {
    await type({ type: kind, localized: false });
    const id = await make({ one: value }, { de: {} });
    expect((await field({ isList: true })).status).toBe(200);
    expect([await one(id, 'de'), await live(id), await live(id, 'de')]).toEqual([[value], [value], [value]]);
    expect((await draft(id)).status).toBe('published');
    expect((await field({ isList: false })).status).toBe(200);
    expect([await one(id, 'de'), await live(id)]).toEqual([value, value]);
    await expectConsistent();
  });
});

describe('A published value that its draft lacks', () => {
  verifies('content/conversions');

  it.each([
    [{ isList: true }, ['x']],
    [{ localized: false }, 'x'],
    [{ isList: true, localized: false }, ['x']],
  ])('stays public after %j', async (body, value) => {
    await type({ type: 'text' });
    const id = await make({ one: 'x' });
    await change(desk, id, { fields: { one: null } });
    expect((await field(body)).status).toBe(200);
    expect([await one(id), await live(id)]).toEqual([undefined, value]);
    expect((await draft(id)).status).toBe('changed');
    await expectConsistent();
  });
});

describe('A list that becomes one value', () => {
  verifies('content/conversions');

  it('is 409 with what is lost, and keeps the first value if that is accepted', async () => {
    await type({ type: 'text', isList: true });
    const id = await make({ one: ['a', 'b'] }, { de: { one: ['c'] } });
    await make({ one: ['x'] });
    const refused = await field({ isList: false });
    expect(outcome(refused)).toEqual([409, 'field_in_use']);
    expect(refused.body.details).toEqual({ entryCount: 1, lost: { values: 1, entries: 1 } });
    expect(await one(id)).toEqual(['a', 'b']);
    expect((await field({ isList: false, allowDestructive: true })).status).toBe(200);
    expect([await one(id), await one(id, 'de'), await live(id), await live(id, 'de')]).toEqual([
      ...['a', 'c'],
      ...['a', 'c'],
    ]);
    expect((await draft(id)).status).toBe('published');
    await expectConsistent();
    // A version from before is restored in the form of today.
    const restored = await desk.post(`/entries/${id}/versions/1/restore`, { version: 2 });
    expect([restored.status, await one(id)]).toEqual([200, 'a']);
  });

  it('asks a careful key to confirm the loss, and only that', async () => {
    await type({ type: 'text', isList: true });
    const { secret } = await desk.newKey({
      type: 'management',
      permissions: ['read', 'update'],
      requireConfirmation: true,
    });
    const careful = desk.as(secret);
    const path = '/content-types/thing/fields/one';
    const asked = await careful.put(path, { isList: false, allowDestructive: true });
    expect(outcome(asked)).toEqual([409, 'confirmation_required']);
    expect((await careful.put(path, { isList: false })).status).toBe(200);
  });

  it('counts a published list whose draft is shorter', async () => {
    await type({ type: 'text', isList: true });
    const id = await make({ one: ['a', 'b'] });
    await change(desk, id, { fields: { one: ['a'] } });
    const { body } = await field({ isList: false });
    expect(body.details).toEqual({ entryCount: 1, lost: { values: 0, entries: 1 } });
  });

  it('no longer refers to what it lost', async () => {
    await type({ type: 'reference', isList: true });
    const [first, second] = [await make({}), await make({})];
    const id = await make({ one: [{ _ref: first }, { _ref: second }] });
    expect((await field({ isList: false, allowDestructive: true })).status).toBe(200);
    expect(await one(id)).toEqual({ _ref: first, _type: 'thing' });
    const references = async (target: string) =>
      ((await desk.get(`/entries/${target}/references`)).body as { data: unknown[] }).data.length;
    expect([await references(first), await references(second)]).toEqual([1, 0]);
    await expectConsistent();
  });
});

describe('A shared field that becomes localized', () => {
  verifies('content/conversions');

  it('has the value in every locale, each of which changes alone, and stays published', async () => {
    await type({ type: 'text', localized: false }, { apiName: 'two', type: 'text', localized: false });
    const id = await make({ one: 'a', two: 'x' }, { de: {} });
    await change(desk, id, { locale: 'fr', fields: { two: 'x' } });
    const older = await make({ one: 'old' }, { de: {} });
    await change(desk, older, { fields: { one: 'new' } });
    expect((await field({ localized: true })).status).toBe(200);
    expect([await one(id), await one(id, 'de'), await one(id, 'fr')]).toEqual(['a', 'a', 'a']);
    expect([await one(older, 'de'), await live(older, 'de')]).toEqual(['new', 'old']);
    const states = async (entry: string) => (await draft(entry)).locales.map(({ status }) => status);
    expect([await states(id), await states(older)]).toEqual([
      ['published', 'published', 'draft'],
      ['changed', 'changed'],
    ]);
    await expectConsistent();
    await change(desk, id, { locale: 'de', fields: { one: 'b' } });
    expect([await one(id), await one(id, 'de')]).toEqual(['a', 'b']);
    expect(await states(id)).toEqual(['published', 'changed', 'draft']);
    await expectConsistent();
  });

  it('keeps translations current, with the field as one of theirs', async () => {
    await type({ type: 'text' }, { apiName: 'two', type: 'text', localized: false });
    const id = await make({ one: 'a', two: 'x' }, { de: { one: 'b' } });
    const statuses = async () => {
      const { body } = await desk.get(`/translations/${id}`);
      const { locales } = (body as { data: { locales: { status: string; outdatedFields: string[] }[] } })
        .data;
      return locales.map(({ status, outdatedFields }) => [status, ...outdatedFields]);
    };
    const before = await statuses();
    expect(before).toEqual([['complete'], ['missing']]);
    expect((await field({ localized: true }, 'two')).status).toBe(200);
    expect(await statuses()).toEqual(before);
    expect((await field({ isList: true })).status).toBe(200);
    expect(await statuses()).toEqual(before);
    await change(desk, id, { fields: { two: 'y' } });
    await publish(app(), desk.project, id);
    expect(await statuses()).toEqual([['stale', 'two'], ['missing']]);
    await expectConsistent();
  });
});

describe('A localized field that becomes shared', () => {
  verifies('content/conversions');

  it('is 409 with what is lost, and keeps the value of the default locale if that is accepted', async () => {
    await type({ type: 'text' });
    const id = await make({ one: 'a' }, { de: { one: 'b' }, fr: { one: 'a' } });
    const german = await createEntry(app(), desk.project, {
      contentTypeApiName: 'thing',
      locale: 'de',
      fields: { one: 'only' },
    });
    const refused = await field({ localized: false });
    expect(outcome(refused)).toEqual([409, 'field_in_use']);
    expect(refused.body.details.lost).toEqual({ values: 1, entries: 1 });
    expect((await field({ localized: false, allowDestructive: true })).status).toBe(200);
    expect([await one(id), await one(id, 'de'), await one(german.id, 'de')]).toEqual(['a', 'a', 'only']);
    // What is public changes with the next publication only.
    expect([await live(id), await live(id, 'de'), await live(id, 'fr')]).toEqual(['a', 'b', 'a']);
    const { locales } = await draft(id);
    expect(locales.map(({ status }) => status)).toEqual(['published', 'changed', 'published']);
    await expectConsistent();
    await publish(app(), desk.project, id, 'de');
    expect(await live(id, 'de')).toBe('a');
    expect((await draft(id, 'de')).status).toBe('published');
  });

  it('loses nothing where the locales agree', async () => {
    await type({ type: 'reference', isList: true });
    const target = await make({});
    const links = [{ _ref: target }];
    const id = await make({ one: links }, { de: { one: links } });
    expect((await field({ localized: false })).status).toBe(200);
    expect((await draft(id, 'de')).locales.map(({ status }) => status)).toEqual(['published', 'published']);
    await expectConsistent();
    expect((await field({ localized: true, isList: false })).status).toBe(200);
    expect(await one(id, 'de')).toEqual({ _ref: target, _type: 'thing' });
    await expectConsistent();
  });

  it('must be unique as one value, if it is unique', async () => {
    await type({ type: 'text', unique: true });
    await make({ one: 'a' });
    const other = await make({ one: 'b' }, { de: { one: 'a' } });
    expect(outcome(await field({ localized: false, allowDestructive: true }))).toEqual([409, 'field_in_use']);
    await change(desk, other, { locale: 'de', fields: { one: 'c' } });
    await publish(app(), desk.project, other, 'de');
    expect((await field({ localized: false, allowDestructive: true })).status).toBe(200);
    await expectConsistent();
  });
});
