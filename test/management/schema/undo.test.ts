import { beforeEach, describe, expect, it } from '@jest/globals';
import { writeBodies } from '../../../src/features/publishing/delivery/index.js';
import { expectConsistent } from '../../support/consistency.js';
import { Desk, useOwnApp } from '../../support/desk.js';
import { createEntry, createType, publish, type TestEntry } from '../../support/factories/content.js';
import { uploadAsset } from '../../support/factories/media.js';
import { createProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { change } from '../entries/history.js';

const app = useOwnApp();
let desk: Desk;

interface WrittenField {
  apiName: string;
  [key: string]: unknown;
}

beforeEach(async () => {
  desk = new Desk(app(), await createProject(app(), { locales: ['en', 'de'] }));
});

const type = (...fields: object[]) => createType(app(), desk.project, { apiName: 'thing', fields });

async function apply(rewrite: (fields: WrittenField[]) => WrittenField[]): Promise<string> {
  const { data } = (await desk.get('/schema/export')).body as {
    data: { schema: { contentTypes: { displayField?: string; fields: WrittenField[] }[] } };
  };
  const { contentTypes } = data.schema;
  const [thing] = contentTypes;
  if (thing === undefined) throw new Error('no type');
  thing.fields = rewrite(thing.fields);
  delete thing.displayField;
  const body = { schema: { contentTypes }, allowDestructive: true };
  const answer = await desk.post('/schema/apply', body);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return (answer.body as { data: { applyId: string } }).data.applyId;
}

async function undo(applyId: string): Promise<void> {
  const { status, text } = await desk.post('/schema/undo', { applyId });
  expect([status, text]).toEqual([200, text]);
}

const draft = async (id: string, locale: string) =>
  ((await desk.get(`/entries/${id}?locale=${locale}`)).body as { data: TestEntry }).data;

/** What management, REST and GraphQL show of the entries, in both locales. */
async function shown(ids: readonly string[], names: readonly string[]): Promise<unknown> {
  const { delivery, slug, keys } = desk.project;
  const found: unknown[] = [];
  for (const locale of ['en', 'de']) {
    for (const id of ids) {
      const { fields, locales } = await draft(id, locale);
      found.push([fields, locales.map(({ status }) => status)]);
    }
    const rest = await app().request.get(`${delivery}/content/thing?locale=${locale}&include=1`);
    found.push((rest.body as { data: { fields: object }[] }).data.map(({ fields }) => fields));
    const query = `{ thingCollection(locale: "${locale}") { items { _id ${names.join(' ')} } } }`;
    const graphql = await app()
      .request.post(`/api/graphql/${slug}`)
      .set('Authorization', `Bearer ${keys.delivery}`)
      .send({ query });
    expect((graphql.body as { errors?: unknown }).errors).toBeUndefined();
    found.push((graphql.body as { data: unknown }).data);
  }
  return found;
}

async function make(fields: Record<string, unknown>, german?: object): Promise<string> {
  const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'thing', fields });
  if (german !== undefined) await change(desk, id, { locale: 'de', fields: german });
  for (const locale of german === undefined ? ['en'] : ['en', 'de'])
    await publish(app(), desk.project, id, locale);
  return id;
}

const without =
  (...names: string[]) =>
  (fields: WrittenField[]) =>
    fields.filter(({ apiName }) => !names.includes(apiName));

const onError = (error: unknown) => {
  throw error;
};

