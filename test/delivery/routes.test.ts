import { beforeEach, describe, expect, test } from '@jest/globals';
import { must, send } from '../support/call.js';
import { createArticleTypes, createEntry, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import {
  createFolder,
  createLivePage,
  createPage,
  createPageType,
  onTree,
} from '../support/factories/tree.js';
import { verifies } from '../support/verifies.js';
import { useApp } from '../support/desk.js';

verifies(
  'delivery/routes-results',
  'delivery/routes',
  'delivery/routes-before-redirects',
  'routing/redirects-of-changed-paths',
);

const app = useApp();
let project: TestProject;
beforeEach(async () => {
  project = await createProject(app(), { locales: ['en', 'de', { code: 'fr', fallbackCode: 'en' }] });
  await createPageType(app(), project);
});

const resolve = (path: string, { key, ...more }: Record<string, string> = {}) =>
  send(app(), {
    method: 'GET',
    path: `${project.delivery}/routes?${new URLSearchParams({ path, ...more }).toString()}`,
    key,
  });
const manage = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  send(app(), { method, path: `${project.management}${path}`, key: project.keys.management, body });
const settle = (body: object) => manage('PUT', '/sites/main', body);
const translate = async (id: string, locale: string, slug: string) => {
  await manage('PUT', `/entries/${id}`, { version: 1, locale, slug, fields: { title: slug } });
  await publish(app(), project, id, locale);
};

describe('200', () => {
  test('returns a published page in full with cache headers and its surrogate keys', async () => {
    const folder = await createFolder(app(), project, { slug: 'company' });
    const page = await createLivePage(app(), project, { slug: 'about', treeParentId: folder.id });
    const response = await resolve('/company/about');
    expect(response.status).toBe(200);
    expect(response.body.data).toMatchObject({
      kind: 'entry',
      entry: { _id: page.id, _type: 'page', _slug: 'about', _locale: 'en', fields: { title: 'Page about' } },
    });
    expect(response.headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=3600');
    expect(response.headers['surrogate-key']?.split(' ').sort()).toEqual(
      [`entry:${page.id}`, 'type:page', 'site:main', `project:${project.slug}`].sort(),
    );
  });

  test('compares paths decoded, in NFC, without query, fragment and trailing slash', async () => {
    const { id } = await createLivePage(app(), project, { slug: 'café' });
    const nfd = 'café'.normalize('NFD');
    const spellings = [
      '/café',
      `/${nfd}`,
      '/caf%C3%A9',
      `/${encodeURIComponent(nfd)}`,
      '/café/',
      '/café?x=/y',
      '/café#z',
    ];
    for (const spelling of spellings) {
      const { body } = await resolve(spelling);
      expect([spelling, body.data?.entry?._id]).toEqual([spelling, id]);
    }
  });

  test('returns the home entry for "/", inside or outside the tree', async () => {
    await createArticleTypes(app(), project);
    const inside = await createLivePage(app(), project, { slug: 'start' });
    await createLivePage(app(), project, { slug: 'child', treeParentId: inside.treeNodeId });
    const outside = await createEntry(app(), project, {
      contentTypeApiName: 'article',
      fields: { title: 'A' },
    });
    await settle({ homeEntryId: inside.id });
    expect((await resolve('/')).body.data.entry._id).toBe(inside.id);
    expect((await resolve('/child')).body.data.kind).toBe('entry');
    expect((await resolve('/start')).body.data).toEqual({ kind: 'redirect', target: '/', status: 301 });
    await settle({ homeEntryId: outside.id });
    expect((await resolve('/')).status).toBe(404);
    await publish(app(), project, outside.id);
    expect((await resolve('/')).body.data.entry._id).toBe(outside.id);
    expect((await resolve('/start/child')).body.data.kind).toBe('entry');
    await manage('DELETE', `/entries/${outside.id}`);
    expect((await resolve('/')).status).toBe(404);
    await settle({ homeEntryId: inside.id });
    expect((await resolve('/')).body.data.entry._id).toBe(inside.id);
  });

  test('resolves a path per locale; a fallback serves the path of the published locale', async () => {
    const page = await createLivePage(app(), project, { slug: 'about' });
    await translate(page.id, 'de', 'ueber-uns');
    expect((await resolve('/ueber-uns', { locale: 'de' })).body.data.entry._locale).toBe('de');
    expect((await resolve('/about', { locale: 'de' })).status).toBe(404);
    expect((await resolve('/about', { locale: 'fr' })).body.data.entry._locale).toBe('en');
    await manage('PUT', `/entries/${page.id}`, {
      version: 2,
      locale: 'fr',
      slug: 'a-propos',
      fields: { title: 'F' },
    });
    expect((await resolve('/a-propos', { locale: 'fr' })).status).toBe(404);
    await publish(app(), project, page.id, 'fr');
    expect((await resolve('/a-propos', { locale: 'fr' })).body.data.entry._locale).toBe('fr');
    expect((await resolve('/about', { locale: 'fr' })).status).toBe(404);
  });

  test('reads the locale from the path prefix on sites with prefixes', async () => {
    await settle({ localePathStrategy: 'prefix' });
    const page = await createLivePage(app(), project, { slug: 'about' });
    await translate(page.id, 'de', 'ueber-uns');
    const locales = await Promise.all(
      [
        resolve('/about'),
        resolve('/de/ueber-uns'),
        resolve('/de/ueber-uns', { locale: 'de' }),
        resolve('/ueber-uns', { locale: 'de' }),
        resolve('/fr/about'),
        resolve('/en/about'),
        resolve('/de/about'),
      ].map(async (asked) => (await asked).body.data?.entry?._locale),
    );
    expect(locales).toEqual(['en', 'de', 'de', 'de', 'en', undefined, undefined]);
    const moved = await createFolder(app(), project, { slug: 'company' });
    await onTree(app(), project, {
      method: 'POST',
      path: `/nodes/${page.treeNodeId}/move`,
      body: { parentId: moved.id },
    });
    expect((await resolve('/de/ueber-uns')).body.data).toEqual({
      kind: 'redirect',
      target: '/de/company/ueber-uns',
      status: 301,
    });
  });

  test('returns a redirect for a path without a page, with chains resolved to the last target', async () => {
    await createLivePage(app(), project, { slug: 'new' });
    const redirect = (source: string, target: string, status = 301) =>
      must(app(), {
        method: 'POST',
        path: `${project.management}/redirects`,
        key: project.keys.management,
        body: { siteId: project.siteId, source, target, status },
      });
    await redirect('/older', '/old', 302);
    await redirect('/old', '/new');
    expect((await resolve('/old')).body).toEqual({ data: { kind: 'redirect', target: '/new', status: 301 } });
    expect((await resolve('/older')).body.data).toEqual({ kind: 'redirect', target: '/new', status: 302 });
    await createLivePage(app(), project, { slug: 'old' });
    expect((await resolve('/old')).body.data.kind).toBe('entry');
    expect((await resolve('/older')).body.data.target).toBe('/old');
  });

  test('serves a page before a redirect that a person wrote, and the redirect again once the page is gone', async () => {
    const page = await createLivePage(app(), project, { slug: 'p' });
    const folder = await createFolder(app(), project, { slug: 'a' });
    const [key, redirects] = [project.keys.management, `${project.management}/redirects`];
    const body = { siteId: project.siteId, source: '/a/p', target: '/written', locale: 'en' };
    await must(app(), { method: 'POST', path: redirects, key, body });
    expect((await resolve('/a/p')).body.data.target).toBe('/written');
    const path = `/nodes/${page.treeNodeId}/move`;
    await onTree(app(), project, { method: 'POST', path, body: { parentId: folder.id } });
    expect((await resolve('/a/p')).body.data.kind).toBe('entry');
    expect((await resolve('/p')).body.data.target).toBe('/a/p');
    await must(app(), {
      method: 'POST',
      path: `${project.management}/entries/${page.id}/unpublish`,
      key,
      body: {},
    });
    expect((await resolve('/a/p')).body.data).toEqual({ kind: 'redirect', target: '/written', status: 301 });
  });

  test('redirects every former path of a page in one hop, and removes the redirects when it moves back', async () => {
    const page = await createLivePage(app(), project, { slug: 'p' });
    const [a, b] = [
      await createFolder(app(), project, { slug: 'a' }),
      await createFolder(app(), project, { slug: 'b' }),
    ];
    const move = (parentId: string | null, more: object = {}) =>
      onTree(app(), project, {
        method: 'POST',
        path: `/nodes/${page.treeNodeId}/move`,
        body: { parentId, ...more },
      });
    expect((await move(a.id)).body.meta).toEqual({ affected: 1, redirectsCreated: 2 });
    await move(b.id);
    for (const old of ['/p', '/a/p']) expect((await resolve(old)).body.data.target).toBe('/b/p');
    await move(null);
    expect((await resolve('/p')).body.data.kind).toBe('entry');
    expect((await resolve('/b/p')).body.data.target).toBe('/p');
    expect((await move(a.id, { createRedirects: false })).body.meta.redirectsCreated).toBe(0);
    expect((await resolve('/p')).status).toBe(404);
  });

  test('shows drafts to preview and management keys, uncached', async () => {
    const page = await createPage(app(), project, { slug: 'draft' });
    for (const key of [project.keys.preview, project.keys.management]) {
      const response = await resolve('/draft', { key });
      expect(response.body.data.entry).toMatchObject({ _id: page.id, _publishedAt: null });
      expect(response.headers['cache-control']).toBe('private, no-store');
    }
    expect((await resolve('/draft', { key: project.keys.delivery })).status).toBe(404);
  });
});

describe('404', () => {
  test('allows caches to store the 404 of an unknown path', async () => {
    const response = await resolve('/nowhere');
    expect([response.status, response.body.error]).toEqual([404, 'route_not_found']);
    expect(response.body.data).toBeUndefined();
    expect(response.headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=3600');
    expect(response.headers['surrogate-key']).toBe(`site:main project:${project.slug}`);
  });

  test('prevents caches from storing 404s of previews, unknown locales and unknown sites', async () => {
    const answers = [
      await resolve('/nowhere', { key: project.keys.preview }),
      await resolve('/nowhere', { locale: 'xx' }),
      await send(app(), {
        method: 'GET',
        path: `/api/delivery/projects/${project.slug}/sites/none/routes?path=/`,
      }),
    ];
    expect(answers.map(({ body, headers }) => [body.error, headers['cache-control']])).toEqual([
      ['route_not_found', 'private, no-store'],
      ['locale_not_found', 'no-store'],
      ['site_not_found', 'no-store'],
    ]);
  });

  test('returns 404 for unpublished and deleted pages and for folders', async () => {
    const page = await createLivePage(app(), project, { slug: 'p' });
    await createFolder(app(), project, { slug: 'f' });
    expect((await resolve('/f')).status).toBe(404);
    await manage('POST', `/entries/${page.id}/unpublish`, {});
    expect((await resolve('/p')).status).toBe(404);
    await publish(app(), project, page.id);
    expect((await resolve('/p')).status).toBe(200);
    await manage('DELETE', `/entries/${page.id}`);
    expect((await resolve('/p')).status).toBe(404);
  });

  test('returns 404 for paths that no page can have', async () => {
    const paths = ['//', '/a//b', '/%00', '/%', '/%FF', '/a%2Fb', `/${'x'.repeat(3000)}`, '/..', '/A'];
    for (const path of paths) expect([path, (await resolve(path)).status]).toEqual([path, 404]);
  });
});

describe('422', () => {
  test('returns 422 for a path without a leading slash and for a missing path', async () => {
    for (const path of ['about', '', `/${'x'.repeat(9000)}`])
      expect((await resolve(path)).body.error).toBe('validation_failed');
    expect((await send(app(), { method: 'GET', path: `${project.delivery}/routes` })).status).toBe(422);
  });
});
