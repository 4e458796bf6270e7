import { describe, expect, it } from '@jest/globals';
import { column, openDesk, outcome, useApp } from '../../support/desk.js';
import { newTenant, platform } from '../../support/platform.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

describe('Locales of a tenant', () => {
  verifies('localization/locales');

  it('are created, read, changed and deleted one by one', async () => {
    const slug = await newTenant(app(), { locales: ['en', 'de'] });
    const path = `/tenants/${slug}/locales`;
    const made = await platform(app(), `POST ${path}`, { code: 'fr', name: 'Français', fallbackCode: 'en' });
    const french = {
      code: 'fr',
      name: 'Français',
      isDefault: false,
      fallbackCode: 'en',
      isActive: true,
    };
    expect([made.status, made.body.data, made.headers.location]).toEqual([
      201,
      french,
      `/api/v1/platform${path}/fr`,
    ]);
    const listed = await platform(app(), `GET ${path}?limit=2&page=2`);
    expect([listed.body.data, listed.body.meta]).toEqual([
      [french],
      { total: 3, page: 2, limit: 2, pages: 2 },
    ]);
    const changed = await platform(app(), `PUT ${path}/fr`, {
      ...french,
      fallbackCode: null,
      isActive: false,
    });
    expect(changed.body.data).toEqual({ ...french, fallbackCode: null, isActive: false });
    expect((await platform(app(), `GET ${path}/fr`)).body).toEqual(changed.body);
    const deleted = await platform(app(), `DELETE ${path}/fr`);
    expect(deleted.body.data).toEqual({ id: 'fr', deleted: true });
    const { body } = await platform(app(), `GET /tenants/${slug}`);
    expect((body.data.locales as { code: string }[]).map(({ code }) => code)).toEqual(['en', 'de']);
  });

  it('are in the chain of the tenant, with the record of what changed', async () => {
    const slug = await newTenant(app(), { locales: ['en', 'de'] });
    const { body, headers } = await platform(app(), `PUT /tenants/${slug}/locales/de`, {
      fallbackCode: 'en',
    });
    expect(body.data.fallbackCode).toBe('en');
    const records = await app().rows(
      null,
      `SELECT a.action, a.project_id, a.before ->> 'fallbackCode' AS before, a.after ->> 'fallbackCode' AS after
       FROM audit_events a JOIN tenants t ON t.id = a.tenant_id WHERE t.slug = $1 AND a.context ->> 'requestId' = $2`,
      [slug, headers['x-request-id']],
    );
    expect(records).toEqual([{ action: 'locale.update', project_id: null, before: null, after: 'en' }]);
  });

  it('are kept while a site or content uses them, also by PUT of the tenant', async () => {
    const desk = await openDesk(app());
    const path = `/tenants/${desk.project.tenantSlug}`;
    const refused = await platform(app(), `DELETE ${path}/locales/fr`);
    expect(outcome(refused)).toEqual([409, 'locale_in_use']);
    expect(refused.body.details).toEqual({ locales: ['fr'], usedBy: ['sites'] });
    await desk.put('/sites/main', { locales: ['en', 'de'] });
    const asset = await app()
      .request.post(`${desk.project.management}/media/upload`)
      .set('Authorization', `Bearer ${desk.project.keys.management}`)
      .attach('file', Buffer.from('hello'), 'a.txt');
    await desk.put(`/media/${String(asset.body.data.id)}/locales/fr`, { title: 'Salut' });
    for (const answer of [
      await platform(app(), `DELETE ${path}/locales/fr`),
      await platform(app(), `PUT ${path}`, { locales: ['en', 'de'] }),
    ]) {
      expect(outcome(answer)).toEqual([409, 'locale_in_use']);
      expect(answer.body.details.locales).toEqual(['fr']);
    }
    await desk.delete(`/media/${String(asset.body.data.id)}?force=true`);
    expect((await platform(app(), `DELETE ${path}/locales/fr`)).status).toBe(200);
    expect(column(await desk.get('/locales'), 'code')).toEqual(['en', 'de']);
  });

  it('are 404 in an unknown tenant, and where the tenant has none with the code', async () => {
    expect(outcome(await platform(app(), 'GET /tenants/nothing/locales'))).toEqual([404, 'tenant_not_found']);
    expect(outcome(await platform(app(), 'POST /tenants/nothing/locales', { code: 'it' }))).toEqual([
      404,
      'tenant_not_found',
    ]);
    const slug = await newTenant(app());
    for (const line of ['GET', 'DELETE'] as const)
      expect(outcome(await platform(app(), `${line} /tenants/${slug}/locales/xx`))).toEqual([
        404,
        'locale_not_found',
      ]);
  });
});
