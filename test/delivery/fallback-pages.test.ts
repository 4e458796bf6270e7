import { beforeEach, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { useApp } from '../support/desk.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { createLivePage, createPage, createPageType } from '../support/factories/tree.js';
import { verifies } from '../support/verifies.js';

verifies('delivery/sitemap-fallbacks', 'delivery/paths-of-drafts');

const app = useApp();
let project: TestProject;

beforeEach(async () => {
  const locales = ['en', { code: 'de', fallbackCode: 'en' }, { code: 'de-CH', fallbackCode: 'de' }, 'fr'];
  project = await createProject(app(), { locales });
  await createPageType(app(), project);
});

const read = async (path: string, key?: string) =>
  (await send(app(), { method: 'GET', path: `${project.delivery}${path}`, key })).body;
const manage = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
  send(app(), { method, path: `${project.management}${path}`, key: project.keys.management, body });

interface Listed {
  readonly locale: string;
  readonly path: string;
  readonly alternates: readonly { readonly hreflang: string }[];
}
const sitemap = async (query = ''): Promise<Listed[]> => (await read(`/sitemap?format=json${query}`)).data;
/** `locale path` of each URL. */
const listed = async (query = ''): Promise<string[]> =>
  (await sitemap(query)).map(({ locale, path }) => `${locale} ${path}`);
const draft = async (id: string, locale: string, slug: string): Promise<void> => {
  const { version } = (await manage('GET', `/entries/${id}`)).body.data as { version: number };
  await manage('PUT', `/entries/${id}`, { version, locale, slug, fields: { title: slug } });
};
const translate = async (id: string, locale: string, slug: string): Promise<void> => {
  await draft(id, locale, slug);
  await publish(app(), project, id, locale);
};

describe('GET sitemap?fallbacks=true', () => {
  it('lists every page that a locale shows, at a path that resolves to it, and names real translations as alternates', async () => {
    const about = await createLivePage(app(), project, { slug: 'about' });
    const team = await createLivePage(app(), project, { slug: 'team', treeParentId: about.treeNodeId });
    await createPage(app(), project, { slug: 'draft' });
    await translate(about.id, 'de', 'ueber');
    expect(await listed()).toEqual(['en /about', 'en /about/team', 'de /ueber']);
    const places = [
      ['en', '/about', about.id],
      ['en', '/about/team', team.id],
      ['de', '/ueber', about.id],
      ['de', '/ueber/team', team.id],
      ['de-CH', '/ueber', about.id],
      ['de-CH', '/ueber/team', team.id],
    ] as const;
    expect(await listed('&fallbacks=true')).toEqual(places.map(([locale, path]) => `${locale} ${path}`));
    for (const [locale, path, _id] of places)
      expect((await read(`/routes?path=${path}&locale=${locale}`)).data).toMatchObject({ entry: { _id } });
    const swiss = await read('/sitemap?format=json&locale=de-CH&fallbacks=true');
    expect(swiss.meta).toMatchObject({ total: 2, pages: 1 });
    expect(
      (swiss.data as Listed[]).map(({ alternates }) => alternates.map(({ hreflang }) => hreflang)),
    ).toEqual([
      ['en', 'de', 'x-default'],
      ['en', 'x-default'],
    ]);
    const xml = await send(app(), {
      method: 'GET',
      path: `${project.delivery}/sitemap?locale=de-CH&fallbacks=true`,
    });
    expect((xml.text ?? String(xml.body)).match(/<url>/g)).toHaveLength(2);
  });

  it('omits pages with noindex, and paths that another page has', async () => {
    const fields = [{ apiName: 'noindex', type: 'boolean' }];
    await createType(app(), project, { apiName: 'landing', isPage: true, fields });
    const hidden = { contentTypeApiName: 'landing', slug: 'hidden', fields: { noindex: true } };
    await publish(app(), project, (await createEntry(app(), project, hidden)).id);
    const shown = { contentTypeApiName: 'landing', slug: 'shown', fields: { noindex: false } };
    await publish(app(), project, (await createEntry(app(), project, shown)).id);
    const german = () => listed('&fallbacks=true&locale=de');
    expect(await german()).toEqual(['de /shown']);
    const other = await createLivePage(app(), project, { slug: 'other' });
    expect(await german()).toEqual(['de /other', 'de /shown']);
    await translate(other.id, 'de', 'shown');
    const alone = await sitemap('&fallbacks=true&locale=de');
    expect(alone).toMatchObject([{ path: '/shown', entryId: other.id }]);
    await manage('POST', `/entries/${other.id}/unpublish`, {});
    expect(await german()).toEqual(['de /shown']);
  });
});

describe('A preview key', () => {
  it('sees drafts at the paths that they will have when live, as preview links have them', async () => {
    const { preview } = project.keys;
    const news = await createLivePage(app(), project, { slug: 'news' });
    await translate(news.id, 'de', 'nachrichten');
    const body = { treeParentId: news.treeNodeId };
    const story = await createPage(app(), project, { slug: 'story', ...body });
    const translated = await createPage(app(), project, { slug: 'other', ...body });
    await draft(translated.id, 'de', 'anderes');
    const places = [
      [story, 'en', '/news/story'],
      [story, 'de', '/nachrichten/story'],
      [story, 'de-CH', '/nachrichten/story'],
      [translated, 'en', '/news/other'],
      [translated, 'de', '/nachrichten/anderes'],
      [translated, 'de-CH', '/nachrichten/anderes'],
    ] as const;
    await manage('PUT', '/sites/main', { previewUrlTemplate: 'https://example.com{path}?token={token}' });
    for (const [{ id }, locale, path] of places) {
      const { data } = await read(`/entries/${id}?paths=true&locale=${locale}`, preview);
      expect([locale, data]).toMatchObject([locale, { _id: id, _path: path }]);
      const query = new URLSearchParams({ path, locale }).toString();
      expect((await read(`/routes?${query}`, preview)).data).toMatchObject({ entry: { _id: id } });
      expect((await read(`/routes?${query}`)).error).toBe('route_not_found');
      const link = await manage('POST', `/entries/${id}/preview`, { locale });
      expect(new URL(link.body.data.url as string).pathname).toBe(path);
    }
    const below = '/tree?root=/nachrichten/story&locale=de';
    expect((await read(below, preview)).data).toMatchObject([{ entryId: story.id }]);
    await publish(app(), project, story.id);
    await publish(app(), project, translated.id);
    await publish(app(), project, translated.id, 'de');
    for (const [{ id }, locale, path] of places)
      expect((await read(`/entries/${id}?paths=true&locale=${locale}`)).data).toMatchObject({ _path: path });
  });
});
