import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp } from '../../support/desk.js';

const app = useApp();

describe('GET /custom-field-types/{apiName}', () => {
  it('returns the custom field type that Location names after creation', async () => {
    const desk = await openDesk(app());
    const created = await desk.post('/custom-field-types', {
      apiName: 'money',
      name: 'Money',
      jsonSchema: { type: 'object' },
    });
    const read = await desk.get('/custom-field-types/money');
    expect(read.status).toBe(200);
    expect(read.body.data).toEqual(created.body.data);
    expect(created.headers.location).toBe(`${desk.project.management}/custom-field-types/money`);
  });

  it('returns 404 for an unknown custom field type', async () => {
    const desk = await openDesk(app());
    expect(outcome(await desk.get('/custom-field-types/missing'))).toEqual([
      404,
      'custom_field_type_not_found',
    ]);
  });
});
