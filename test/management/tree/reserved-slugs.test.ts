import { beforeEach, describe, expect, it } from '@jest/globals';
import { Desk, outcome, useApp } from '../../support/desk.js';
import { send } from '../../support/call.js';
import { branch } from '../../support/factories/branch.js';
import { publish, type TestEntry } from '../../support/factories/content.js';
import { createProject } from '../../support/factories/project.js';
import { createLivePage, createPage, createPageType } from '../../support/factories/tree.js';
import { verifies } from '../../support/verifies.js';
import { change, now } from '../entries/history.js';

verifies('routing/tree-reserved');

const app = useApp();
let desk: Desk;

/** A site with the locales en, de and fr, whose paths start with the last two. */
beforeEach(async () => {
  desk = new Desk(app(), await createProject(app()));
  await createPageType(app(), desk.project);
  await desk.put('/sites/main', { localePathStrategy: 'prefix' });
});

const refused = (slug: string, locale?: string) => ({
  status: 409,
  body: { error: 'slug_reserved', details: { slug, ...(locale !== undefined && { locale }) } },
});
const page = (slug: string | undefined, rest: object = {}) =>
  desk.post('/entries', {
    contentTypeApiName: 'page',
    siteId: desk.project.siteId,
    fields: { title: 'Page' },
    slug,
    ...rest,
  });
const folder = (body: object) =>
  desk.post('/tree/nodes', { type: 'folder', siteId: desk.project.siteId, ...body });
const idOf = ({ body }: { body: { data: { id: string } } }): string => body.data.id;
const nodeOf = async (id: string): Promise<string> =>
  ((await now(desk, id)) as TestEntry & { treeNodeId: string }).treeNodeId;

describe('A first path segment that is a locale prefix of its site', () => {
  it.each(['en', 'de', 'fr'])('is 409 for the slug of a new page in the locale %s', async (locale) => {
    expect(await page('de', { locale })).toMatchObject(refused('de', locale));
    expect(await page('fr', { locale })).toMatchObject(refused('fr', locale));
  });

  it('is neither the default locale nor another case, and is free below another page', async () => {
    for (const slug of ['en', 'DE', 'de-ch', 'it']) expect((await page(slug)).status).toBe(201);
    const parent = idOf(await page('about'));
    const below = await page('de', { treeParentId: await nodeOf(parent) });
    expect([below.status, below.body.data.slug]).toEqual([201, 'de']);
  });

  it('is not reserved in a site without prefixes', async () => {
    await desk.put('/sites/main', { localePathStrategy: 'none' });
    expect((await page('de')).status).toBe(201);
    expect((await folder({ slug: 'fr' })).status).toBe(201);
  });

  it('is passed over by slugs that are made from titles and names', async () => {
    expect((await page(undefined, { fields: { title: 'De' } })).body.data.slug).toBe('de-2');
    expect((await folder({ name: 'Fr' })).body.data.slug).toBe('fr-2');
    const item = {
      action: 'create',
      contentTypeApiName: 'page',
      siteId: desk.project.siteId,
      fields: { title: 'Fr' },
    };
    const { body } = await desk.post('/entries/batch', { items: [item] });
    expect((await now(desk, body.data.results[0].entryId as string)).slug).toBe('fr-3');
  });

  it('is 409 for an update of a page and for its first draft in another locale', async () => {
    const id = idOf(await page('about'));
    expect(await change(desk, id, { slug: 'de' })).toMatchObject(refused('de', 'en'));
    expect(await change(desk, id, { locale: 'de', slug: 'fr', fields: { title: 'Über' } })).toMatchObject(
      refused('fr', 'de'),
    );
    await publish(app(), desk.project, id);
    expect(await change(desk, id, { slug: 'fr' })).toMatchObject(refused('fr', 'en'));
    expect((await now(desk, id)).slug).toBe('about');
  });

  it('is 409 for an item of a batch, which does not stop the others', async () => {
    const id = idOf(await page('about'));
    const { version } = await now(desk, id);
    const items = [
      { action: 'update', id, version, slug: 'de', fields: { title: 'Next' } },
      {
        action: 'create',
        contentTypeApiName: 'page',
        siteId: desk.project.siteId,
        slug: 'fr',
        fields: {},
      },
      {
        action: 'create',
        contentTypeApiName: 'page',
        siteId: desk.project.siteId,
        slug: 'free',
        fields: {},
      },
    ];
    const { body } = await desk.post('/entries/batch', { items });
    expect(body.data.results.map(({ ok, error }: { ok: boolean; error?: string }) => error ?? ok)).toEqual([
      'slug_reserved',
      'slug_reserved',
      true,
    ]);
  });

  it('is 409 for a copy', async () => {
    const id = idOf(await page('about'));
    expect(await desk.post(`/entries/${id}/duplicate`, { slug: 'de' })).toMatchObject(refused('de', 'en'));
  });

  it('is 409 for a folder that is made or renamed', async () => {
    expect(await folder({ slug: 'de' })).toMatchObject(refused('de'));
    const made = (await folder({ slug: 'docs' })).body.data as { id: string; version: number };
    const renamed = await desk.put(`/tree/nodes/${made.id}`, { version: made.version, slug: 'fr' });
    expect(renamed).toMatchObject(refused('fr'));
  });

  it('is 409 for a page or folder that moves to the root', async () => {
    const parent = await nodeOf(idOf(await page('about')));
    const child = idOf(await page('de', { treeParentId: parent }));
    const inside = (await folder({ slug: 'fr', parentId: parent })).body.data as { id: string };
    await change(desk, child, { locale: 'de', slug: 'kind', fields: { title: 'Kind' } });
    const node = await nodeOf(child);
    const move = (id: string) => desk.post(`/tree/nodes/${id}/move`, { parentId: null });
    expect(await move(node)).toMatchObject(refused('de'));
    expect(await move(inside.id)).toMatchObject(refused('fr'));
    expect(await change(desk, child, { treeParentId: null })).toMatchObject(refused('de'));
    const bulk = await desk.post('/entries/bulk', {
      action: 'move',
      entryIds: [child],
      params: { treeParentId: null },
    });
    expect(bulk.body.data.results[0]).toMatchObject({ ok: false, error: 'slug_reserved' });
    expect((await desk.get(`/tree/nodes/${node}`)).body.data.parentId).toBe(parent);
  });

  it('is 409 for children that would move up to the root', async () => {
    const parent = idOf(await page('about'));
    await page('de', { treeParentId: await nodeOf(parent) });
    const lifted = await desk.delete(`/tree/nodes/${await nodeOf(parent)}?children=lift`);
    expect(lifted).toMatchObject(refused('de'));
    expect(await desk.delete(`/entries/${parent}`)).toMatchObject(refused('de'));
  });

  it('is 409 for a home whose children have it', async () => {
    const home = idOf(await page('start'));
    const child = idOf(await page('de', { treeParentId: await nodeOf(home) }));
    expect(await desk.put('/sites/main', { homeEntryId: home })).toMatchObject(refused('de'));
    await change(desk, child, { slug: 'other' });
    expect(outcome(await desk.put('/sites/main', { homeEntryId: home }))).toEqual([200, undefined]);
    expect(await page('fr', { treeParentId: await nodeOf(home) })).toMatchObject(refused('fr', 'en'));
    expect(await change(desk, child, { slug: 'de' })).toMatchObject(refused('de', 'en'));
  });

  it('is numbered when an entry with it is undeleted', async () => {
    const parent = await nodeOf(idOf(await page('about')));
    const id = idOf(await page('de', { treeParentId: parent }));
    await desk.delete(`/entries/${id}`);
    const { body } = await desk.post(`/entries/${id}/undelete`, {});
    expect([body.data.slug, body.data.treeParentId]).toEqual(['de-2', null]);
  });
});

