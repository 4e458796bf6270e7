import { describe, expect, it } from '@jest/globals';
import { issues, openDesk, outcome, useApp } from '../../support/desk.js';
import { platform } from '../../support/platform.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

const site = (body: object = {}) => ({ slug: 'shop', name: 'Shop', ...body });

describe('201', () => {
  verifies('routing/sites', 'http/status-of-create-and-delete');

  it('uses every active locale of the tenant by default', async () => {
    const desk = await openDesk(app());
    const locales = ['en', 'de', 'fr', { code: 'it', isActive: false }];
    await platform(app(), `PUT /tenants/${desk.project.tenantSlug}`, { locales });
    const { status, body, headers } = await desk.post('/sites', site());
    expect([status, headers.location]).toEqual([201, `${desk.project.management}/sites/shop`]);
    expect(body.data).toMatchObject({
      slug: 'shop',
      name: 'Shop',
      defaultLocale: 'en',
      locales: ['en', 'de', 'fr'],
      localePathStrategy: 'none',
      homeEntryId: null,
      isActive: true,
    });
    expect((await desk.get('/sites/shop')).body.data).toEqual(body.data);
  });

  it('uses its first locale as default when the tenant’s is not included', async () => {
    const desk = await openDesk(app());
    const { body } = await desk.post('/sites', site({ locales: ['fr', 'de'] }));
    expect(body.data).toMatchObject({ defaultLocale: 'fr', locales: ['fr', 'de'] });
  });

  it('accepts the same slug in two projects', async () => {
    const desks = [await openDesk(app()), await openDesk(app())];
    for (const desk of desks) expect((await desk.post('/sites', site())).status).toBe(201);
  });
});

describe('409', () => {
  it('returns 409 when the project has a site with the slug', async () => {
    const desk = await openDesk(app());
    expect(outcome(await desk.post('/sites', site({ slug: 'main' })))).toEqual([409, 'slug_conflict']);
  });
});

describe('404', () => {
  verifies('http/missing-things', 'access/tenant-locales');

  it('returns 404 for a locale that the tenant does not have or use', async () => {
    const desk = await openDesk(app());
    const unknown = await desk.post('/sites', site({ locales: ['en', 'xx'] }));
    expect(outcome(unknown)).toEqual([404, 'locale_not_found']);
    expect(unknown.body.details).toEqual({ path: ['locales', 1], locale: 'xx' });
    const foreign = await desk.post('/sites', site({ locales: ['en'], defaultLocale: 'de' }));
    expect(foreign.body.details).toMatchObject({ path: ['defaultLocale'] });
  });
});

describe('422', () => {
  it('returns 422 for the slug reserved for trees', async () => {
    const desk = await openDesk(app());
    expect(outcome(await desk.post('/sites', site({ slug: 'global' })))).toEqual([422, 'reserved_slug']);
  });

  it.each([
    [{ slug: 'Shop' }, 'slug'],
    [{ name: '' }, 'name'],
    [{ domain: 'no host' }, 'domain'],
    [{ baseUrl: 'javascript:alert(1)' }, 'baseUrl'],
    [{ baseUrl: 'www.example.com' }, 'baseUrl'],
    [{ locales: [] }, 'locales'],
    [{ defaultLocale: 'EN' }, 'defaultLocale'],
    [{ localePathStrategy: 'suffix' }, 'localePathStrategy'],
    [{ homeEntryId: null }, 'homeEntryId'],
  ])('returns 422 for a site with %j', async (body, path) => {
    const desk = await openDesk(app());
    const answer = await desk.post('/sites', site(body));
    expect(outcome(answer)).toEqual([422, 'validation_failed']);
    expect(issues(answer)[0]?.[0]).toBe(path);
  });
});
