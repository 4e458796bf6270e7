import { beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openDesk, useOwnApp, type Desk } from '../support/desk.js';
import { must, send } from '../support/call.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { png, uploadAsset } from '../support/factories/media.js';
import { superAdmin } from '../support/factories/project.js';
import { createLivePage, createPageType, onTree } from '../support/factories/tree.js';
import { SiteMirror, expectMirrored, keyOf } from '../support/site-mirror.js';
import { verifies } from '../support/verifies.js';

const app = useOwnApp();
let desk: Desk;
let mirror: SiteMirror;

beforeEach(async () => {
  desk = await openDesk(app());
  await createPageType(app(), desk.project);
  mirror = new SiteMirror(app(), desk.project);
});

const isMirrored = () => expectMirrored(app(), desk.project, mirror);

/** What the next pages have, by `op kind id locale`. */
const news = async (): Promise<string[]> =>
  (await mirror.follow()).map((item) => `${item.op} ${keyOf(item)}`).sort();

const article = async (title = 'Lake', more: object = {}): Promise<string> => {
  const fields = { title, ...more };
  const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields });
  await publish(app(), desk.project, id);
  return id;
};

const write = async (id: string, locale: string, fields: object): Promise<void> => {
  const { body } = await desk.get(`/entries/${id}`);
  const { version } = (body as { data: { version: number } }).data;
  expect((await desk.put(`/entries/${id}`, { version, locale, fields })).status).toBe(200);
  await publish(app(), desk.project, id, locale);
};

const done = async (answer: ReturnType<Desk['put']>): Promise<void> => {
  const { status, text } = await answer;
  expect([status < 300, status < 300 ? '' : text]).toEqual([true, '']);
};

const redirect = async (source: string, more: object = {}): Promise<string> => {
  const { body } = await desk.post('/redirects', {
    siteId: desk.project.siteId,
    source,
    target: '/new',
    ...more,
  });
  return (body as { data: { id: string } }).data.id;
};

