import { describe, expect, it } from '@jest/globals';
import { column, openDesk, outcome, useApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

describe('GET locales', () => {
  verifies('access/tenant-locales', 'lists/envelope');

  it('lists the locales of the tenant in order, with fallbacks', async () => {
    const desk = await openDesk(app(), { locales: ['en', 'fr', { code: 'de', fallbackCode: 'en' }] });
    const answer = await desk.get('/locales');
    expect(answer.body.data[2]).toEqual({
      code: 'de',
      name: 'German',
      isDefault: false,
      fallbackCode: 'en',
      isActive: true,
    });
    expect(column(answer, 'code')).toEqual(['en', 'fr', 'de']);
    expect(answer.body.meta).toEqual({ total: 3, page: 1, limit: 25, pages: 1 });
    expect(column(await desk.get('/locales?limit=2&page=2'), 'code')).toEqual(['de']);
  });

  it('returns 422 for an invalid page', async () => {
    const desk = await openDesk(app());
    expect(outcome(await desk.get('/locales?page=0'))).toEqual([422, 'validation_failed']);
  });
});
