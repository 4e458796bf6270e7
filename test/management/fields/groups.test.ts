import { beforeAll, describe, expect, it } from '@jest/globals';
import { Desk, issues, openDesk, outcome, useApp } from '../../support/desk.js';
import { send } from '../../support/call.js';
import { branchOf } from '../../support/factories/branch.js';
import { createEntry, createType, publish, type TestEntry } from '../../support/factories/content.js';
import type { TestBlock } from '../../support/factories/landing-blocks.js';
import { verifies } from '../../support/verifies.js';
import { change, now } from '../entries/history.js';

const app = useApp();
let desk: Desk;

const group = { type: 'blocks', localized: false, settings: { contentTypes: ['seo'], shape: 'group' } };
const one = { ...group, validations: { maxItems: 1 } };

beforeAll(async () => {
  desk = await openDesk(app());
  const image = {
    type: 'blocks',
    settings: { contentTypes: ['picture'], shape: 'group' },
    validations: { maxItems: 1 },
  };
  await createType(app(), desk.project, {
    apiName: 'picture',
    isBlock: true,
    fields: [{ apiName: 'alt', type: 'text' }],
  });
  await createType(app(), desk.project, {
    apiName: 'seo',
    isBlock: true,
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'robots', type: 'text', localized: false },
      { apiName: 'image', ...image },
    ],
  });
  await createType(app(), desk.project, {
    apiName: 'product',
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'seo', ...one },
      { apiName: 'more', ...group },
    ],
  });
});

const product = (fields: Record<string, unknown>): Promise<TestEntry> =>
  createEntry(app(), desk.project, { contentTypeApiName: 'product', fields });

const seoOf = ({ fields }: { fields: Record<string, unknown> }) => fields.seo as TestBlock;

const read = async (id: string, query = '') =>
  (await app().request.get(`${desk.project.delivery}/entries/${id}${query}`)).body.data;

const ask = async (query: string, type: 'delivery' | 'management' = 'delivery') => {
  const { slug, keys } = desk.project;
  const call = { method: 'POST', path: `/api/graphql/${slug}`, key: keys[type], body: { query } } as const;
  return (await send(app(), call)).body;
};

