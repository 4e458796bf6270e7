import { describe, expect, it } from '@jest/globals';
import { column, issues, openDesk, outcome, useApp } from '../../support/desk.js';
import { createEntry, everyField } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

const fields = '/content-types/author/fields';

describe('201', () => {
  verifies('content/fields', 'http/status-of-create-and-delete');

  it.each(everyField)('adds a field of kind $type', async (field) => {
    const desk = await openDesk(app());
    const { status, body, headers } = await desk.post(fields, { ...field, apiName: 'added' });
    expect([status, headers.location]).toEqual([201, `${desk.project.management}${fields}/added`]);
    expect(body.data).toMatchObject({ apiName: 'added', name: 'Added', type: field.type, position: 1 });
    expect(body.data).not.toHaveProperty('tenantId');
  });

  it('inserts a field at the given position and moves the others', async () => {
    const desk = await openDesk(app());
    await desk.post(fields, { apiName: 'last', type: 'text' });
    await desk.post(fields, { apiName: 'first', type: 'text', position: 0 });
    await desk.post(fields, { apiName: 'beyond', type: 'text', position: 99 });
    const answer = await desk.get(fields);
    expect(column(answer, 'apiName')).toEqual(['first', 'name', 'last', 'beyond']);
    expect(column(answer, 'position')).toEqual([0, 1, 2, 3]);
  });

  it('increments the version of the type and accepts values at once', async () => {
    const desk = await openDesk(app());
    await desk.post(fields, { apiName: 'born', type: 'date', defaultValue: '1815-12-10' });
    expect((await desk.get('/content-types/author')).body.data.schemaVersion).toBe(2);
    const { fields: values } = await createEntry(app(), desk.project, { contentTypeApiName: 'author' });
    expect(values).toEqual({ born: '1815-12-10' });
  });
});

describe('409', () => {
  verifies('content/names');

  it('returns 409 for a field name in use', async () => {
    const desk = await openDesk(app());
    expect(outcome(await desk.post(fields, { apiName: 'name', type: 'text' }))).toEqual([
      409,
      'api_name_conflict',
    ]);
  });

  it('accepts one of 10 concurrent requests to add the same field', async () => {
    const desk = await openDesk(app());
    const field = { apiName: 'raced', type: 'text' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => desk.post(fields, field)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
  });
});

describe('422', () => {
  verifies('content/names', 'http/input-shape');

  it.each(['_id', '__x', 'a-b', '1a', ''])('returns 422 for the field name %p', async (apiName) => {
    const desk = await openDesk(app());
    expect(outcome(await desk.post(fields, { apiName, type: 'text' }))).toEqual([422, 'validation_failed']);
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', 'prototype'])(
    'returns 422 for the reserved field name %s',
    async (apiName) => {
      const desk = await openDesk(app());
      expect(outcome(await desk.post(fields, { apiName, type: 'text' }))).toEqual([422, 'reserved_api_name']);
    },
  );

  it.each([
    { field: { type: 'select' }, path: 'settings.options' },
    { field: { type: 'text', settings: { options: [] } }, path: 'settings.options' },
    { field: { type: 'text', validations: { maxLength: 513 } }, path: 'validations.maxLength' },
    { field: { type: 'text', validations: { pattern: '(?=a)' } }, path: 'validations.pattern' },
    { field: { type: 'integer', validations: { min: 2, max: 1 } }, path: 'validations.min' },
    {
      field: { type: 'richText', validations: { allowedNodes: ['nothing'] } },
      path: 'validations.allowedNodes.0',
    },
    { field: { type: 'text', unique: true, isList: true }, path: 'unique' },
    { field: { type: 'boolean', defaultValue: 'yes' }, path: 'defaultValue' },
  ])('returns 422 for $field', async ({ field, path }) => {
    const desk = await openDesk(app());
    const answer = await desk.post(fields, { apiName: 'added', ...field });
    expect(outcome(answer)).toEqual([422, 'validation_failed']);
    expect(issues(answer).map(([at]) => at)).toContain(path);
  });

  it('returns 422 for the 101st field', async () => {
    const desk = await openDesk(app());
    const hundred = Array.from({ length: 100 }, (_, index) => ({
      apiName: `f${String(index)}`,
      type: 'text',
    }));
    await desk.post('/content-types', { apiName: 'full', name: 'Full', fields: hundred });
    const answer = await desk.post('/content-types/full/fields', { apiName: 'more', type: 'text' });
    expect(outcome(answer)).toEqual([422, 'limit_reached']);
  });
});

describe('404', () => {
  verifies('http/missing-things');

  it('returns 404 when adding a field to an unknown type', async () => {
    const desk = await openDesk(app());
    const answer = await desk.post('/content-types/nothing/fields', { apiName: 'added', type: 'text' });
    expect(outcome(answer)).toEqual([404, 'content_type_not_found']);
  });
});
