import { beforeAll, expect, it } from '@jest/globals';
import { openCustomScene, type CustomScene } from './scene.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let scene: CustomScene;

beforeAll(async () => {
  scene = await openCustomScene(app());
});

it('deletes a custom field type that no field uses', async () => {
  const { body } = await scene.register({ apiName: 'spare' });
  const answer = await scene.call('DELETE', '/custom-field-types/spare');
  expect([answer.status, answer.body]).toEqual([200, { data: { id: body.data.id, deleted: true } }]);
  expect((await scene.call('DELETE', '/custom-field-types/spare')).body.error).toBe(
    'custom_field_type_not_found',
  );
  expect((await scene.register({ apiName: 'spare' })).status).toBe(201);
});

it('returns 409 with the fields that use the type, and deletes it once they are deleted', async () => {
  await scene.register({ apiName: 'used' });
  const fields = [{ apiName: 'price', type: 'custom', settings: { customFieldType: 'used' } }];
  await scene.call('POST', '/content-types', { apiName: 'offer', name: 'Offer', fields });
  const answer = await scene.call('DELETE', '/custom-field-types/used');
  expect([answer.status, answer.body.error]).toEqual([409, 'custom_field_type_in_use']);
  expect(answer.body.details).toEqual({
    usageCount: 1,
    usedBy: [{ contentTypeApiName: 'offer', fieldApiName: 'price' }],
  });
  expect((await scene.call('DELETE', '/content-types/offer/fields/price')).status).toBe(200);
  expect((await scene.call('DELETE', '/custom-field-types/used')).status).toBe(200);
});

it.each(['gone', '%00', 'a b', 'x'.repeat(200)])(
  'returns 404 for the custom field type %s',
  async (apiName) => {
    const answer = await scene.call('DELETE', `/custom-field-types/${apiName.replace(' ', '%20')}`);
    expect([answer.status, answer.body.error]).toEqual([404, 'custom_field_type_not_found']);
  },
);

it('returns 404 for a custom field type of another tenant', async () => {
  const other = await openCustomScene(app());
  await other.register({ apiName: 'theirs' });
  const answer = await scene.call('DELETE', '/custom-field-types/theirs');
  expect([answer.status, answer.body.error]).toEqual([404, 'custom_field_type_not_found']);
});
