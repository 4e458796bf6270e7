import { describe, expect, it } from '@jest/globals';
import { column, openDesk, outcome, useApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

describe('GET sites', () => {
  verifies('routing/sites', 'lists/pages', 'lists/envelope');

  it('pages, sorts and searches the sites of the project and of no other', async () => {
    const [desk] = [await openDesk(app()), await openDesk(app())];
    await desk.post('/sites', { slug: 'b', name: 'Alpha_1' });
    await desk.post('/sites', { slug: 'a', name: 'Zeta' });
    const slugs = async (query: string) => column(await desk.get(`/sites?${query}`), 'slug');
    expect(await slugs('')).toEqual(['a', 'b', 'main']);
    expect(await slugs('orderBy=slug:desc')).toEqual(['main', 'b', 'a']);
    expect(await slugs('orderBy=name:asc')).toEqual(['b', 'main', 'a']);
    expect(await slugs('q=A_1')).toEqual(['b']);
    expect(await slugs('limit=2&page=2')).toEqual(['main']);
    expect((await desk.get('/sites?limit=2')).body.meta).toEqual({ total: 3, page: 1, limit: 2, pages: 2 });
  });
});

describe('GET sites/{slug}', () => {
  it('returns 404 for an unknown site', async () => {
    const desk = await openDesk(app());
    expect(outcome(await desk.get('/sites/nothing'))).toEqual([404, 'site_not_found']);
  });
});
