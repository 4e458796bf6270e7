import { beforeEach, describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { useApp } from '../../support/desk.js';
import { publish } from '../../support/factories/content.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import { createLivePage, createPage, createPageType } from '../../support/factories/tree.js';
import { verifies } from '../../support/verifies.js';

verifies('routing/path-style');

const app = useApp();
let project: TestProject;

beforeEach(async () => {
  project = await createProject(app(), { locales: ['en', 'de', { code: 'fr', fallbackCode: 'en' }] });
  await createPageType(app(), project);
});

const manage = (method: 'GET' | 'PUT' | 'POST', path: string, body?: object) =>
  send(app(), { method, path: `${project.management}${path}`, key: project.keys.management, body });
const settle = async (body: object) => (await manage('PUT', '/sites/main', body)).body.meta as object;
const at = async (path: string): Promise<string> => {
  const url = `${project.delivery}/routes?path=${encodeURIComponent(path)}`;
  const { body } = await send(app(), { method: 'GET', path: url });
  if (body.data?.kind === 'redirect') return `${String(body.data.status)} ${String(body.data.target)}`;
  return (body.data?.entry?.fields.title as string | undefined) ?? String(body.error);
};
async function translate(id: string, locale: string, slug: string): Promise<void> {
  const { version } = (await manage('GET', `/entries/${id}`)).body.data as { version: number };
  await manage('PUT', `/entries/${id}`, { version, locale, slug, fields: { title: slug } });
  await publish(app(), project, id, locale);
}

describe('A change of the path style of a site', () => {
  it('redirects the old path also where the request names the locale, on REST and GraphQL', async () => {
    const about = await createLivePage(app(), project, { slug: 'about' });
    await translate(about.id, 'de', 'ueber');
    await settle({ localePathStrategy: 'prefix' });
    const inGerman = async (path: string) => {
      const query = new URLSearchParams({ path, locale: 'de' });
      const { body } = await send(app(), {
        method: 'GET',
        path: `${project.delivery}/routes?${query.toString()}`,
      });
      return (body.data?.target ?? body.data?.entry?.fields.title ?? body.error) as string;
    };
    expect(await inGerman('/ueber')).toBe('/de/ueber');
    expect(await inGerman('/de/ueber')).toBe('ueber');
    const later = await createLivePage(app(), project, { slug: 'later' });
    await translate(later.id, 'de', 'spaeter');
    expect(await inGerman('/spaeter')).toBe('spaeter');
    const graphql = await app()
      .request.post(`/api/graphql/${project.slug}`)
      .set('Authorization', `Bearer ${project.keys.delivery}`)
      .send({
        query: '{ resolveRoute(site: "main", path: "/ueber", locale: "de") { target } }',
      });
    expect(graphql.text).toContain('/de/ueber');
  });

  it('redirects every served path to the new one, and back again without loops', async () => {
    const about = await createLivePage(app(), project, { slug: 'about' });
    const team = await createLivePage(app(), project, { slug: 'team', treeParentId: about.treeNodeId });
    await translate(about.id, 'de', 'ueber');
    await translate(team.id, 'de', 'mannschaft');
    await createPage(app(), project, { slug: 'draft' });
    await manage('POST', '/redirects', {
      siteId: project.siteId,
      source: '/ueber/mannschaft',
      target: '/about',
    });
    expect(await settle({ localePathStrategy: 'prefix' })).toEqual({ redirectsCreated: 1 });
    expect([
      await at('/ueber'),
      await at('/de/ueber'),
      await at('/about'),
      await at('/fr/about/team'),
    ]).toEqual(['301 /de/ueber', 'ueber', 'Page about', 'Page team']);
    expect(await at('/ueber/mannschaft')).toBe('301 /about');
    const warnings = [{ path: ['localePathStrategy'], code: 'ambiguous_paths', message: expect.any(String) }];
    expect(await settle({ localePathStrategy: 'none' })).toEqual({ warnings, redirectsCreated: 4 });
    expect([await at('/de/ueber/mannschaft'), await at('/fr/about'), await at('/about')]).toEqual([
      '301 /about',
      '301 /about',
      'Page about',
    ]);
    expect(await settle({ localePathStrategy: 'prefix' })).toEqual({ redirectsCreated: 1 });
    expect([await at('/de/ueber'), await at('/ueber'), await at('/fr/about')]).toEqual([
      'ueber',
      '301 /de/ueber',
      'Page about',
    ]);
  });

  it('follows the default locale of a site with prefixes', async () => {
    await settle({ localePathStrategy: 'prefix' });
    const about = await createLivePage(app(), project, { slug: 'about' });
    await translate(about.id, 'de', 'ueber');
    expect(await settle({ defaultLocale: 'de' })).toEqual({ redirectsCreated: 2 });
    expect([await at('/about'), await at('/de/ueber'), await at('/ueber'), await at('/en/about')]).toEqual([
      '301 /en/about',
      '301 /ueber',
      'ueber',
      'Page about',
    ]);
  });

  it('takes as many statements for thirty pages as for one', async () => {
    const counts: number[] = [];
    for (const pages of [1, 29]) {
      for (let n = 0; n < pages; n += 1) {
        const { id } = await createLivePage(app(), project, {
          slug: `p${String(counts.length)}-${String(n)}`,
        });
        await translate(id, 'de', `s${String(counts.length)}-${String(n)}`);
      }
      const strategy = counts.length === 0 ? 'prefix' : 'none';
      const { statements } = await app().recordStatements(() => settle({ localePathStrategy: strategy }));
      counts.push(statements.length);
    }
    expect(counts[1]).toBe(counts[0]);
    expect(await at('/de/s1-7')).toBe('301 /s1-7');
  });

  it('warns where paths do not say their locale, also when a site is created', async () => {
    const code = 'ambiguous_paths';
    const create = async (body: object) =>
      (await manage('POST', '/sites', { name: 'S', defaultLocale: 'en', ...body })).body.meta as unknown;
    expect(await create({ slug: 'a', locales: ['en', 'de'] })).toMatchObject({ warnings: [{ code }] });
    expect(await create({ slug: 'b', locales: ['en', 'de'], localePathStrategy: 'prefix' })).toBeUndefined();
    expect(await create({ slug: 'c', locales: ['en'] })).toBeUndefined();
    expect(await settle({ name: 'Renamed' })).toMatchObject({ warnings: [{ code }] });
  });
});
