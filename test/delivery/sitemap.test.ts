import { beforeEach, describe, expect, test } from '@jest/globals';
import { startBeside } from '../support/app.js';
import { send } from '../support/call.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { createLivePage, createPage, createPageType } from '../support/factories/tree.js';
import { verifies } from '../support/verifies.js';
import { useOwnApp } from '../support/desk.js';
import { inLongRun } from '../support/extent.js';

verifies('delivery/sitemap', 'delivery/sitemap-pages', 'delivery/sitemap-origin');

const app = useOwnApp();
let project: TestProject;
beforeEach(async () => {
  project = await createProject(app(), { locales: ['en', 'de', { code: 'fr', fallbackCode: 'en' }] });
  await createPageType(app(), project);
});

const manage = (method: 'POST' | 'PUT', path: string, body: object) =>
  send(app(), { method, path: `${project.management}${path}`, key: project.keys.management, body });
const sitemap = (query = '') => send(app(), { method: 'GET', path: `${project.delivery}/sitemap${query}` });
const translate = async (id: string, locale: string, slug: string) => {
  await manage('PUT', `/entries/${id}`, { version: 1, locale, slug, fields: { title: slug } });
  await publish(app(), project, id, locale);
};

/** A page in English and German, its parent in English, and a draft. */
async function makePages(site: object) {
  await manage('PUT', '/sites/main', site);
  const about = await createLivePage(app(), project, { slug: 'über&uns' });
  const team = await createLivePage(app(), project, { slug: 'team', treeParentId: about.treeNodeId });
  await createPage(app(), project, { slug: 'draft' });
  await translate(about.id, 'de', 'ueber');
  return { about, team };
}

