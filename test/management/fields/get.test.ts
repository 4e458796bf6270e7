import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp } from '../../support/desk.js';

const app = useApp();

describe('GET /content-types/{apiName}/fields/{fieldApiName}', () => {
  it('returns the field that Location names after creation', async () => {
    const desk = await openDesk(app());
    const created = await desk.post('/content-types/article/fields', { apiName: 'subtitle', type: 'text' });
    const read = await desk.get('/content-types/article/fields/subtitle');
    expect(read.status).toBe(200);
    expect(read.body.data).toEqual(created.body.data);
    expect(created.headers.location).toBe(`${desk.project.management}/content-types/article/fields/subtitle`);
  });

  it('returns 404 for an unknown field', async () => {
    const desk = await openDesk(app());
    expect(outcome(await desk.get('/content-types/article/fields/missing'))).toEqual([
      404,
      'field_not_found',
    ]);
  });

  it('returns 404 for an unknown content type', async () => {
    const desk = await openDesk(app());
    const path = '/content-types/missing/fields/title';
    expect(outcome(await desk.get(path))).toEqual([404, 'content_type_not_found']);
  });
});