describe('A group', () => {
  verifies('content/groups');

  it('is written and read as one object with an id, also inside another group', async () => {
    const seo = { fields: { title: 'Title', robots: 'all', image: { fields: { alt: 'Alt' } } } };
    const made = await product({ title: 'Product', seo });
    expect(seoOf(made)).toEqual({
      _ref: expect.any(String),
      _type: 'seo',
      fields: {
        title: 'Title',
        robots: 'all',
        image: { _ref: expect.any(String), _type: 'picture', fields: { alt: 'Alt' } },
      },
    });
    expect(seoOf(await now(desk, made.id))).toEqual(seoOf(made));
    const listed = (await desk.get('/entries?contentTypeApiName=product')).body.data as TestEntry[];
    expect(seoOf(listed.find(({ id }) => id === made.id) ?? made)).toEqual(seoOf(made));
    const { snapshot } = (await desk.get(`/entries/${made.id}/versions/1`)).body.data;
    expect(snapshot.fields.en.seo).toEqual(seoOf(made));
    const same = await desk.put(`/entries/${made.id}`, { version: 1, fields: { seo: seoOf(made) } });
    expect(same.body.data).toMatchObject({ version: 1, fields: { seo: seoOf(made) } });
  });

  it('keeps its id and what a change leaves out, in every locale', async () => {
    const made = await product({ title: 'Product', seo: { fields: { title: 'Title', robots: 'all' } } });
    const changed = await change(desk, made.id, { fields: { seo: { fields: { robots: 'none' } } } });
    expect(outcome(changed)).toEqual([200, undefined]);
    const { _ref: id } = seoOf(made);
    expect(seoOf(changed.body.data as TestEntry)).toEqual({
      _ref: id,
      _type: 'seo',
      fields: { title: 'Title', robots: 'none' },
    });
    await change(desk, made.id, {
      locale: 'de',
      fields: { title: 'Produkt', seo: { fields: { title: 'Titel' } } },
    });
    expect(seoOf(await now(desk, made.id, '?locale=de'))).toEqual({
      _ref: id,
      _type: 'seo',
      fields: { title: 'Titel', robots: 'none' },
    });
    expect(seoOf(await now(desk, made.id)).fields.title).toBe('Title');
    const versions = (await desk.get(`/entries/${made.id}/versions`)).body.data as {
      changedFields: string[];
    }[];
    expect(versions[1]?.changedFields).toEqual([`seo[${id}].robots`]);
    const [record] = await app().rows<{ after: { fields: object } }>(
      desk.project.tenantId,
      `SELECT after FROM audit_events WHERE action = 'entry.update' AND target ->> 'id' = $1 ORDER BY number LIMIT 1`,
      [made.id],
    );
    expect(record?.after.fields).toEqual({ [`seo[${id}].robots`]: 'none' });
  });

  it('is replaced by one with another id, cleared by null, and a list of one is accepted', async () => {
    const made = await product({ seo: { fields: { title: 'Title' } } });
    const replaced = await change(desk, made.id, {
      fields: { seo: { _id: crypto.randomUUID(), fields: { robots: 'all' } } },
    });
    expect(seoOf(replaced.body.data as TestEntry).fields).toEqual({ robots: 'all' });
    expect(seoOf(replaced.body.data as TestEntry)._ref).not.toBe(seoOf(made)._ref);
    const cleared = await change(desk, made.id, { fields: { seo: null } });
    expect(cleared.body.data.fields.seo ?? null).toBeNull();
    const listed = await change(desk, made.id, {
      fields: { seo: [{ _type: 'seo', fields: { title: 'Listed' } }] },
    });
    expect(seoOf(listed.body.data as TestEntry).fields).toEqual({ title: 'Listed' });
  });

  it('refuses two objects, other types and values of wrong shape', async () => {
    const two = [{ fields: {} }, { _type: 'seo', _id: crypto.randomUUID(), fields: {} }];
    for (const [seo, issue] of [
      [two, ['fields.seo', 'too_many_items']],
      [{ _type: 'picture', fields: {} }, ['fields.seo.0._type', 'type_not_allowed']],
      [{ fields: { title: 7 } }, ['fields.seo.0.fields.title', 'invalid_type']],
      ['text', ['fields.seo', 'invalid_type']],
    ] as const) {
      const body = { contentTypeApiName: 'product', siteId: desk.project.siteId, fields: { seo } };
      const refused = await desk.post('/entries', body);
      expect(outcome(refused)).toEqual([422, 'validation_failed']);
      expect(issues(refused)).toEqual([issue]);
    }
  });

  it('links a shared block, which is published as an object as well', async () => {
    const shared = await createEntry(app(), desk.project, {
      contentTypeApiName: 'seo',
      fields: { title: 'Shared' },
    });
    await publish(app(), desk.project, shared.id);
    const made = await product({ seo: { _ref: shared.id } });
    expect(made.fields.seo).toEqual({ _ref: shared.id, _type: 'seo' });
    await publish(app(), desk.project, made.id);
    expect((await read(made.id, '?include=1')).fields.seo).toMatchObject({ _id: shared.id });
  });

  it('is delivered as one object or null, with blocks as lists beside it', async () => {
    const seo = { fields: { title: 'Title', image: { fields: { alt: 'Alt' } } } };
    const made = await product({ seo, more: [{ _type: 'seo', fields: { title: 'More' } }] });
    const empty = await product({ title: 'Empty' });
    for (const { id } of [made, empty]) await publish(app(), desk.project, id);
    expect((await read(made.id)).fields).toMatchObject({
      seo: { _ref: seoOf(made)._ref, _type: 'seo' },
      more: [{ _type: 'seo' }],
    });
    expect((await read(made.id, '?include=2')).fields).toMatchObject({
      seo: { _id: seoOf(made)._ref, fields: { title: 'Title', image: { fields: { alt: 'Alt' } } } },
      more: [{ fields: { title: 'More', image: null } }],
    });
    expect((await read(empty.id)).fields).toMatchObject({ seo: null, more: [] });
    const path = `${desk.project.delivery}/entries/${made.id}?include=1`;
    const draft = await send(app(), { method: 'GET', path, key: desk.project.keys.preview });
    expect(draft.body.data.fields.seo).toMatchObject({ fields: { title: 'Title' } });
  });

  it('is one object in GraphQL and its types', async () => {
    const made = await product({ seo: { fields: { title: 'Title', image: { fields: { alt: 'Alt' } } } } });
    const empty = await product({ title: 'Empty' });
    for (const { id } of [made, empty]) await publish(app(), desk.project, id);
    const fields = `... on Product { seo { title image { alt } } more { title } }`;
    const asked = await ask(
      `{ made: entry(id: "${made.id}") { ${fields} } empty: entry(id: "${empty.id}") { ${fields} } }`,
    );
    expect(asked.data).toEqual({
      made: { seo: { title: 'Title', image: { alt: 'Alt' } }, more: [] },
      empty: { seo: null, more: [] },
    });
    const type = await ask(
      `{ __type(name: "Product") { fields { name type { kind name } } } }`,
      'management',
    );
    expect(type.data.__type.fields).toEqual(
      expect.arrayContaining([{ name: 'seo', type: { kind: 'OBJECT', name: 'Seo' } }]),
    );
  });

  it('is copied, compared and restored as other blocks are', async () => {
    const made = await product({ seo: { fields: { title: 'Title' } } });
    const copy = (await desk.post(`/entries/${made.id}/duplicate`, {})).body.data as TestEntry;
    expect(seoOf(copy)).toMatchObject({ fields: { title: 'Title' } });
    expect(seoOf(copy)._ref).not.toBe(seoOf(made)._ref);
    await change(desk, made.id, { fields: { seo: null } });
    const restored = await desk.post(`/entries/${made.id}/versions/1/restore`, {});
    expect(seoOf(restored.body.data as TestEntry)).toEqual(seoOf(made));
    const shared = await desk.post(`/entries/${made.id}/blocks/${seoOf(made)._ref}/share`, {});
    expect(shared.body.data.fields.seo).toEqual({ _ref: seoOf(made)._ref, _type: 'seo' });
    const detached = await desk.post(`/entries/${made.id}/blocks/${seoOf(made)._ref}/detach`, {});
    expect(seoOf(detached.body.data as TestEntry)).toMatchObject({ fields: { title: 'Title' } });
  });
});

