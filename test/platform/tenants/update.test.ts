import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';
import { newTenant, platform } from '../../support/platform.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

describe('200', () => {
  verifies('access/tenants', 'http/put-partial', 'access/tenant-locales', 'http/input-read-modify-write');

  it('changes the given keys of a tenant and keeps the others', async () => {
    const slug = await newTenant(app(), { dataRegion: 'eu' });
    const { status, body } = await platform(app(), `PUT /tenants/${slug}`, { name: 'Renamed' });
    expect([status, body.data.name, body.data.dataRegion]).toEqual([200, 'Renamed', 'eu']);
    const cleared = await platform(app(), `PUT /tenants/${slug}`, { dataRegion: null });
    expect(cleared.body.data.dataRegion).toBeNull();
  });

  it('changes nothing if the values of a tenant are equal', async () => {
    const slug = await newTenant(app());
    const before = (await platform(app(), `GET /tenants/${slug}`)).body;
    const { body } = await platform(app(), `PUT /tenants/${slug}`, { name: 'Tenant', locales: ['en-US'] });
    expect(body).toEqual(before);
  });

  it('keeps the settings of a locale that is given by its code alone', async () => {
    const slug = await newTenant(app(), {
      locales: ['en', { code: 'de', name: 'Deutsch', fallbackCode: 'en' }],
    });
    const { body } = await platform(app(), `PUT /tenants/${slug}`, { locales: ['de', 'en', 'fr'] });
    expect(body.data.locales).toMatchObject([
      { code: 'de', name: 'Deutsch', fallbackCode: 'en' },
      { code: 'en', isDefault: true },
      { code: 'fr' },
    ]);
  });

  it('takes locales as they were read, with a change', async () => {
    const slug = await newTenant(app(), { locales: ['en', 'de', 'fr'] });
    const { data } = (await platform(app(), `GET /tenants/${slug}`)).body;
    const [en, de, fr] = data.locales as { isDefault: boolean; fallbackCode: string | null }[];
    const locales = [{ ...fr, fallbackCode: 'de' }, en, de];
    const { status, body } = await platform(app(), `PUT /tenants/${slug}`, { ...data, locales });
    expect([status, body.data.locales]).toEqual([200, locales]);
  });

  it('refuses another value of a read-only key of a locale, also of a new one', async () => {
    const slug = await newTenant(app(), { locales: ['en', 'de'] });
    const { locales } = (await platform(app(), `GET /tenants/${slug}`)).body.data as { locales: object[] };
    const [en, de] = locales;
    const change = (changed: object[]) => platform(app(), `PUT /tenants/${slug}`, { locales: changed });
    const forged = await change([en ?? {}, { ...de, isDefault: true }, { code: 'fr', isDefault: false }]);
    expect(outcome(forged)).toEqual([422, 'read_only']);
    expect((forged.body.details as { issues: { path: unknown }[] }).issues.map(({ path }) => path)).toEqual([
      ['locales', 1, 'isDefault'],
      ['locales', 2, 'isDefault'],
    ]);
    expect((await platform(app(), `GET /tenants/${slug}`)).body.data.locales).toEqual(locales);
  });

  it('applies a new fallback to delivery at once', async () => {
    const desk = await openDesk(app());
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'One' },
    });
    await publish(app(), desk.project, id);
    const read = () => app().request.get(`${desk.project.delivery}/entries/${id}?locale=de`);
    expect((await read()).status).toBe(404);
    const locales = ['en', { code: 'de', fallbackCode: 'en' }, 'fr'];
    await platform(app(), `PUT /tenants/${desk.project.tenantSlug}`, { locales });
    expect((await read()).body.data._locale).toBe('en');
  });
});

describe('409', () => {
  verifies('access/tenant-locales');

  it('returns 409 when removing or deactivating a locale in use', async () => {
    const desk = await openDesk(app());
    const change = (body: object) => platform(app(), `PUT /tenants/${desk.project.tenantSlug}`, body);
    const removed = await change({ locales: ['en', 'de'] });
    expect(outcome(removed)).toEqual([409, 'locale_in_use']);
    expect(removed.body.details).toEqual({ locales: ['fr'] });
    const retired = await change({ locales: ['en', 'de', { code: 'fr', isActive: false }] });
    expect(outcome(retired)).toEqual([409, 'locale_in_use']);
    await desk.put('/sites/main', { locales: ['en', 'de'] });
    expect((await change({ locales: ['en', 'de'] })).status).toBe(200);
  });
});

describe('404 and 422', () => {
  it('returns 404 for an unknown tenant or default locale, and 422 for an empty body', async () => {
    const slug = await newTenant(app());
    expect(outcome(await platform(app(), 'PUT /tenants/nothing', { name: 'X' }))).toEqual([
      404,
      'tenant_not_found',
    ]);
    expect(outcome(await platform(app(), `PUT /tenants/${slug}`, { defaultLocale: 'xx' }))).toEqual([
      404,
      'locale_not_found',
    ]);
    expect(outcome(await platform(app(), `PUT /tenants/${slug}`, {}))).toEqual([422, 'no_update_fields']);
    expect(outcome(await platform(app(), `PUT /tenants/${slug}`, { slug: 'new' }))).toEqual([
      422,
      'read_only',
    ]);
  });
});
