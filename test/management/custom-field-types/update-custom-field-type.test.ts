import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, type TestEntry } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { issuesOf, moneySchema, openCustomScene, type CustomScene } from './scene.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let scene: CustomScene;

beforeAll(async () => {
  scene = await openCustomScene(app());
  await scene.register({ apiName: 'money', name: 'Money', graphqlTypeName: 'Money' });
});

const change = (body: unknown, apiName = 'money') =>
  scene.call('PUT', `/custom-field-types/${apiName}`, body);

describe('200', () => {
  it('changes the given keys of a custom type, clears null keys and increments its version', async () => {
    const changed = await change({ name: 'Amount', defaultValue: { amount: 1, currency: 'USD' } });
    expect([changed.status, changed.body.data.version]).toEqual([200, 2]);
    expect(changed.body.data).toMatchObject({ name: 'Amount', graphqlTypeName: 'Money' });
    const cleared = await change({ defaultValue: null, graphqlTypeName: null });
    expect(cleared.body.data).toMatchObject({ defaultValue: null, graphqlTypeName: null, version: 3 });
  });

  it('changes nothing if the values of a custom type are equal', async () => {
    const { body } = await change({ name: 'Amount', jsonSchema: moneySchema });
    expect(body.data.version).toBe(3);
  });
});

describe('A schema that refuses stored values', () => {
  verifies('content/custom-field-narrowing');

  const euros = { ...moneySchema, properties: { amount: { type: 'number' }, currency: { const: 'EUR' } } };
  let dollars: TestEntry;

  beforeAll(async () => {
    await scene.register({ apiName: 'fare', jsonSchema: moneySchema });
    const fare = { type: 'custom', settings: { customFieldType: 'fare' } };
    const fields = [
      { apiName: 'single', ...fare, localized: true },
      { apiName: 'several', ...fare, isList: true },
      { apiName: 'preset', ...fare, defaultValue: { amount: 2, currency: 'USD' } },
    ];
    await scene.call('POST', '/content-types', { apiName: 'trip', name: 'Trip', fields });
    const write = (currency: string) =>
      createEntry(app(), scene.project, {
        contentTypeApiName: 'trip',
        fields: {
          single: { amount: 1, currency },
          several: [
            { amount: 1, currency: 'EUR' },
            { amount: 2, currency },
          ],
          preset: null,
        },
      });
    await write('EUR');
    dollars = await write('USD');
  });

  it('accepts a stricter schema and warns about the values and defaults that do not match it', async () => {
    const answer = await change({ jsonSchema: euros }, 'fare');
    expect(answer.status).toBe(200);
    const place = { entryId: dollars.id, contentTypeApiName: 'trip' };
    const message = expect.any(String);
    expect(answer.body.meta.warnings).toEqual([
      { code: 'value_invalid', message, ...place, fieldApiName: 'single', locale: 'en', path: ['currency'] },
      {
        code: 'value_invalid',
        message,
        ...place,
        fieldApiName: 'several',
        locale: null,
        path: [1, 'currency'],
      },
      {
        code: 'default_invalid',
        message,
        contentTypeApiName: 'trip',
        fieldApiName: 'preset',
        path: ['currency'],
      },
    ]);
  });

  it('keeps values that no longer match, and blocks publishing them', async () => {
    const read = await scene.call('GET', `/entries/${dollars.id}`);
    expect(read.body.data.fields.single).toEqual({ amount: 1, currency: 'USD' });
    const answer = await scene.call('POST', `/entries/${dollars.id}/publish`, {});
    expect([answer.status, answer.body.error]).toEqual([422, 'entry_invalid']);
    expect(issuesOf(answer)).toEqual([
      'fields.single.currency json_schema',
      'fields.several.1.currency json_schema',
    ]);
  });

  it('returns no warnings if every value matches the new schema', async () => {
    expect((await change({ jsonSchema: { type: 'object' } }, 'fare')).body.meta).toBeUndefined();
  });
});

describe('refusals', () => {
  it.each<[unknown, number, string]>([
    [{}, 422, 'no_update_fields'],
    [{ apiName: 'other' }, 422, 'read_only'],
    [{ name: null }, 422, 'validation_failed'],
    [{ jsonSchema: { type: 'nothing' } }, 422, 'validation_failed'],
    [{ defaultValue: 3 }, 422, 'validation_failed'],
    [{ graphqlTypeName: 'Query' }, 409, 'graphql_type_name_conflict'],
  ])('returns an error for the update %j: %i %s', async (body, status, error) => {
    const answer = await change(body);
    expect([answer.status, answer.body.error]).toEqual([status, error]);
  });

  it('checks the stored default against a new schema', async () => {
    await scene.register({ apiName: 'level', jsonSchema: { type: 'integer' }, defaultValue: 5 });
    const answer = await change({ jsonSchema: { type: 'integer', maximum: 3 } }, 'level');
    expect([answer.status, issuesOf(answer)]).toEqual([422, ['defaultValue json_schema']]);
  });

  it('returns 404 for another name and another tenant', async () => {
    const other = await openCustomScene(app());
    await other.register({ apiName: 'theirs' });
    for (const apiName of ['gone', 'theirs', '%00']) {
      const answer = await change({ name: 'New' }, apiName);
      expect([answer.status, answer.body.error]).toEqual([404, 'custom_field_type_not_found']);
    }
  });
});

it('audits each change once, and equal values not at all', async () => {
  await scene.register({ apiName: 'audited' });
  await change({ name: 'New' }, 'audited');
  await change({ name: 'New' }, 'audited');
  await scene.call('DELETE', '/custom-field-types/audited');
  const rows = await app().rows<{ action: string }>(
    scene.project.tenantId,
    "SELECT action FROM audit_events WHERE project_id = $1 AND target ->> 'type' = 'custom_field_type' AND coalesce(after, before) ->> 'apiName' = 'audited' ORDER BY at, id",
    [scene.project.projectId],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    'custom_field_type.create',
    'custom_field_type.update',
    'custom_field_type.delete',
  ]);
});
