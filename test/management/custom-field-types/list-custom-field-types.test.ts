import { beforeAll, expect, it } from '@jest/globals';
import { openCustomScene, type CustomScene } from './scene.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let scene: CustomScene;

beforeAll(async () => {
  scene = await openCustomScene(app());
  for (const name of ['Berth', 'Crane', 'Anchor'])
    await scene.register({ apiName: name.toLowerCase(), name });
});

const namesIn = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name);

it('lists custom field types last changed first or in the requested order', async () => {
  await scene.call('PUT', '/custom-field-types/berth', { description: 'Where ships lie' });
  const answer = await scene.call('GET', '/custom-field-types');
  expect(answer.status).toBe(200);
  expect(namesIn(answer.body)).toEqual(['Berth', 'Anchor', 'Crane']);
  expect(answer.body.meta).toEqual({ total: 3, page: 1, limit: 25, pages: 1 });
  const byName = await scene.call('GET', '/custom-field-types?orderBy=name:asc&limit=2&page=2');
  expect(namesIn(byName.body)).toEqual(['Crane']);
  expect(byName.body.meta).toEqual({ total: 3, page: 2, limit: 2, pages: 2 });
});

it('searches custom field types by part of the name, special characters included', async () => {
  expect(namesIn((await scene.call('GET', '/custom-field-types?q=ERT')).body)).toEqual(['Berth']);
  expect(namesIn((await scene.call('GET', '/custom-field-types?q=%25')).body)).toEqual([]);
});

it('counts the fields of each custom type and keeps the order of its properties', async () => {
  const jsonSchema = { type: 'object', properties: { zeta: {}, alpha: {}, mid: {} } };
  await scene.register({ apiName: 'ordered', jsonSchema });
  const fields = ['one', 'two'].map((apiName) => ({
    apiName,
    type: 'custom',
    settings: { customFieldType: 'ordered' },
  }));
  await scene.call('POST', '/content-types', { apiName: 'holder', name: 'Holder', fields });
  const { body } = await scene.call('GET', '/custom-field-types?q=Type');
  expect(body.data[0].usageCount).toBe(2);
  expect(Object.keys(body.data[0].jsonSchema.properties as object)).toEqual(['zeta', 'alpha', 'mid']);
});