describe('A sync of a site', () => {
  verifies('publication/sync');

  it('returns all content in pages, then what has changed, and equals delivery', async () => {
    for (let number = 0; number < 5; number += 1) await article(`Article ${String(number)}`);
    const home = await createLivePage(app(), desk.project, { slug: 'home' });
    await uploadAsset(app(), desk.project);
    await redirect('/old');
    await redirect('/former', { target: null, status: 410, locale: 'de' });
    mirror = new SiteMirror(app(), desk.project, { limit: 2 });
    const first = await mirror.page();
    expect([first.data.length, first.meta.hasMore]).toEqual([2, true]);
    await isMirrored();
    expect(await news()).toEqual([]);
    await write(home.id, 'de', { title: 'Heim' });
    const items = await mirror.follow();
    expect(items.map(({ op, kind }) => `${op} ${kind}`).sort()).toEqual(['upsert entry', 'upsert route']);
    await isMirrored();
  });

  it('returns an empty site, and what is published there later', async () => {
    const { data, meta } = await mirror.page();
    expect([data, meta.hasMore]).toEqual([[], false]);
    const id = await article();
    expect(await news()).toEqual([`upsert entry ${id} en`]);
    expect(await news()).toEqual([]);
  });

  it('returns deletions, also of what came and went', async () => {
    const id = await article();
    const old = await redirect('/old');
    await mirror.follow();
    const brief = await article('Brief');
    await done(desk.delete(`/entries/${brief}`));
    await done(desk.post(`/entries/${id}/unpublish`, { locale: 'en' }));
    await done(desk.delete(`/redirects/${old}`));
    expect(await news()).toEqual(
      [`delete entry ${brief} en`, `delete entry ${id} en`, `delete redirect ${old}`].sort(),
    );
    await isMirrored();
  });

  it('follows replaced files, their overlays and assets that are limited to other sites', async () => {
    const [shown, other] = [await uploadAsset(app(), desk.project), await uploadAsset(app(), desk.project)];
    await isMirrored();
    await done(desk.put(`/media/${shown.id}/locales/de`, { altText: 'See' }));
    expect((await news()).length).toBe(3);
    await isMirrored();
    await done(desk.put(`/media/${shown.id}/locales/de`, { overrideStorageKey: `asset:${other.id}` }));
    await isMirrored();
    const file = { fileName: 'other.png', content: png(7).toString('base64') };
    await done(desk.put(`/media/${other.id}/file`, { file }));
    expect(await news()).toContain(`upsert asset ${shown.id} de`);
    await isMirrored();
    const { id: siteId } = (await desk.post('/sites', { slug: 'other', name: 'Other' })).body.data as {
      id: string;
    };
    const now = (await desk.get(`/media/${other.id}`)).body.data as { version: number };
    await done(desk.put(`/media/${other.id}`, { version: now.version, siteIds: [siteId] }));
    expect(await news()).toContain(`delete asset ${other.id}`);
    await isMirrored();
  });

  it('follows moves, and paths that another page takes', async () => {
    const parent = await createLivePage(app(), desk.project, { slug: 'parent' });
    const child = await createLivePage(app(), desk.project, {
      slug: 'child',
      treeParentId: parent.treeNodeId,
    });
    await isMirrored();
    await write(parent.id, 'en', { title: 'Parent' });
    await mirror.follow();
    const { body } = await desk.get(`/entries/${parent.id}`);
    const { version } = (body as { data: { version: number } }).data;
    await done(desk.put(`/entries/${parent.id}`, { version, locale: 'en', slug: 'moved' }));
    await publish(app(), desk.project, parent.id, 'en');
    expect(await news()).toContain(`upsert route ${child.id} en`);
    await isMirrored();
    await done(
      onTree(app(), desk.project, {
        method: 'POST',
        path: `/nodes/${child.treeNodeId}/move`,
        body: { parentId: null },
      }),
    );
    await isMirrored();
  });

  it('returns the entries of a type again when its fields or names change, and no others', async () => {
    const id = await article('Lake', { code: 'x' });
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    await publish(app(), desk.project, author.id);
    await isMirrored();
    await done(desk.post('/content-types/article/fields', { apiName: 'lead', name: 'Lead', type: 'text' }));
    expect(await news()).toEqual([`upsert entry ${id} en`]);
    await isMirrored();
    await done(desk.post('/content-types/article/fields/lead/rename', { apiName: 'teaser' }));
    await isMirrored();
    await done(desk.delete('/content-types/article/fields/code?force=true'));
    await isMirrored();
    await done(desk.post('/content-types/article/rename', { apiName: 'story' }));
    await isMirrored();
    await done(desk.put('/content-types/story', { isLocalized: false }));
    expect(await news()).toContain(`upsert entry ${id}`);
    await isMirrored();
    await done(desk.put('/content-types/story', { isLocalized: true }));
    await isMirrored();
  });

  it('follows the locales, the path strategy and the allowed targets of the site', async () => {
    const page = await createLivePage(app(), desk.project, { slug: 'home' });
    await write(page.id, 'de', { title: 'Heim' });
    await uploadAsset(app(), desk.project);
    await redirect('/away', { target: 'https://example.com/' });
    await isMirrored();
    await done(desk.put('/sites/main', { localePathStrategy: 'prefix' }));
    await isMirrored();
    await done(desk.put('/sites/main', { allowedTargets: ['example.org'] }));
    await isMirrored();
    await done(desk.put('/sites/main', { allowedTargets: null }));
    await isMirrored();
    const path = `/api/v1/platform/tenants/${desk.project.tenantSlug}`;
    const key = await superAdmin(app());
    const locales = ['en', 'de', 'fr'].map((code) => ({
      code,
      name: code,
      ...(code === 'fr' && { fallbackCode: 'de' }),
    }));
    await must(app(), { method: 'PUT', path, key, body: { locales } });
    await isMirrored();
    const { id: asset } = await uploadAsset(app(), desk.project);
    await mirror.follow();
    await done(desk.put('/sites/main', { locales: ['en', 'de'] }));
    expect(await news()).toContain(`delete asset ${asset} fr`);
    await isMirrored();
    await done(desk.put('/sites/main', { locales: ['en', 'de', 'fr'], defaultLocale: 'de' }));
    await isMirrored();
  });

  it('is 404 while the site is inactive, and goes on afterwards', async () => {
    const id = await article();
    await mirror.follow();
    await done(desk.put('/sites/main', { isActive: false }));
    const path = `${desk.project.delivery}/sync?cursor=${encodeURIComponent(mirror.cursor ?? '')}`;
    expect((await send(app(), { method: 'GET', path })).status).toBe(404);
    await write(id, 'en', { title: 'Deep lake' });
    await done(desk.put('/sites/main', { isActive: true }));
    expect(await news()).toEqual([`upsert entry ${id} en`]);
  });

  it('returns entries with their blocks, and shared blocks as entries', async () => {
    await createType(app(), desk.project, {
      apiName: 'note',
      isBlock: true,
      fields: [{ apiName: 'text', type: 'text' }],
    });
    await createType(app(), desk.project, {
      apiName: 'landing',
      fields: [{ apiName: 'parts', type: 'blocks', isList: true }],
    });
    const parts = [{ _type: 'note', fields: { text: 'One' } }];
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'landing',
      fields: { parts },
    });
    await publish(app(), desk.project, id);
    const [item] = await mirror.follow();
    expect(item).toMatchObject({ document: { fields: { parts: [{ fields: { text: 'One' } }] } } });
    await isMirrored();
    await done(desk.post('/content-types/note/fields', { apiName: 'more', name: 'More', type: 'text' }));
    await isMirrored();
  });

  it('reads as much as has changed, whatever the site has', async () => {
    const changed = await article('Changed');
    await mirror.follow();
    const cost = async (title: string): Promise<number> => {
      await write(changed, 'en', { title });
      const { result, statements } = await app().recordStatements(() => mirror.page());
      expect(result.data.map(keyOf)).toEqual([`entry ${changed} en`]);
      return statements.length;
    };
    await cost('First');
    const few = await cost('Second');
    for (let number = 0; number < 20; number += 1) await article(`Other ${String(number)}`);
    await mirror.follow();
    expect(await cost('Third')).toBe(few);
    const { statements } = await app().recordStatements(() => mirror.page());
    expect(statements.length).toBe(few - 1);
  });

  it('loses nothing of a transaction that was open when the cursor was issued', async () => {
    const [first, second] = [await article('First'), await article('Second')];
    await mirror.follow();
    const writer = new pg.Client(app().databaseUrl);
    await writer.connect();
    await writer.query('BEGIN');
    await writer.query("UPDATE published_entries SET slug = slug || '-later' WHERE entry_id = $1", [first]);
    await write(second, 'en', { title: 'Second, deeper' });
    expect(await news()).toEqual([`upsert entry ${second} en`]);
    expect(await news()).toEqual([]);
    await writer.query('COMMIT');
    await writer.end();
    expect(await news()).toEqual([`upsert entry ${first} en`]);
    await isMirrored();
  });
});