describe('The setting of a group', () => {
  verifies('content/groups');

  const addField = (apiName: string, field: object) =>
    desk.post('/content-types/product/fields', { apiName, name: apiName, ...field });

  it('needs exactly one content type', async () => {
    for (const contentTypes of [undefined, ['seo', 'picture']]) {
      const refused = await addField('two', { ...one, settings: { shape: 'group', contentTypes } });
      expect(outcome(refused)).toEqual([422, 'validation_failed']);
      expect(issues(refused)).toEqual([['settings.contentTypes', 'one_type_required']]);
    }
    const unknown = await addField('other', { ...one, settings: { shape: 'table', contentTypes: ['seo'] } });
    expect(issues(unknown)).toEqual([['settings.shape', 'invalid_value']]);
  });

  it('changes only while the field has no values', async () => {
    await addField('free', one);
    const update = (name: string, body: object) => desk.put(`/content-types/product/fields/${name}`, body);
    const made = await product({ title: 'Published without' });
    await publish(app(), desk.project, made.id);
    expect((await read(made.id)).fields.free).toBeNull();
    expect(outcome(await update('free', { validations: {} }))).toEqual([200, undefined]);
    expect((await read(made.id)).fields.free).toEqual([]);
    expect(outcome(await update('free', one))).toEqual([200, undefined]);
    expect((await read(made.id)).fields.free).toBeNull();
    await product({ free: { fields: { title: 'Value' } } });
    for (const body of [{ validations: {} }, { settings: { contentTypes: ['seo'] } }])
      expect(outcome(await update('free', body))).toEqual([409, 'field_in_use']);
    expect(outcome(await update('free', { validations: { maxItems: 1, message: 'One' } }))).toEqual([
      200,
      undefined,
    ]);
  });

  it('is carried by schema as code and by promotions', async () => {
    const { data } = (await desk.get('/schema/export')).body;
    const types = data.schema.contentTypes as {
      apiName: string;
      fields: { apiName: string; settings: object }[];
    }[];
    const field = types
      .find(({ apiName }) => apiName === 'product')
      ?.fields.find(({ apiName }) => apiName === 'seo');
    expect(field?.settings).toEqual({ contentTypes: ['seo'], shape: 'group' });
    const branch = await branchOf(app(), desk.project);
    const there = new Desk(app(), branch);
    await there.post('/content-types/product/fields', { apiName: 'promoted', name: 'Promoted', ...one });
    const made = await createEntry(app(), branch, {
      contentTypeApiName: 'product',
      fields: { promoted: { fields: { title: 'There' } } },
    });
    const promoted = await desk.post(`/environments/${branch.environment}/promote`, {
      mode: 'full',
      target: 'main',
    });
    expect(outcome(promoted)).toEqual([200, undefined]);
    expect((await now(desk, made.id)).fields.promoted).toMatchObject({ fields: { title: 'There' } });
  });
});
