import { describe, expect, it } from '@jest/globals';
import { column, issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry, createType, paragraphs, publish } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

/** A type with one field and an entry with a value of it. */
async function withValue(
  field: Record<string, unknown>,
  value: unknown,
): Promise<{ desk: Desk; id: string }> {
  const desk = await openDesk(app());
  await createType(app(), desk.project, { apiName: 'thing', fields: [{ apiName: 'one', ...field }] });
  const { id } = await createEntry(app(), desk.project, {
    contentTypeApiName: 'thing',
    fields: { one: value },
  });
  return { desk, id };
}

const change = (desk: Desk, body: object) => desk.put('/content-types/thing/fields/one', body);

describe('200', () => {
  verifies('content/fields', 'http/put-partial');

  it('changes the given keys of a field, clears null keys and keeps the others', async () => {
    const { desk } = await withValue({ type: 'text', description: 'Old', group: 'Main' }, 'x');
    const { status, body } = await change(desk, { description: null, required: true });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ description: null, group: 'Main', required: true, type: 'text' });
  });

  it('changes nothing if the values of a field are equal', async () => {
    const { desk } = await withValue({ type: 'text' }, 'x');
    const before = (await desk.get('/content-types/thing')).body;
    expect((await change(desk, { name: 'One', required: false, settings: {} })).status).toBe(200);
    expect((await desk.get('/content-types/thing')).body).toEqual(before);
  });

  it('moves a field and closes the gap', async () => {
    const desk = await openDesk(app());
    await desk.put('/content-types/article/fields/code', { position: 0 });
    const answer = await desk.get('/content-types/article/fields');
    expect(column(answer, 'apiName')).toEqual(['code', 'title', 'body', 'author', 'related']);
    expect(column(answer, 'position')).toEqual([0, 1, 2, 3, 4]);
  });

  it('applies new validations at the next publish', async () => {
    const { desk, id } = await withValue({ type: 'text' }, 'lower');
    await change(desk, { validations: { pattern: '^[A-Z]+$' } });
    expect(issues(await desk.post(`/entries/${id}/publish`))).toEqual([['fields.one', 'pattern']]);
  });
});

describe('Dependents of a field', () => {
  verifies('content/fields');

  it('omits published values in the old form when a field becomes a list or a single value', async () => {
    const { desk, id } = await withValue({ type: 'text' }, null);
    await publish(app(), desk.project, id);
    const live = async () =>
      (await app().request.get(`${desk.project.delivery}/entries/${id}`)).body.data.fields as object;
    expect(await live()).toStrictEqual({ one: null });
    await change(desk, { isList: true });
    expect(await live()).toStrictEqual({ one: [] });
    await change(desk, { isList: false });
    expect(await live()).toStrictEqual({ one: null });
    expect((await desk.get(`/entries/${id}`)).body.data.status).toBe('published');
  });

  it('clears the display field when it becomes a list', async () => {
    const { desk } = await withValue({ type: 'text' }, null);
    expect((await desk.get('/content-types/thing')).body.data.displayField).toBe('one');
    await change(desk, { isList: true });
    expect((await desk.get('/content-types/thing')).body.data.displayField).toBeNull();
  });

  it('allows updates of a field that refers to a deleted type', async () => {
    const desk = await openDesk(app());
    await desk.delete('/content-types/author');
    const path = '/content-types/article/fields/author';
    expect((await desk.put(path, { name: 'Written by' })).body.data).toMatchObject({
      name: 'Written by',
      settings: { contentTypes: ['author'] },
    });
    const unknown = await desk.put(path, { settings: { contentTypes: ['author', 'nothing'] } });
    expect(outcome(unknown)).toEqual([404, 'content_type_not_found']);
    expect(unknown.body.details.path).toEqual(['settings', 'contentTypes', 1]);
  });
});

