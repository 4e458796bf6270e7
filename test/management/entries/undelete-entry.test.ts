import { describe, expect, it } from '@jest/globals';
import { column, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry, createType, publish } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { article, change } from './history.js';

const app = useApp();
const undelete = (desk: Desk, id: string, body: object = {}) => desk.post(`/entries/${id}/undelete`, body);

describe('200', () => {
  verifies('entries/undelete');

  it('restores the drafts unpublished and without a new version', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Lock', code: 'A' });
    await change(desk, id, { locale: 'de', fields: { title: 'Schleuse' } });
    await publish(app(), desk.project, id);
    await desk.delete(`/entries/${id}`);
    const { status, body } = await undelete(desk, id, { version: 2 });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      version: 2,
      status: 'draft',
      slug: 'lock',
      deletedAt: null,
      fields: { title: 'Lock', code: 'A' },
      locales: [
        { locale: 'en', publishedAt: null },
        { locale: 'de', slug: 'schleuse' },
      ],
    });
    expect((await desk.get(`/entries/${id}`)).body.data).toEqual(body.data);
    expect(column(await desk.get('/entries'), 'id')).toEqual([id]);
    expect((await desk.get('/entries?deleted=true')).body.meta.total).toBe(0);
    expect((await publish(app(), desk.project, id)).status).toBe('published');
  });

  it('numbers a slug that has been taken since, as a new version', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Lock' });
    await change(desk, id, { locale: 'de', fields: { title: 'Schleuse' } });
    await desk.delete(`/entries/${id}`);
    await article(desk, { title: 'Lock' });
    const { body } = await undelete(desk, id);
    expect(body.data).toMatchObject({
      version: 3,
      slug: 'lock-2',
      locales: [{ slug: 'lock-2' }, { slug: 'schleuse' }],
    });
    expect((await desk.get(`/entries/${id}/versions`)).body.data[0]).toMatchObject({
      versionNum: 3,
      changeType: 'restore',
      locale: 'en',
      changedFields: ['_slug'],
    });
  });

  it('changes nothing for an entry that is not deleted', async () => {
    const desk = await openDesk(app());
    const entry = await article(desk);
    expect((await undelete(desk, entry.id)).body.data).toEqual(entry);
  });

  it('counts as a referrer again', async () => {
    const desk = await openDesk(app());
    const target = await article(desk, { title: 'Target' });
    const { id } = await article(desk, { title: 'Source', related: [{ _ref: target.id }] });
    await desk.delete(`/entries/${id}`);
    expect((await desk.get(`/entries/${target.id}/references`)).body.meta.total).toBe(0);
    await undelete(desk, id);
    expect((await desk.get(`/entries/${target.id}/references`)).body.meta.total).toBe(1);
  });
});

describe('refusals', () => {
  verifies('entries/undelete');

  it('returns 404 for an unknown entry and 409 for an outdated version', async () => {
    const desk = await openDesk(app());
    expect(outcome(await undelete(desk, 'nothing'))).toEqual([404, 'entry_not_found']);
    const { id } = await article(desk);
    await desk.delete(`/entries/${id}`);
    expect(outcome(await undelete(desk, id, { version: 2 }))).toEqual([409, 'version_conflict']);
  });

  it('returns 403 for a key without permission to delete', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await desk.delete(`/entries/${id}`);
    const { secret } = await desk.newKey({ type: 'management', permissions: ['read', 'create', 'update'] });
    expect(outcome(await undelete(desk.as(secret), id))).toEqual([403, 'permission_denied']);
  });

  it('returns 422 when the site has another entry of the single-entry type', async () => {
    const desk = await openDesk(app());
    await createType(app(), desk.project, { apiName: 'home', isSingleton: true });
    const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'home' });
    await desk.delete(`/entries/${id}`);
    await createEntry(app(), desk.project, { contentTypeApiName: 'home' });
    expect(outcome(await undelete(desk, id))).toEqual([422, 'limit_reached']);
  });
});
