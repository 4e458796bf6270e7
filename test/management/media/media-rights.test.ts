import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { textFile } from '../../support/factories/media.js';
import { sessionWith } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

async function twoSites() {
  const desk = await openDesk(app());
  const main = desk.project.siteId;
  const other = (await desk.post('/sites', { slug: 'other', name: 'Other' })).body.data.id as string;
  const make = async (by: Desk, siteIds: readonly string[]) =>
    by.post('/media/upload', { file: textFile(), siteIds });
  const assets = {
    mine: (await make(desk, [main])).body.data.id as string,
    both: (await make(desk, [main, other])).body.data.id as string,
    theirs: (await make(desk, [other])).body.data.id as string,
    shared: (await make(desk, [])).body.data.id as string,
  };
  return { desk, main, other, make, assets };
}

describe('A key that is limited to a site', () => {
  verifies('media/sites');

  it('changes assets that name its site, and reads all', async () => {
    const { desk, main, other, make, assets } = await twoSites();
    const { secret } = await desk.newKey({ type: 'management', siteIds: [main] });
    const limited = desk.as(secret);
    for (const id of [assets.mine, assets.both])
      expect((await limited.put(`/media/${id}`, { tags: ['x'] })).status).toBe(200);
    for (const id of [assets.theirs, assets.shared]) {
      expect(outcome(await limited.put(`/media/${id}`, { tags: ['x'] }))).toEqual([403, 'permission_denied']);
      expect(outcome(await limited.put(`/media/${id}/locales/de`, { altText: 'x' }))).toEqual([
        403,
        'permission_denied',
      ]);
      expect(outcome(await limited.delete(`/media/${id}`))).toEqual([403, 'permission_denied']);
      expect((await limited.get(`/media/${id}`)).status).toBe(200);
    }
    expect((await make(limited, [main])).status).toBe(201);
    for (const siteIds of [[], [other], [main, other]])
      expect(outcome(await make(limited, siteIds))).toEqual([403, 'permission_denied']);
    expect(outcome(await limited.put(`/media/${assets.mine}`, { siteIds: [] }))).toEqual([
      403,
      'permission_denied',
    ]);
    expect(outcome(await limited.put(`/media/${assets.mine}`, { siteIds: [main, other] }))).toEqual([
      403,
      'permission_denied',
    ]);
    expect(outcome(await limited.post('/media/folders', { name: 'x' }))).toEqual([403, 'permission_denied']);
  });
});

describe('A member whose grant is limited to a site', () => {
  verifies('media/sites');

  it('sees the assets of that site and of every site, and no others', async () => {
    const { desk, main, assets } = await twoSites();
    const scope = { siteIds: [main] };
    const reader = desk.as(
      await sessionWith(app(), desk.project, [{ resource: 'media', action: 'read', scope }]),
    );
    const { body } = await reader.get('/media?orderBy=createdAt:asc');
    expect((body as { data: { id: string }[] }).data.map(({ id }) => id)).toEqual([
      assets.mine,
      assets.both,
      assets.shared,
    ]);
    expect(body.meta.total).toBe(3);
    expect(outcome(await reader.get(`/media/${assets.theirs}`))).toEqual([404, 'media_not_found']);
    expect(outcome(await reader.put(`/media/${assets.mine}`, { tags: ['x'] }))).toEqual([
      403,
      'permission_denied',
    ]);
  });

  it('changes only what it created, with a grant for its own', async () => {
    const { desk, assets } = await twoSites();
    const member = desk.as(
      await sessionWith(app(), desk.project, [
        { resource: 'media', action: 'read' },
        { resource: 'media', action: 'create' },
        { resource: 'media', action: 'update', scope: { ownOnly: true } },
      ]),
    );
    const own = (await member.post('/media/upload', { file: textFile() })).body.data.id as string;
    expect((await member.put(`/media/${own}`, { tags: ['x'] })).status).toBe(200);
    expect(outcome(await member.put(`/media/${assets.shared}`, { tags: ['x'] }))).toEqual([
      403,
      'permission_denied',
    ]);
  });
});