describe('A change of kind', () => {
  verifies('content/conversions-compatible');

  it.each([
    { from: { type: 'text' }, to: 'longText', value: 'x' },
    { from: { type: 'integer' }, to: 'number', value: 7 },
    { from: { type: 'select', settings: { options: [{ value: 'a' }] } }, to: 'text', value: 'a' },
    { from: { type: 'slug' }, to: 'text', value: 'a' },
    { from: { type: 'email' }, to: 'text', value: 'a@example.com' },
  ])('keeps the value when the kind changes from $from.type to $to', async ({ from, to, value }) => {
    const { desk, id } = await withValue(from, value);
    const { status, body } = await change(desk, { type: to });
    expect([status, body.data.type, body.data.settings]).toEqual([200, to, {}]);
    expect((await desk.get(`/entries/${id}`)).body.data.fields.one).toBe(value);
    expect((await desk.post(`/entries/${id}/publish`)).status).toBe(200);
  });

  it.each([
    { from: { type: 'longText' }, to: 'text', value: 'x' },
    { from: { type: 'number' }, to: 'integer', value: 7.5 },
    { from: { type: 'text' }, to: 'richText', value: 'x' },
    { from: { type: 'richText' }, to: 'longText', value: paragraphs('x') },
    { from: { type: 'reference' }, to: 'text', value: null },
  ])(
    'returns 422 with the compatible kinds when the kind changes from $from.type to $to',
    async ({ from, to, value }) => {
      const { desk } = await withValue(from, value);
      const answer = await change(desk, { type: to });
      expect(outcome(answer)).toEqual([422, 'incompatible_type_change']);
      expect(answer.body.details).toMatchObject({ from: from.type, to, possible: expect.any(Array) });
    },
  );
});

describe('409', () => {
  verifies('content/types-in-use');

  it('distinguishes json values with the same key "raw"', async () => {
    const { desk, id } = await withValue({ type: 'json' }, { raw: 1, other: 1 });
    const second = await createEntry(app(), desk.project, {
      contentTypeApiName: 'thing',
      fields: { one: { raw: 1, other: 2 } },
    });
    for (const one of [id, second.id]) await publish(app(), desk.project, one);
    expect((await change(desk, { unique: true })).status).toBe(200);
    const third = await createEntry(app(), desk.project, {
      contentTypeApiName: 'thing',
      fields: { one: { raw: 1, other: 2 } },
    });
    expect(issues(await desk.post(`/entries/${third.id}/publish`))).toEqual([['fields.one', 'not_unique']]);
  });

  it.each([
    { kind: 'text', value: 'Same "text" – with ü and \\' },
    { kind: 'json', value: { b: [1, { c: null }], a: 'ü' } },
    { kind: 'number', value: 1.5 },
    { kind: 'richText', value: paragraphs('Same') },
  ])(
    'returns 409 when a $kind becomes unique while two published entries share a value',
    async ({ kind, value }) => {
      const { desk, id } = await withValue({ type: kind }, value);
      const other = await createEntry(app(), desk.project, {
        contentTypeApiName: 'thing',
        fields: { one: value },
      });
      await publish(app(), desk.project, id);
      await publish(app(), desk.project, other.id);
      expect(outcome(await change(desk, { unique: true }))).toEqual([409, 'field_in_use']);
      await desk.post(`/entries/${id}/unpublish`);
      expect((await change(desk, { unique: true })).status).toBe(200);
      expect(issues(await desk.post(`/entries/${id}/publish`))).toEqual([['fields.one', 'not_unique']]);
      expect((await change(desk, { unique: false })).status).toBe(200);
      expect((await desk.post(`/entries/${id}/publish`)).status).toBe(200);
    },
  );
});

describe('404 and 422', () => {
  verifies('http/missing-things', 'http/put-partial');

  it('returns 404 for an unknown type or field and 422 for an empty body', async () => {
    const desk = await openDesk(app());
    const missingType = await desk.put('/content-types/nothing/fields/one', { name: 'X' });
    expect(outcome(missingType)).toEqual([404, 'content_type_not_found']);
    const missing = await desk.put('/content-types/article/fields/nothing', { name: 'X' });
    expect(outcome(missing)).toEqual([404, 'field_not_found']);
    expect(outcome(await desk.put('/content-types/article/fields/title', {}))).toEqual([
      422,
      'no_update_fields',
    ]);
  });

  it('returns 422 for a change of the apiName', async () => {
    const { desk } = await withValue({ type: 'text' }, 'x');
    expect(issues(await change(desk, { apiName: 'other' }))).toEqual([['apiName', 'read_only']]);
  });

  it.each([
    [{ settings: { options: [] } }, 'settings.options'],
    [{ validations: { minItems: -1 } }, 'validations.minItems'],
    [{ name: null }, 'name'],
  ])('returns 422 for the update %j of a field', async (body, path) => {
    const { desk } = await withValue({ type: 'text' }, 'x');
    const answer = await change(desk, body);
    expect(outcome(answer)).toEqual([422, 'validation_failed']);
    expect(issues(answer)[0]?.[0]).toBe(path);
  });
});
