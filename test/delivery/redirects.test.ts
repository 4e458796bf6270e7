import { beforeEach, describe, expect, it } from '@jest/globals';
import { must, send } from '../support/call.js';
import { useApp } from '../support/desk.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { createLivePage, createPageType } from '../support/factories/tree.js';
import { verifies } from '../support/verifies.js';

verifies('delivery/redirects');

const app = useApp();
let project: TestProject;

beforeEach(async () => {
  project = await createProject(app(), { locales: ['en', 'de'] });
});

const manage = <T = { id: string }>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  must<T>(app(), { method, path: `${project.management}${path}`, key: project.keys.management, body });
const add = (source: string, target: string, more: object = {}) =>
  manage('POST', '/redirects', { siteId: project.siteId, source, target, ...more });
const list = (query = '', key?: string) =>
  send(app(), { method: 'GET', path: `${project.delivery}/redirects${query}`, key });
const sources = async (query = ''): Promise<string[]> =>
  ((await list(query)).body.data as { source: string }[]).map(({ source }) => source);
const ask = (query: string, key = project.keys.delivery) =>
  send(app(), { method: 'POST', path: `/api/graphql/${project.slug}`, key, body: { query } });

describe('GET redirects of delivery', () => {
  it('returns active redirects of the site in the order in which they apply', async () => {
    await add('/zebra(.*)', '/z$1', { matchType: 'regex' });
    await add('/a', '/b', { matchType: 'prefix', status: 308 });
    await add('/a/long', '/c', { matchType: 'prefix' });
    await add('/apple(.*)', '/y$1', { matchType: 'regex' });
    await add('/z', '/b', { locale: 'de', status: 302, note: 'not public' });
    await add('/z', '/d', { queryMatch: 'pass' });
    await add('/off', '/b', { isActive: false });
    const other = await manage('POST', '/sites', { slug: 'other', name: 'Other' });
    await add('/elsewhere', '/b', { siteId: other.id });
    const { status, body, headers } = await list();
    expect([status, body.meta]).toEqual([200, { total: 6, page: 1, limit: 25, pages: 1 }]);
    expect(body.data).toEqual([
      { source: '/z', target: '/b', status: 302, matchType: 'exact', queryMatch: 'ignore', locale: 'de' },
      { source: '/z', target: '/d', status: 301, matchType: 'exact', queryMatch: 'pass', locale: null },
      {
        source: '/a/long',
        target: '/c',
        status: 301,
        matchType: 'prefix',
        queryMatch: 'ignore',
        locale: null,
      },
      { source: '/a', target: '/b', status: 308, matchType: 'prefix', queryMatch: 'ignore', locale: null },
      {
        source: '/zebra(.*)',
        target: '/z$1',
        status: 301,
        matchType: 'regex',
        queryMatch: 'ignore',
        locale: null,
      },
      {
        source: '/apple(.*)',
        target: '/y$1',
        status: 301,
        matchType: 'regex',
        queryMatch: 'ignore',
        locale: null,
      },
    ]);
    expect(headers['surrogate-key']).toBe(`site:main project:${project.slug}`);
    expect(headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=3600');
    expect(await sources('?locale=en')).toEqual(['/z', '/a/long', '/a', '/zebra(.*)', '/apple(.*)']);
    expect(await sources('?limit=2&page=2')).toEqual(['/a/long', '/a']);
  });

  it('returns 404 for an unknown site or locale, and 422 for an invalid page', async () => {
    const outcome = async (query: string) => {
      const { status, body } = await list(query);
      return [status, body.error];
    };
    expect(await outcome('?locale=fr')).toEqual([404, 'locale_not_found']);
    expect(await outcome('?page=0')).toEqual([422, 'validation_failed']);
    const path = `${project.delivery.replace('/main', '/none')}/redirects`;
    const { status, body } = await send(app(), { method: 'GET', path });
    expect([status, body.error]).toEqual([404, 'site_not_found']);
  });

  it('is served from memory until a redirect changes, and counts no hits', async () => {
    const { id } = await add('/old', '/new');
    await list();
    const { statements } = await app().recordStatements(() => list());
    expect(statements).toEqual([]);
    await manage('PUT', `/redirects/${id}`, { target: '/newer' });
    expect((await list()).body.data).toMatchObject([{ target: '/newer' }]);
    await manage('PUT', `/redirects/${id}`, { isActive: false });
    expect(await sources()).toEqual([]);
    const [row] = await app().rows<{ hits: number }>(
      project.tenantId,
      'SELECT hit_count AS hits FROM redirects WHERE id = $1',
      [id],
    );
    expect(row?.hits).toBe(0);
  });

  it('includes the redirect of a moved page', async () => {
    await createPageType(app(), project);
    const page = await createLivePage(app(), project, { slug: 'before' });
    expect(await sources()).toEqual([]);
    await manage('PUT', `/entries/${page.id}`, { version: 1, slug: 'after' });
    await manage('POST', `/entries/${page.id}/publish`, {});
    expect((await list()).body.data).toEqual([
      {
        source: '/before',
        target: '/after',
        status: 301,
        matchType: 'exact',
        queryMatch: 'ignore',
        locale: 'en',
      },
    ]);
  });

  it('is not stored for preview keys', async () => {
    await add('/old', '/new');
    const { body, headers } = await list('', project.keys.preview);
    expect([body.data.length, headers['cache-control']]).toEqual([1, 'private, no-store']);
  });
});

describe('redirects in GraphQL', () => {
  it('is a page of the same redirects', async () => {
    for (const source of ['/a', '/b', '/c']) await add(source, '/d');
    const selection = 'total skip limit items { source target status matchType queryMatch locale }';
    const { body } = await ask(`{ redirects(site: "main", limit: 1, skip: 1) { ${selection} } }`);
    expect(body.data.redirects).toEqual({
      total: 3,
      skip: 1,
      limit: 1,
      items: [
        { source: '/b', target: '/d', status: 301, matchType: 'exact', queryMatch: 'ignore', locale: null },
      ],
    });
    await add('/only-de', '/d', { locale: 'de' });
    const again = await ask('{ redirects(site: "main", locale: "en") { total } }');
    expect(again.body.data.redirects).toEqual({ total: 3 });
  });

  it('fails for an unknown site or locale', async () => {
    const code = async (given: string) =>
      (await ask(`{ redirects(${given}) { total } }`)).body.errors[0].extensions.code;
    expect(await code('site: "none"')).toBe('site_not_found');
    expect(await code('site: "main", locale: "fr"')).toBe('locale_not_found');
  });
});
