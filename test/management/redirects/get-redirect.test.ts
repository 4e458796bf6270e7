import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp } from '../../support/desk.js';
import { sessionWith } from '../../support/members.js';

const app = useApp();

describe('GET /redirects/{id}', () => {
  it('returns the redirect that Location names after creation', async () => {
    const desk = await openDesk(app());
    const created = await desk.post('/redirects', {
      siteId: desk.project.siteId,
      source: '/old',
      target: '/new',
    });
    const read = await desk.get(`/redirects/${created.body.data.id}`);
    expect(read.status).toBe(200);
    expect(read.body.data).toEqual(created.body.data);
    expect(created.headers.location).toBe(`${desk.project.management}/redirects/${created.body.data.id}`);
  });

  it('returns 404 for an unknown redirect', async () => {
    const desk = await openDesk(app());
    expect(outcome(await desk.get('/redirects/0198c0de-0000-7000-8000-000000000000'))).toEqual([
      404,
      'redirect_not_found',
    ]);
  });

  it('returns 404 to a caller who can read another site only', async () => {
    const desk = await openDesk(app());
    const created = await desk.post('/redirects', {
      siteId: desk.project.siteId,
      source: '/old',
      target: '/new',
    });
    const other = await desk.post('/sites', { slug: 'other', name: 'Other' });
    const scope = { siteIds: [other.body.data.id] };
    const reader = desk.as(
      await sessionWith(app(), desk.project, [{ resource: 'redirects', action: 'read', scope }]),
    );
    expect(outcome(await reader.get(`/redirects/${created.body.data.id}`))).toEqual([
      404,
      'redirect_not_found',
    ]);
  });
});
