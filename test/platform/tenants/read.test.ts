import { describe, expect, it } from '@jest/globals';
import { column, outcome, useApp } from '../../support/desk.js';
import { unique } from '../../support/factories/project.js';
import { newTenant, platform } from '../../support/platform.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

describe('GET tenants', () => {
  verifies('access/tenants', 'lists/pages', 'lists/envelope');

  it('pages the tenants of the service and searches by name', async () => {
    const name = unique();
    const slugs = [];
    for (const suffix of ['b', 'a', 'c']) slugs.push(await newTenant(app(), { name: `${name} ${suffix}` }));
    const [b, a, c] = slugs;
    const listed = async (query: string) =>
      column(await platform(app(), `GET /tenants?q=${name.toUpperCase()}&${query}`), 'slug');
    expect(await listed('')).toEqual([c, a, b]);
    expect(await listed('orderBy=name:asc')).toEqual([a, b, c]);
    expect(await listed('orderBy=createdAt:asc&limit=1&page=2')).toEqual([a]);
    const { body } = await platform(app(), `GET /tenants?q=${name}&limit=2`);
    expect(body.meta).toEqual({ total: 3, page: 1, limit: 2, pages: 2 });
  });

  it.each(['limit=101', 'orderBy=status:asc', 'page=x'])(
    'returns 422 for the list of tenants with %s',
    async (query) => {
      expect(outcome(await platform(app(), `GET /tenants?${query}`))).toEqual([422, 'validation_failed']);
    },
  );
});

describe('GET tenants/{slug}', () => {
  it('returns 404 for an unknown tenant', async () => {
    expect(outcome(await platform(app(), 'GET /tenants/nothing'))).toEqual([404, 'tenant_not_found']);
  });
});