describe('The undo of a schema', () => {
  verifies('environments/schema-undo');

  it('restores the values of deleted fields in drafts and published documents, with what depends on them', async () => {
    const asset = await uploadAsset(app(), desk.project);
    await type(
      { apiName: 'kept', type: 'text' },
      { apiName: 'title', type: 'text' },
      { apiName: 'data', type: 'json', localized: false },
      { apiName: 'body', type: 'richText' },
      { apiName: 'next', type: 'reference', isList: true },
      { apiName: 'cover', type: 'media' },
      { apiName: 'code', type: 'text', localized: false, unique: true },
    );
    const target = await make({ kept: 'target', title: 'T' });
    const full = await make(
      {
        kept: 'k',
        title: 'A',
        data: { longer: 1, b: [null] },
        body: { html: '<p>Water</p>' },
        next: [{ _ref: target }],
        cover: { _ref: asset.id },
        code: 'c1',
      },
      { kept: 'k', title: 'B', next: [{ _ref: target }] },
    );
    await change(desk, full, { fields: { title: 'newer' } });
    const names = ['kept', 'title', 'data', 'code', 'body { html }', 'next { _id }', 'cover { id }'];
    const before = await shown([target, full], names);
    const translations = (await desk.get(`/translations/${full}`)).body.data.locales;
    const applyId = await apply(without('title', 'data', 'body', 'next', 'cover', 'code'));
    expect((await draft(full, 'en')).fields).toEqual({ kept: 'k' });
    await expectConsistent(app(), desk.project);
    await undo(applyId);
    expect(await shown([target, full], names)).toEqual(before);
    await writeBodies({ units: app().composition.services.units, onError });
    expect(await shown([target, full], names)).toEqual(before);
    await expectConsistent(app(), desk.project);
    expect((await desk.get(`/translations/${full}`)).body.data.locales).toMatchObject(
      (translations as { status: string }[]).map(({ status }) => ({ status })),
    );
    expect((await desk.get('/search?q=newer')).body.meta).toMatchObject({ total: 1 });
    const taken = await createEntry(app(), desk.project, {
      contentTypeApiName: 'thing',
      fields: { code: 'c1' },
    });
    expect((await desk.post(`/entries/${taken.id}/publish`)).status).toBe(422);
  });

  it('restores values beside what was edited and published since', async () => {
    await type({ apiName: 'kept', type: 'text' }, { apiName: 'spare', type: 'text' });
    const edited = await make({ kept: 'a', spare: 's' });
    const republished = await make({ kept: 'b', spare: 't' });
    const cleared = await make({ kept: 'c', spare: 'old' });
    await change(desk, cleared, { fields: { spare: null } });
    const applyId = await apply(without('spare'));
    await change(desk, edited, { fields: { kept: 'a2' } });
    await change(desk, republished, { fields: { kept: 'b2' } });
    await publish(app(), desk.project, republished);
    const added = await make({ kept: 'd' });
    await undo(applyId);
    const states = [edited, republished, cleared, added].map(async (id) => {
      const { fields, status } = await draft(id, 'en');
      const rest = await app().request.get(`${desk.project.delivery}/entries/${id}`);
      return [fields, status, (rest.body as { data: { fields: object } }).data.fields];
    });
    expect(await Promise.all(states)).toEqual([
      [{ kept: 'a2', spare: 's' }, 'changed', { kept: 'a', spare: 's' }],
      [{ kept: 'b2', spare: 't' }, 'changed', { kept: 'b2', spare: null }],
      [{ kept: 'c' }, 'changed', { kept: 'c', spare: 'old' }],
      [{ kept: 'd' }, 'published', { kept: 'd', spare: null }],
    ]);
    await expectConsistent(app(), desk.project);
  });

  it('finds the values under their names where another field took a name', async () => {
    await type({ apiName: 'one', type: 'text' }, { apiName: 'two', type: 'text' });
    const id = await make({ one: 'first', two: 'second' }, { one: 'erster', two: 'zweiter' });
    const before = await shown([id], ['one', 'two']);
    const applyId = await apply((fields) =>
      without('one')(fields).map((field) => ({ ...field, apiName: 'one', renamedFrom: 'two' })),
    );
    await undo(applyId);
    expect(await shown([id], ['one', 'two'])).toEqual(before);
    await expectConsistent(app(), desk.project);
  });

  it.each([
    ['a list that became one value', { isList: true }, { isList: false }],
    ['localized values that became one', {}, { localized: false }],
    ['both', { isList: true }, { isList: false, localized: false }],
    ['a kind that its values did not fit', { isList: true }, { type: 'integer', isList: false }],
  ])('restores %s', async (_name, definition, converted) => {
    await type({ apiName: 'kept', type: 'text' }, { apiName: 'one', type: 'text', ...definition });
    const isList = 'isList' in definition;
    const id = await make(
      { kept: 'k', one: isList ? ['a', 'b'] : 'a' },
      { one: isList ? ['c', 'd', 'e'] : 'c' },
    );
    await change(desk, id, { fields: { one: isList ? ['newer', 'b'] : 'newer' } });
    const before = await shown([id], ['one']);
    const applyId = await apply((fields) =>
      fields.map((field) => {
        if (field.apiName !== 'one') return field;
        const { isList: _isList, ...rest } = field;
        return { ...rest, ...converted };
      }),
    );
    expect(await shown([id], ['one'])).not.toEqual(before);
    await undo(applyId);
    expect(await shown([id], ['one'])).toEqual(before);
    await expectConsistent(app(), desk.project);
  });

  it('keeps what was written in the converted form since', async () => {
    await type({ apiName: 'one', type: 'text', isList: true });
    const id = await make({ one: ['a', 'b'] });
    const applyId = await apply((fields) => fields.map((field) => ({ ...field, isList: false })));
    await change(desk, id, { fields: { one: 'c' } });
    await undo(applyId);
    expect((await draft(id, 'en')).fields).toEqual({ one: ['c'] });
    await expectConsistent(app(), desk.project);
  });
});
