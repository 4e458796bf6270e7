import { describe, expect, it } from '@jest/globals';
import { issues, outcome, useApp } from '../../support/desk.js';
import { unique } from '../../support/factories/project.js';
import { newTenant, platform } from '../../support/platform.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

const create = (body: object) =>
  platform(app(), 'POST /tenants', { slug: `t-${unique()}`, name: 'Tenant', ...body });

describe('201', () => {
  verifies('access/tenants', 'access/tenant-locales', 'http/status-of-create-and-delete');

  it('creates a tenant with the locale en-US by default', async () => {
    const { status, body, headers } = await create({});
    expect(status).toBe(201);
    expect(headers.location).toBe(`/api/v1/platform/tenants/${String(body.data.slug)}`);
    expect(body.data).toMatchObject({
      status: 'active',
      defaultLocale: 'en-US',
      dataRegion: null,
      projects: [],
    });
    expect(body.data.locales).toEqual([
      { code: 'en-US', name: 'American English', isDefault: true, fallbackCode: null, isActive: true },
    ]);
    expect((await platform(app(), `GET /tenants/${String(body.data.slug)}`)).body).toEqual(body);
  });

  it('creates the first project with the tenant', async () => {
    const slug = `p-${unique()}`;
    const { body } = await create({
      project: { slug, name: 'First' },
      locales: ['de', 'en'],
      defaultLocale: 'en',
    });
    expect(body.data.projects).toEqual([{ id: expect.any(String), slug, name: 'First' }]);
    expect(body.data.locales.map(({ isDefault }: { isDefault: boolean }) => isDefault)).toEqual([
      false,
      true,
    ]);
  });
});

describe('409', () => {
  it('returns 409 for a slug in use and creates neither tenant nor project', async () => {
    const slug = await newTenant(app());
    expect(outcome(await create({ slug }))).toEqual([409, 'slug_conflict']);
    const project = { slug: `p-${unique()}`, name: 'One' };
    await create({ project });
    const free = `t-${unique()}`;
    expect(outcome(await create({ slug: free, project }))).toEqual([409, 'slug_conflict']);
    expect(outcome(await platform(app(), `GET /tenants/${free}`))).toEqual([404, 'tenant_not_found']);
  });
});

describe('422', () => {
  verifies('access/tenant-locales');

  it.each([
    {
      why: 'fallbacks in a circle',
      locales: [
        { code: 'de', fallbackCode: 'en' },
        { code: 'en', fallbackCode: 'de' },
      ],
      path: 'locales',
    },
    {
      why: 'a locale that falls back to itself',
      locales: [{ code: 'de', fallbackCode: 'de' }],
      path: 'locales',
    },
    { why: 'a locale given twice', locales: ['de', 'de'], path: 'locales' },
    { why: 'no locale at all', locales: [], path: 'locales' },
  ])('returns 422 for $why', async ({ locales, path }) => {
    const answer = await create({ locales });
    expect(outcome(answer)).toEqual([422, 'validation_failed']);
    expect(issues(answer)[0]?.[0]).toBe(path);
  });

  it.each(['EN', 'en_US', 'en-us', 'x', 'english', 'de-', ''])(
    'returns 422 for the locale %p',
    async (code) => {
      expect(outcome(await create({ locales: [code] }))).toEqual([422, 'validation_failed']);
    },
  );

  it.each(['Acme', 'a b', '-a', 'a-', '', 'ä', 'x'.repeat(64)])(
    'returns 422 for the slug %p',
    async (slug) => {
      expect(outcome(await create({ slug }))).toEqual([422, 'validation_failed']);
    },
  );
});

describe('404', () => {
  verifies('http/missing-things');

  it('returns 404 with the path of a fallback that is not among the locales', async () => {
    const fallback = await create({ locales: ['en', { code: 'de', fallbackCode: 'fr' }] });
    expect(outcome(fallback)).toEqual([404, 'locale_not_found']);
    expect(fallback.body.details).toEqual({ path: ['locales', 1, 'fallbackCode'] });
    const standard = await create({ locales: ['en'], defaultLocale: 'de' });
    expect(outcome(standard)).toEqual([404, 'locale_not_found']);
    expect(standard.body.details).toMatchObject({ path: ['defaultLocale'] });
  });
});