describe('GET sitemap', () => {
  test('lists each published page and locale in XML with its alternates, absolute and escaped', async () => {
    const { about } = await makePages({ baseUrl: 'https://www.example.com/' });
    const response = await sitemap();
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(response.headers['cache-control']).toBe('public, max-age=300, stale-while-revalidate=3600');
    expect(response.headers['surrogate-key']).toBe(`site:main project:${project.slug}`);
    const xml = response.text ?? String(response.body);
    expect(xml).toContain(
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    );
    const english = 'https://www.example.com/%C3%BCber%26uns';
    const links = [
      `<xhtml:link rel="alternate" hreflang="en" href="${english}"/>`,
      '<xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/ueber"/>',
      `<xhtml:link rel="alternate" hreflang="x-default" href="${english}"/>`,
    ].join('');
    expect(xml.match(/<loc>[^<]*<\/loc>/g)).toEqual(
      [
        `<loc>${english}/team</loc>`,
        `<loc>${english}</loc>`,
        '<loc>https://www.example.com/ueber</loc>',
      ].sort((a, b) => Number(a.includes('ueber')) - Number(b.includes('ueber')) || a.length - b.length),
    );
    expect(xml).toMatch(new RegExp(`<loc>${english}</loc><lastmod>[0-9T:.-]+Z</lastmod>${links}</url>`));
    expect(about.id).toBeDefined();
  });

  test('lists the same pages in JSON', async () => {
    const { about, team } = await makePages({ domain: 'example.com', localePathStrategy: 'prefix' });
    const { body, headers } = await sitemap('?format=json');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(body.meta).toEqual({ total: 3, page: 1, limit: 50_000, pages: 1 });
    expect(
      body.data.map(({ path, locale, entryId }: Record<string, string>) => [path, locale, entryId]),
    ).toEqual([
      ['/über&uns', 'en', about.id],
      ['/über&uns/team', 'en', team.id],
      ['/de/ueber', 'de', about.id],
    ]);
    expect(body.data[2]).toMatchObject({
      loc: 'https://example.com/de/ueber',
      contentTypeApiName: 'page',
      siteId: project.siteId,
      alternates: [
        { hreflang: 'en', href: 'https://example.com/%C3%BCber%26uns' },
        { hreflang: 'de', href: 'https://example.com/de/ueber' },
        { hreflang: 'x-default', href: 'https://example.com/%C3%BCber%26uns' },
      ],
    });
    expect((await sitemap('?format=json&locale=de')).body.data).toHaveLength(1);
    expect((await sitemap('?format=json&page=2')).body.data).toEqual([]);
  });

  test('uses the origin of the request where the site has no URL, and stores it for no other request', async () => {
    await makePages({ localePathStrategy: 'prefix' });
    const path = `${project.delivery}/sitemap?format=json&locale=de`;
    const locOf = async (host?: string) => {
      const call = app().request.get(path);
      const { body, headers } = await (host === undefined ? call : call.set('Host', host));
      expect(headers['cache-control']).toContain('max-age=300');
      return body.data[0].loc as string;
    };
    const own = `${app().baseUrl}/de/ueber`;
    expect(await locOf()).toBe(own);
    expect(await locOf('CMS.example.com:8443')).toBe('http://cms.example.com:8443/de/ueber');
    expect(await locOf()).toBe(own);
    expect(await locOf('evil.example/?x')).toBe('/de/ueber');
    const forwarded = await app()
      .request.get(path)
      .set('X-Forwarded-Host', 'evil.example')
      .set('X-Forwarded-Proto', 'https');
    expect(forwarded.body.data[0].loc).toBe(own);
  });

  test('uses https where a trusted proxy says so', async () => {
    await makePages({});
    const behind = await startBeside(app(), { trustedProxies: ['127.0.0.0/8'] });
    try {
      const path = `${project.delivery}/sitemap?format=json&locale=de`;
      const { body } = await behind.request.get(path).set('X-Forwarded-Proto', 'https');
      expect(body.data[0].loc).toBe(`${behind.baseUrl.replace('http:', 'https:')}/ueber`);
    } finally {
      await behind.close();
    }
  });

  test('uses PUBLIC_BASE_URL, whatever host the request names', async () => {
    await makePages({});
    const known = await startBeside(app(), { publicBaseUrl: 'https://content.example.com' });
    try {
      const path = `${project.delivery}/sitemap`;
      const first = await known.request.get(path).set('Host', 'evil.example');
      const second = await known.request.get(path);
      for (const { text, body } of [first, second])
        expect(text ?? String(body)).toContain('<loc>https://content.example.com/ueber</loc>');
    } finally {
      await known.close();
    }
  });

  test('omits a page whose field noindex is true, itself and as an alternate', async () => {
    await createType(app(), project, {
      apiName: 'landing',
      isPage: true,
      fields: [
        { apiName: 'title', type: 'text' },
        { apiName: 'noindex', type: 'boolean' },
      ],
    });
    const fields = { title: 'Secret', noindex: true };
    const { id } = await createEntry(app(), project, { contentTypeApiName: 'landing', fields });
    await publish(app(), project, id);
    await manage('PUT', `/entries/${id}`, {
      version: 1,
      locale: 'de',
      fields: { title: 'G', noindex: false },
    });
    await publish(app(), project, id, 'de');
    const { body } = await sitemap('?format=json');
    expect(body.data).toHaveLength(1);
    expect(body.data[0].alternates.map(({ hreflang }: { hreflang: string }) => hreflang)).toEqual(['de']);
  });

  test('lists a page whose field noindex is a string', async () => {
    verifies('delivery/sitemap-noindex');
    await createType(app(), project, {
      apiName: 'landing',
      isPage: true,
      fields: [{ apiName: 'noindex', type: 'text' }],
    });
    const { id } = await createEntry(app(), project, {
      contentTypeApiName: 'landing',
      fields: { noindex: 'true' },
    });
    await publish(app(), project, id);
    expect((await sitemap('?format=json')).body.data).toHaveLength(1);
  });

  test('returns 404 or 422 for an unknown locale, site and format, and an empty sitemap for an empty site', async () => {
    expect((await sitemap('?locale=xx')).body.error).toBe('locale_not_found');
    expect((await sitemap('?format=csv')).body.error).toBe('validation_failed');
    expect((await sitemap('?page=0')).body.error).toBe('validation_failed');
    const path = `/api/delivery/projects/${project.slug}/sites/none/sitemap`;
    expect((await send(app(), { method: 'GET', path })).body.error).toBe('site_not_found');
    expect((await sitemap('?format=json')).body).toEqual({
      data: [],
      meta: { total: 0, page: 1, limit: 50_000, pages: 0 },
    });
  });

  inLongRun(() => {
    test('ends after 50,000 pages and links the next page', async () => {
      const page = await createLivePage(app(), project, { slug: 'p' });
      // Inserted directly: 50,000 publishes would take minutes.
      await app().rows(
        project.tenantId,
        `WITH copies AS (
           INSERT INTO entries (tenant_id, environment_id, id, content_type_id, site_id, version, shared_fields, created_at, created_by, updated_at, updated_by)
           SELECT tenant_id, environment_id, gen_random_uuid(), content_type_id, site_id, 1, '{}', created_at, created_by, updated_at, updated_by
           FROM entries, generate_series(1, 50001) WHERE id = $1 RETURNING *),
         drafts AS (
           INSERT INTO entry_locales (tenant_id, environment_id, entry_id, locale, content_type_id, site_id, slug, title, fields, in_tree, shared_hash, is_shown, created_at, updated_at)
           SELECT tenant_id, environment_id, id, 'en', content_type_id, site_id, id::text, 'P', '{}', true, shared_hash, true, created_at, updated_at FROM copies),
         documents AS (
           INSERT INTO published_entries (environment_id, entry_id, locale, content_type_id, site_id, slug, fields, version, created_at, published_at, first_published_at)
           SELECT environment_id, id, 'en', content_type_id, site_id, id::text, '{}', 1, created_at, created_at, created_at FROM copies)
         INSERT INTO routes (environment_id, site_id, locale, path, entry_id, is_own, is_live, is_listed)
         SELECT environment_id, site_id, 'en', '/' || id, id, true, true, true FROM copies`,
        [page.id],
      );
      // As autovacuum does after such a load.
      await app().rows(null, 'ANALYZE routes, published_entries, entries, entry_locales');
      const first = await sitemap('?locale=en');
      const next = `<${project.delivery}/sitemap?locale=en&page=2>; rel="next"`;
      expect(first.headers.link).toBe(next);
      expect((first.text ?? String(first.body)).match(/<url>/g)).toHaveLength(50_000);
      const second = await sitemap('?locale=en&page=2&format=json');
      expect(second.headers.link).toBeUndefined();
      expect(second.body.data).toHaveLength(2);
      expect(second.body.meta).toEqual({ total: 50_002, page: 2, limit: 50_000, pages: 2 });
    }, 120_000);
  });
});
