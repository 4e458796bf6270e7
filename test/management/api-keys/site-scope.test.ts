import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

/** A project with a second site and an entry on it, and a key that can write to the first site only. */
async function twoSites(): Promise<{ desk: Desk; limited: Desk; other: string; entryId: string }> {
  const desk = await openDesk(app());
  const other = (await desk.post('/sites', { slug: 'other', name: 'Other' })).body.data.id as string;
  const there = { contentTypeApiName: 'article', siteId: other, fields: { title: 'There' } };
  const { id: entryId } = await createEntry(app(), desk.project, there);
  const { secret } = await desk.newKey({ type: 'management', siteIds: [desk.project.siteId] });
  return { desk, limited: desk.as(secret), other, entryId };
}

describe('A key that is limited to a site', () => {
  verifies('access/writes-within-sites', 'mcp/reads-not-scoped-to-sites');

  it('lets a key of a site write to that site', async () => {
    const { limited, desk } = await twoSites();
    const body = { contentTypeApiName: 'article', siteId: desk.project.siteId };
    const made = await limited.post('/entries', body);
    expect(made.status).toBe(201);
    expect((await limited.delete(`/entries/${String(made.body.data.id)}`)).status).toBe(200);
    expect((await limited.put('/sites/main', { name: 'Mine' })).status).toBe(200);
  });

  it('lets a key of a site read every site', async () => {
    const { limited, entryId, other } = await twoSites();
    expect((await limited.get(`/entries/${entryId}`)).status).toBe(200);
    expect((await limited.get(`/entries?siteId=${other}`)).body.meta.total).toBe(1);
    expect((await limited.get('/sites/other')).status).toBe(200);
  });

  it('denies a key of a site writes to another one and names that site', async () => {
    const { limited, other, entryId } = await twoSites();
    const answers = [
      await limited.post('/entries', { contentTypeApiName: 'article', siteId: other }),
      await limited.put(`/entries/${entryId}`, { version: 1, fields: { title: 'Mine' } }),
      await limited.post(`/entries/${entryId}/publish`),
      await limited.post(`/entries/${entryId}/unpublish`),
      await limited.delete(`/entries/${entryId}`),
      await limited.put('/sites/other', { name: 'Mine' }),
      await limited.delete('/sites/other'),
    ];
    for (const answer of answers) {
      expect(outcome(answer)).toEqual([403, 'permission_denied']);
      expect(answer.body.details.siteId).toBe(other);
    }
  });

  it('denies a key of a site creating sites', async () => {
    const { limited } = await twoSites();
    expect(outcome(await limited.post('/sites', { slug: 'new', name: 'New' }))).toEqual([
      403,
      'permission_denied',
    ]);
  });
});