describe('A site', () => {
  const settle = (body: object) => desk.put('/sites/main', body);
  const without = async () => {
    expect(outcome(await settle({ localePathStrategy: 'none' }))).toEqual([200, undefined]);
  };

  it('cannot have prefixes while a page or folder has one of them as its first segment', async () => {
    await without();
    const { id } = await createLivePage(app(), desk.project, { slug: 'de' });
    expect(await settle({ localePathStrategy: 'prefix' })).toMatchObject(refused('de'));
    await change(desk, id, { slug: 'other' });
    // The published page still has the path.
    expect(await settle({ localePathStrategy: 'prefix' })).toMatchObject(refused('de'));
    await publish(app(), desk.project, id);
    const made = (await folder({ slug: 'fr' })).body.data as { id: string };
    expect(await settle({ localePathStrategy: 'prefix' })).toMatchObject(refused('fr'));
    await desk.delete(`/tree/nodes/${made.id}`);
    expect(outcome(await settle({ localePathStrategy: 'prefix' }))).toEqual([200, undefined]);
  });

  it('cannot have prefixes while the draft of a published page has one of them', async () => {
    await without();
    const { id } = await createLivePage(app(), desk.project, { slug: 'about' });
    await change(desk, id, { slug: 'fr' });
    expect(await settle({ localePathStrategy: 'prefix' })).toMatchObject(refused('fr', 'en'));
  });

  it('cannot have a locale whose code a page has as its first segment, in any environment', async () => {
    const { body } = await settle({ locales: ['en', 'de'] });
    expect(body.data.locales).toEqual(['en', 'de']);
    const inBranch = desk.in(await branch(desk));
    const made = await inBranch.post('/entries', {
      contentTypeApiName: 'page',
      siteId: desk.project.siteId,
      slug: 'fr',
      fields: { title: 'Page' },
    });
    expect(made.status).toBe(201);
    expect(await settle({ locales: ['en', 'de', 'fr'] })).toMatchObject(refused('fr'));
    await inBranch.delete(`/entries/${idOf(made)}`);
    expect(outcome(await settle({ locales: ['en', 'de', 'fr'] }))).toEqual([200, undefined]);
  });

  it('cannot have another default locale while a page has the former one as its first segment', async () => {
    await createPage(app(), desk.project, { slug: 'en' });
    expect(await settle({ defaultLocale: 'de' })).toMatchObject(refused('en'));
    expect((await desk.get('/sites/main')).body.data.defaultLocale).toBe('en');
  });

  it('keeps paths that were reserved before, and refuses none of its other changes', async () => {
    await without();
    const { id } = await createLivePage(app(), desk.project, { slug: 'de' });
    await app().rows(
      desk.project.tenantId,
      "UPDATE sites SET locale_path_strategy = 'prefix' WHERE id = $1",
      [desk.project.siteId],
    );
    expect(outcome(await settle({ locales: ['en', 'de'] }))).toEqual([200, undefined]);
    expect(outcome(await settle({ locales: ['en', 'de', 'fr'], name: 'Main site' }))).toEqual([
      200,
      undefined,
    ]);
    await change(desk, id, { fields: { title: 'Changed' } });
    await publish(app(), desk.project, id);
    const found = await send(app(), { method: 'GET', path: `${desk.project.delivery}/entries/${id}` });
    expect(found.body.data.fields.title).toBe('Changed');
  });
});
