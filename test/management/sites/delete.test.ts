import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp } from '../../support/desk.js';
import { createEntry } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';

verifies('routing/sites-not-empty');

const app = useApp();

describe('200', () => {
  verifies('routing/sites', 'http/status-of-create-and-delete');

  it('deletes a site without entries and frees its slug', async () => {
    const desk = await openDesk(app());
    const { status, body } = await desk.delete('/sites/main');
    expect([status, body]).toEqual([200, { data: { id: desk.project.siteId, deleted: true } }]);
    expect(outcome(await desk.get('/sites/main'))).toEqual([404, 'site_not_found']);
    expect((await desk.post('/sites', { slug: 'main', name: 'Main' })).status).toBe(201);
  });

  it('deletes the deleted entries of the site and keeps links to them', async () => {
    const desk = await openDesk(app());
    const other = (await desk.post('/sites', { slug: 'other', name: 'Other' })).body.data.id as string;
    const gone = await createEntry(app(), desk.project, { contentTypeApiName: 'author', siteId: other });
    const fields = { title: 'Refers', author: { _ref: gone.id } };
    const kept = await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields });
    await desk.delete(`/entries/${gone.id}`);
    expect((await desk.delete('/sites/other')).status).toBe(200);
    expect((await desk.get('/entries?deleted=true')).body.meta.total).toBe(0);
    const { body } = await desk.get(`/entries/${kept.id}?include=1`);
    expect(body.data.fields.author).toEqual({ _ref: gone.id, _type: 'author' });
  });
});

describe('409', () => {
  it('returns 409 for a site that has entries', async () => {
    const desk = await openDesk(app());
    await createEntry(app(), desk.project, { contentTypeApiName: 'article' });
    expect(outcome(await desk.delete('/sites/main'))).toEqual([409, 'site_not_empty']);
  });
});

describe('404', () => {
  it('returns 404 for an unknown site or one of another project', async () => {
    const [desk, other] = [await openDesk(app()), await openDesk(app())];
    await other.post('/sites', { slug: 'theirs', name: 'Theirs' });
    expect(outcome(await desk.delete('/sites/theirs'))).toEqual([404, 'site_not_found']);
    expect((await other.get('/sites/theirs')).status).toBe(200);
  });
});
