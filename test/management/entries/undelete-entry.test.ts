import { describe, expect, it } from '@jest/globals';
import { column, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry, createType, publish } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { article, change } from './history.js';

const app = useApp();
const undelete = (desk: Desk, id: string, body: object = {}) => desk.post(`/entries/${id}/undelete`, body);

describe('200', () => {
  verifies('dec-2.9-undelete');

  it('brings the drafts back, offline, without a new version', async () => {
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

  it('lets a slug that was taken meanwhile step aside, which is a version', async () => {
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

  it('leaves an entry alone that is not deleted', async () => {
    const desk = await openDesk(app());
    const entry = await article(desk);
    expect((await undelete(desk, entry.id)).body.data).toEqual(entry);
  });

  it('counts as a reference again', async () => {
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
  verifies('dec-2.9-undelete');

  it('is 404 for an entry that never was, 409 for an old version', async () => {
    const desk = await openDesk(app());
    expect(outcome(await undelete(desk, 'nothing'))).toEqual([404, 'entry_not_found']);
    const { id } = await article(desk);
    await desk.delete(`/entries/${id}`);
    expect(outcome(await undelete(desk, id, { version: 2 }))).toEqual([409, 'version_conflict']);
  });

  it('is 403 for a key that may not delete', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await desk.delete(`/entries/${id}`);
    const { secret } = await desk.newKey({ type: 'management', permissions: ['read', 'create', 'update'] });
    expect(outcome(await undelete(desk.as(secret), id))).toEqual([403, 'permission_denied']);
  });

  it('is 422 where the site has another entry of a single-entry type', async () => {
    const desk = await openDesk(app());
    await createType(app(), desk.project, { apiName: 'home', isSingleton: true });
    const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'home' });
    await desk.delete(`/entries/${id}`);
    await createEntry(app(), desk.project, { contentTypeApiName: 'home' });
    expect(outcome(await undelete(desk, id))).toEqual([422, 'limit_reached']);
  });
});
