import { describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createLivePage, createPage, createPageType } from '../../support/factories/tree.js';
import { verifies } from '../../support/verifies.js';
import { article, change } from './history.js';

const app = useApp();

interface Link {
  readonly url: string;
  readonly token: string;
}

/** A project with pages, whose preview links are the path and the token. */
async function openSite(site: object = {}): Promise<Desk> {
  const desk = await openDesk(app());
  await createPageType(app(), desk.project);
  const template = 'https://p.example{path}?t={token}';
  expect((await desk.put('/sites/main', { previewUrlTemplate: template, ...site })).status).toBe(200);
  return desk;
}

async function link(desk: Desk, id: string, body: object = {}): Promise<{ path: string; token: string }> {
  const { url, token } = (await desk.post(`/entries/${id}/preview`, body)).body.data as Link;
  const { pathname } = new URL(url);
  return { path: decodeURIComponent(pathname), token };
}

const resolve = (desk: Desk, path: string, token: string) =>
  send(app(), {
    method: 'GET',
    path: `${desk.project.delivery}/routes?${new URLSearchParams({ path, previewToken: token }).toString()}`,
  });

/** A preview link whose path delivery resolves to the entry. */
async function resolvedLink(desk: Desk, id: string, body: object = {}): Promise<string> {
  const { path, token } = await link(desk, id, body);
  const { status, body: answer } = await resolve(desk, path, token);
  expect([status, answer.data?.kind, answer.data?.entry?._id]).toEqual([200, 'entry', id]);
  return path;
}

describe('The path of a preview link', () => {
  verifies('publication/preview-path');

  it('is the route of a draft page below others', async () => {
    const desk = await openSite();
    const about = await createLivePage(app(), desk.project, { slug: 'about' });
    const team = await createPage(app(), desk.project, { slug: 'team', treeParentId: about.treeNodeId });
    const ada = await createPage(app(), desk.project, { slug: 'ada', treeParentId: team.treeNodeId });
    expect(await resolvedLink(desk, ada.id)).toBe('/about/team/ada');
  });

  it('is the route that a published page will have with the slug of its draft', async () => {
    const desk = await openSite();
    const page = await createLivePage(app(), desk.project, { slug: 'old' });
    await change(desk, page.id, { slug: 'new' });
    expect(await resolvedLink(desk, page.id)).toBe('/new');
    await createLivePage(app(), desk.project, { slug: 'other' });
    const { token } = await link(desk, page.id);
    expect(outcome(await resolve(desk, '/other', token))).toEqual([403, 'invalid_preview_token']);
  });

  it('starts with the locale where the site prefixes paths', async () => {
    const desk = await openSite({ localePathStrategy: 'prefix' });
    const page = await createLivePage(app(), desk.project, { slug: 'about' });
    const team = await createPage(app(), desk.project, { slug: 'team', treeParentId: page.treeNodeId });
    await change(desk, page.id, { locale: 'de', slug: 'ueber-uns' });
    await change(desk, team.id, { locale: 'de', slug: 'das-team' });
    expect(await resolvedLink(desk, team.id, { locale: 'de' })).toBe('/de/ueber-uns/das-team');
    expect(await resolvedLink(desk, team.id)).toBe('/about/team');
  });

  it('is / for the home, in its locale', async () => {
    const desk = await openSite({ localePathStrategy: 'prefix' });
    const home = await createPage(app(), desk.project, { slug: 'welcome' });
    await desk.put('/sites/main', { homeEntryId: home.id });
    await change(desk, home.id, { locale: 'de', slug: 'willkommen' });
    expect(await resolvedLink(desk, home.id)).toBe('/');
    expect(await resolvedLink(desk, home.id, { locale: 'de' })).toBe('/de');
  });

  it('is the previewPath of the type for an entry outside the tree, else its slug', async () => {
    const desk = await openSite();
    const { id } = await article(desk, { title: 'One' });
    expect((await link(desk, id)).path).toBe('/one');
    await desk.put('/content-types/article', { previewPath: '/news/{locale}/{slug}/{entryId}/{other}' });
    expect((await link(desk, id)).path).toBe(`/news/en/one/${id}/{other}`);
    await desk.put('/content-types/article', { previewPath: '@evil.example/{slug}' });
    const { data } = (await desk.post(`/entries/${id}/preview`)).body as { data: Link };
    expect(new URL(data.url).host).toBe('p.example');
  });

  it('is the one that the caller names', async () => {
    const desk = await openSite();
    const page = await createLivePage(app(), desk.project, { slug: 'about' });
    expect((await link(desk, page.id, { path: '/x' })).path).toBe('/x');
  });
});
