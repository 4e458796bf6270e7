import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, publish } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { issuesOf, openCustomScene, type CustomScene } from './scene.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let scene: CustomScene;

beforeAll(async () => {
  scene = await openCustomScene(app());
  await scene.register({ apiName: 'money', defaultValue: { amount: 0, currency: 'EUR' } });
  await scene.register({ apiName: 'word', jsonSchema: { type: 'string', pattern: '(a+)+$' } });
  const custom = (apiName: string, customFieldType: string) => ({
    apiName,
    type: 'custom',
    settings: { customFieldType },
  });
  const made = await scene.call('POST', '/content-types', {
    apiName: 'offer',
    name: 'Offer',
    fields: [
      { ...custom('price', 'money') },
      { ...custom('fees', 'money'), isList: true },
      { ...custom('word', 'word') },
      { apiName: 'paint', type: 'color' },
      { apiName: 'place', type: 'location' },
      {
        apiName: 'size',
        type: 'json',
        settings: {
          jsonSchema: { type: 'object', required: ['width'], properties: { width: { type: 'integer' } } },
        },
      },
    ],
  });
  expect(made.status).toBe(201);
});

const write = (fields: Record<string, unknown>) =>
  scene.call('POST', '/entries', { contentTypeApiName: 'offer', siteId: scene.project.siteId, fields });

const good = {
  price: { amount: 3.5, currency: 'USD' },
  fees: [
    { amount: 1, currency: 'EUR' },
    { amount: 2, currency: 'USD' },
  ],
  word: 'aaa',
  paint: '#1A2b3cFF',
  place: { lat: -33.865143, lng: 151.2099 },
  size: { width: 3, more: [1, null] },
};

describe('A value of a new kind', () => {
  verifies('content/custom-field-schemas');

  it('returns a custom value as it was written in drafts, delivery and GraphQL', async () => {
    const { id } = await createEntry(app(), scene.project, { contentTypeApiName: 'offer', fields: good });
    expect((await scene.call('GET', `/entries/${id}`)).body.data.fields).toEqual(good);
    await publish(app(), scene.project, id);
    const live = await app().request.get(`${scene.project.delivery}/entries/${id}`);
    expect(live.body.data.fields).toEqual(good);
    const query = `{ entry(id: "${id}") { ... on Offer { price fees word paint place { lat lng } size } } }`;
    const asked = await app()
      .request.post(`/api/graphql/${scene.project.slug}`)
      .set('Authorization', `Bearer ${scene.project.keys.preview}`)
      .send({ query });
    expect(asked.body.data.entry).toEqual(good);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ price: 3 }, 'fields.price json_schema'],
    [{ price: { amount: 3 } }, 'fields.price.currency json_schema'],
    [{ price: { amount: -1, currency: 'EUR' } }, 'fields.price.amount json_schema'],
    [{ price: { amount: 1, currency: 'EUR', tax: 2 } }, 'fields.price.tax json_schema'],
    [{ fees: { amount: 1, currency: 'EUR' } }, 'fields.fees invalid_type'],
    [{ fees: [good.price, { amount: 'x', currency: 'EUR' }] }, 'fields.fees.1.amount json_schema'],
    [{ fees: [null] }, 'fields.fees.0 invalid_type'],
    [{ paint: 'red' }, 'fields.paint invalid_format'],
    [{ place: { lat: 91, lng: 0 } }, 'fields.place.lat out_of_range'],
    [{ place: { lat: 0 } }, 'fields.place.lng invalid_type'],
    [{ size: { width: 1.5 } }, 'fields.size.width json_schema'],
  ])('returns 422 for a custom value that does not match: %j', async (fields, issue) => {
    const answer = await write(fields);
    expect([answer.status, answer.body.error, issuesOf(answer)]).toEqual([422, 'validation_failed', [issue]]);
  });

  it('checks custom values on updates', async () => {
    const { id } = await createEntry(app(), scene.project, { contentTypeApiName: 'offer', fields: good });
    const answer = await scene.call('PUT', `/entries/${id}`, { version: 1, fields: { price: 'free' } });
    expect([answer.status, issuesOf(answer)]).toEqual([422, ['fields.price json_schema']]);
  });

  it('rejects a value in linear time whose pattern never ends in a backtracking engine', async () => {
    const answer = await write({ word: `${'a'.repeat(5000)}!` });
    expect(issuesOf(answer)).toEqual(['fields.word json_schema']);
  });

  it('applies the default of the type unless the field or the caller sets another', async () => {
    const first = await write({});
    expect(first.body.data.fields).toEqual({ price: { amount: 0, currency: 'EUR' } });
    expect((await write({ price: null })).body.data.fields).toEqual({});
  });
});

describe('A definition', () => {
  const add = (body: Record<string, unknown>) => scene.call('POST', '/content-types/offer/fields', body);

  it('requires an existing custom field type in the definition of a field', async () => {
    const answer = await add({ apiName: 'new', type: 'custom', settings: { customFieldType: 'gone' } });
    expect([answer.status, answer.body.error, answer.body.details]).toEqual([
      404,
      'custom_field_type_not_found',
      { path: ['settings', 'customFieldType'] },
    ]);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ type: 'custom' }, 'settings.customFieldType invalid_type'],
    [
      { type: 'json', settings: { jsonSchema: { $ref: 'https://a.b' } } },
      'settings.jsonSchema.$ref invalid_reference',
    ],
    [
      { type: 'json', settings: { jsonSchema: { type: 'string' } }, defaultValue: 1 },
      'defaultValue json_schema',
    ],
    [
      { type: 'custom', settings: { customFieldType: 'money' }, defaultValue: { amount: 1 } },
      'defaultValue.currency json_schema',
    ],
    [{ type: 'color', defaultValue: 'red' }, 'defaultValue invalid_format'],
    [{ type: 'location', settings: { lat: 1 } }, 'settings.lat unrecognized_key'],
  ])('returns 422 for an invalid definition of a custom field: %j', async (body, issue) => {
    const answer = await add({ apiName: 'new', ...body });
    expect([answer.status, issuesOf(answer)]).toEqual([422, [issue]]);
  });
});

describe('A value that takes too much work to check', () => {
  verifies('limits/event-loop');

  it('is refused with 422 schema_too_complex, and the next write is checked as usual', async () => {
    const jsonSchema = { type: 'array', uniqueItems: true };
    const fields = [{ apiName: 'rows', type: 'json', settings: { jsonSchema } }];
    expect((await scene.call('POST', '/content-types', { apiName: 'table', name: 'T', fields })).status).toBe(
      201,
    );
    const writeRows = (count: number) =>
      scene.call('POST', '/entries', {
        contentTypeApiName: 'table',
        siteId: scene.project.siteId,
        fields: { rows: Array.from({ length: count }, (_none, row) => ({ row })) },
      });
    const { status, body } = await writeRows(40_000);
    expect([status, body.error, body.details.issues[0]]).toEqual([
      422,
      'schema_too_complex',
      { path: ['fields', 'rows'], code: 'schema_too_complex', message: expect.any(String) },
    ]);
    expect((await writeRows(1000)).status).toBe(201);
  });
});
