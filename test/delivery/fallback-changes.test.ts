import { beforeEach, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { expectConsistent } from '../support/consistency.js';
import { Desk, useOwnApp } from '../support/desk.js';
import { branchOf } from '../support/factories/branch.js';
import { publish } from '../support/factories/content.js';
import { superAdmin } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { FallbackDesk } from './fallback-desk.js';

const app = useOwnApp();
let desk: FallbackDesk;

beforeEach(async () => {
  desk = await FallbackDesk.open(app());
});

describe('What a published document shows of its fallbacks', () => {
  verifies('localization/field-fallback');

  it('follows their publications, in cached responses too, without being published again', async () => {
    const id = await desk.article(['en', { title: 'Lake', teaser: 'Deep' }], ['de', { title: 'See' }]);
    const before = await desk.deliver(`/entries/${id}?locale=de`);
    expect(before.headers['surrogate-key']).toContain(`entry:${id}`);
    await desk.write(id, 'en', { teaser: 'Deeper' });
    const after = await desk.deliver(`/entries/${id}?locale=de`);
    expect(after.body.data.fields.teaser).toBe('Deeper');
    expect(after.headers.etag).not.toBe(before.headers.etag);
    expect(after.body.data._publishedAt).toBe(before.body.data._publishedAt);
    await desk.write(id, 'de', { teaser: 'Tief' });
    await desk.write(id, 'en', { teaser: 'Deepest' });
    expect(await desk.shown(id, 'de')).toBe('Tief');
    await desk.write(id, 'de', { teaser: null });
    expect(await desk.shown(id, 'de')).toBe('Deepest');
    await desk.post(`/entries/${id}/unpublish`, { locale: 'en' });
    expect(await desk.shown(id, 'de')).toBeNull();
    await publish(app(), desk.project, id, 'en');
    expect(await desk.shown(id, 'de')).toBe('Deepest');
    await expectConsistent(app(), desk.project);
  });

  it('is never that of a fallback of a fallback that has been unpublished', async () => {
    const id = await desk.article(
      ['en', { title: 'Lake', teaser: 'Deep' }],
      ['de', { title: 'See' }],
      ['de-AT', { title: 'Alpensee' }],
    );
    expect(await desk.shown(id, 'de-AT')).toBe('Deep');
    await desk.post(`/entries/${id}/unpublish`, { locale: 'de' });
    expect(await desk.shown(id, 'de-AT')).toBe('Deep');
    await desk.post(`/entries/${id}/unpublish`, { locale: 'en' });
    expect(await desk.shown(id, 'de-AT')).toBeNull();
  });

  it('is there with the setting of the type, and gone with it', async () => {
    const id = await desk.article(['en', { title: 'Lake', teaser: 'Deep' }], ['de', { title: 'See' }]);
    const set = (fieldFallback: boolean) => desk.put('/content-types/article', { fieldFallback });
    await set(false);
    expect(await desk.shown(id, 'de')).toBeNull();
    await expectConsistent(app(), desk.project);
    await set(true);
    expect(await desk.shown(id, 'de')).toBe('Deep');
    await desk.post(`/entries/${id}/unpublish`, { locale: 'de' });
    await desk.put('/content-types/article', { isLocalized: false });
    expect(await desk.shown(id, 'de')).toBe('Deep');
    await expectConsistent(app(), desk.project);
  });

  it('follows the names, kinds and places of fields', async () => {
    const id = await desk.article(['en', { title: 'Lake', teaser: 'Deep' }], ['de', { title: 'See' }]);
    const field = '/content-types/article/fields';
    await desk.post(`${field}/teaser/rename`, { apiName: 'lead' });
    expect(await desk.shown(id, 'de', 'lead')).toBe('Deep');
    await desk.write(id, 'en', { lead: 'Deeper' });
    expect(await desk.shown(id, 'de', 'lead')).toBe('Deeper');
    await desk.put(`${field}/lead`, { isList: true });
    expect(await desk.shown(id, 'de', 'lead')).toEqual(['Deeper']);
    await expectConsistent(app(), desk.project);
    await desk.post(`/entries/${id}/unpublish`, { locale: 'en' });
    expect(await desk.shown(id, 'de', 'lead')).toEqual([]);
    await publish(app(), desk.project, id, 'en');
    await desk.delete(`${field}/lead?force=true`);
    await desk.post(field, { apiName: 'lead', type: 'text' });
    expect(await desk.shown(id, 'de', 'lead')).toBeNull();
    await desk.write(id, 'en', { lead: 'New' });
    expect(await desk.shown(id, 'de', 'lead')).toBe('New');
    await expectConsistent(app(), desk.project);
  });

  it('ends where a field is no longer localized, until the value of all locales is published', async () => {
    const id = await desk.article(['en', { title: 'Lake', rating: 3 }], ['de', { title: 'See' }]);
    expect(await desk.shown(id, 'de', 'rating')).toBe(3);
    await desk.put('/content-types/article/fields/rating', { localized: false });
    expect(await desk.shown(id, 'de', 'rating')).toBeNull();
    await expectConsistent(app(), desk.project);
    await publish(app(), desk.project, id, 'de');
    expect(await desk.shown(id, 'de', 'rating')).toBe(3);
  });

  it('follows the locales of the site and the fallbacks of the tenant', async () => {
    const id = await desk.article(
      ['en', { title: 'Lake', teaser: 'Deep' }],
      ['fr', { title: 'Lac' }],
      ['de-AT', { title: 'Alpensee' }],
    );
    expect([await desk.shown(id, 'fr'), await desk.shown(id, 'de-AT')]).toEqual([null, 'Deep']);
    const path = `/api/v1/platform/tenants/${desk.project.tenantSlug}`;
    const key = await superAdmin(app());
    const { body } = await send(app(), { method: 'GET', path, key });
    const changed = (body.data.locales as { code: string }[]).map(({ code }) => ({
      code,
      name: code,
      fallbackCode: code === 'fr' ? 'en' : null,
    }));
    const saved = await send(app(), { method: 'PUT', path, key, body: { locales: changed } });
    expect(saved.status).toBe(200);
    expect([await desk.shown(id, 'fr'), await desk.shown(id, 'de-AT')]).toEqual(['Deep', null]);
    await expectConsistent(app(), desk.project);
  });

  it('does not claim a unique value of another locale', async () => {
    const field = { apiName: 'sku', type: 'text', localized: true };
    await desk.post('/content-types/article/fields', field);
    await desk.article(['en', { title: 'Lake', sku: 'a' }], ['de', { title: 'See' }]);
    await desk.article(['de', { title: 'Teich', sku: 'a' }]);
    expect((await desk.put('/content-types/article/fields/sku', { unique: true })).status).toBe(200);
  });

  it('follows promotions, copies of environments and rollbacks', async () => {
    const id = await desk.article(['en', { title: 'Lake', teaser: 'Deep' }], ['de', { title: 'See' }]);
    const branch = await branchOf(app(), desk.project);
    const there = new Desk(app(), branch);
    const { environment } = branch;
    const { secret } = await desk.in(environment).newKey({ type: 'delivery', environment });
    expect((await desk.read(id, 'de', secret)).fields.teaser).toBe('Deep');
    await there.put(`/entries/${id}`, { version: 2, fields: { teaser: 'Deeper' } });
    await there.post(`/entries/${id}/publish`, { locale: 'en' });
    expect((await desk.read(id, 'de', secret)).fields.teaser).toBe('Deeper');
    const promoted = await desk.post(`/environments/${environment}/promote`, {
      mode: 'cherryPick',
      items: [{ kind: 'entry', id }],
      target: 'main',
      publish: true,
    });
    expect(promoted.status).toBe(200);
    expect(await desk.shown(id, 'de')).toBe('Deeper');
    await expectConsistent(app(), desk.project);
    // What the document shows now is no change of the document.
    await desk.put('/content-types/article', { fieldFallback: false });
    const { promotionId } = promoted.body.data as { promotionId: string };
    expect((await desk.post('/environments/main/rollback', { promotionId })).status).toBe(200);
    expect(await desk.shown(id, 'de')).toBeNull();
    await desk.put('/content-types/article', { fieldFallback: true });
    expect(await desk.shown(id, 'de')).toBe('Deep');
    await expectConsistent(app(), desk.project);
  });

  it('returns when the apply of a schema that removed it is undone', async () => {
    const id = await desk.article(['en', { title: 'Lake', teaser: 'Deep' }], ['de', { title: 'See' }]);
    const { body } = await desk.get('/schema/export');
    const { schema } = body.data as {
      schema: { contentTypes: { fieldFallback?: boolean; fields: { apiName: string }[] }[] };
    };
    for (const type of schema.contentTypes) {
      type.fieldFallback = false;
      type.fields = type.fields.filter(({ apiName }) => apiName !== 'teaser');
    }
    const applied = await desk.post('/schema/apply', { schema, allowDestructive: true });
    expect(applied.status).toBe(200);
    expect(await desk.shown(id, 'de')).toBeUndefined();
    const undone = await desk.post('/schema/undo', { applyId: applied.body.data.applyId as string });
    expect(undone.status).toBe(200);
    expect(await desk.shown(id, 'de')).toBe('Deep');
    await expectConsistent(app(), desk.project);
  });
});
