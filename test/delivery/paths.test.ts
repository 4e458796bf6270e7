import { beforeEach, describe, expect, it } from '@jest/globals';
import { must, send } from '../support/call.js';
import { useApp } from '../support/desk.js';
import { createArticleTypes, createEntry, createType, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { createFolder, onTree } from '../support/factories/tree.js';
import { platform } from '../support/platform.js';
import { verifies } from '../support/verifies.js';

verifies('delivery/paths', 'delivery/paths-by-fallback');

const app = useApp();
let project: TestProject;

const locales = ['en', { code: 'de', fallbackCode: 'en' }, { code: 'de-CH', fallbackCode: 'de' }, 'fr'];

beforeEach(async () => {
  project = await createProject(app(), { locales });
  await createType(app(), project, {
    apiName: 'page',
    isPage: true,
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'related', type: 'reference', isList: true },
    ],
  });
});

interface Page {
  readonly id: string;
  readonly treeNodeId: string;
}
type Slugs = Readonly<Record<string, string>>;

/** A page below a parent, published in the locales of its slugs. */
const below = ({ treeNodeId }: Page): object => ({ treeParentId: treeNodeId });

async function page({ en = '', ...others }: Slugs, parent?: Page, fields: object = {}): Promise<Page> {
  const body = { contentTypeApiName: 'page', slug: en, fields: { title: en, ...fields } };
  const made = await createEntry(app(), project, { ...body, ...(parent && below(parent)) });
  await publish(app(), project, made.id);
  for (const [locale, slug] of Object.entries(others)) await translate(made.id, locale, slug);
  return made as unknown as Page;
}
const manage = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object) =>
  send(app(), { method, path: `${project.management}${path}`, key: project.keys.management, body });
async function draft(id: string, locale: string, slug: string): Promise<void> {
  const { body } = await manage('GET', `/entries/${id}`);
  const { version } = body.data as { version: number };
  await must(app(), {
    method: 'PUT',
    path: `${project.management}/entries/${id}`,
    key: project.keys.management,
    body: { version, locale, slug, fields: { title: slug } },
  });
}
async function translate(id: string, locale: string, slug: string): Promise<void> {
  await draft(id, locale, slug);
  await publish(app(), project, id, locale);
}
interface Answer {
  readonly _path?: string | null;
  readonly fields: unknown;
  readonly entry?: { readonly _id: string; readonly _locale: string };
  readonly status: number;
  readonly target: string;
}
const read = async (path: string, key?: string) => {
  const { body } = await send(app(), { method: 'GET', path: `${project.delivery}${path}`, key });
  return body as { data: Answer };
};
const pathOf = async ({ id }: Page, locale: string, key?: string) =>
  ((await read(`/entries/${id}?paths=true&locale=${locale}`, key)).data as Answer | undefined)?._path;
/** `id locale` of the page at a path, the target of its redirect, or undefined. */
const at = async (path: string, locale?: string, key?: string): Promise<string | undefined> => {
  const query = new URLSearchParams({ path, ...(locale !== undefined && { locale }) }).toString();
  const { data } = (await read(`/routes?${query}`, key)) as { data?: Answer };
  if (data?.entry !== undefined) return `${data.entry._id} ${data.entry._locale}`;
  return data === undefined ? undefined : `${String(data.status)} ${String(data.target)}`;
};

describe('paths=true', () => {
  it('adds _path to every entry of a response, expanded ones included, and only then', async () => {
    await createArticleTypes(app(), project);
    const article = await createEntry(app(), project, {
      contentTypeApiName: 'article',
      fields: { title: 'A' },
    });
    await publish(app(), project, article.id);
    const about = await page({ en: 'about' });
    const related = [{ _ref: about.id }, { _ref: article.id }];
    const team = await page({ en: 'team' }, about, { related });
    const expected = {
      _path: '/about/team',
      fields: { related: [{ _path: '/about' }, { _path: null }] },
    };
    expect((await read(`/entries/${team.id}?paths=true&include=1`)).data).toMatchObject(expected);
    expect((await read('/routes?path=/about/team&paths=true&include=1')).data.entry).toMatchObject(expected);
    expect((await read('/routes?path=/about/team&paths=true')).data.entry).toMatchObject({
      _path: '/about/team',
      fields: { related: [{ _ref: about.id, _type: 'page' }, { _ref: article.id }] },
    });
    const list = await read('/content/page?paths=true&include=1&orderBy=createdAt:asc');
    expect(list.data).toMatchObject([{ _path: '/about' }, expected]);
    for (const path of [
      `/entries/${team.id}?include=1`,
      '/routes?path=/about/team&paths=false',
      '/content/page?include=1',
    ])
      expect(JSON.stringify(await read(path))).not.toContain('_path');
  });

  it('adds the prefix of the requested locale, and the path on its own site to an entry of another', async () => {
    await manage('PUT', '/sites/main', { localePathStrategy: 'prefix' });
    const about = await page({ en: 'about', de: 'ueber' });
    expect([await pathOf(about, 'en'), await pathOf(about, 'de'), await pathOf(about, 'de-CH')]).toEqual([
      '/about',
      '/de/ueber',
      '/de-CH/ueber',
    ]);
    await manage('PUT', '/sites/main', { homeEntryId: about.id });
    expect([await pathOf(about, 'en'), await pathOf(about, 'de')]).toEqual(['/', '/de']);
    const { body } = await manage('POST', '/sites', { slug: 'other', name: 'Other', defaultLocale: 'en' });
    const far = await createEntry(app(), project, {
      contentTypeApiName: 'page',
      siteId: body.data.id as string,
      slug: 'far',
      fields: { title: 'Far' },
    });
    await publish(app(), project, far.id);
    const near = await page({ en: 'near' }, undefined, { related: [{ _ref: far.id }] });
    const { fields } = (await read(`/entries/${near.id}?paths=true&include=1`)).data;
    expect(fields).toMatchObject({ related: [{ _id: far.id, _path: '/far' }] });
  });

  it('reads the paths of 1, 25 and 100 entries and their references in one statement', async () => {
    const shared = await page({ en: 'shared' });
    const entryIds: string[] = [];
    for (let n = 0; n < 100; n += 1) {
      const fields = { title: `P${String(n)}`, related: [{ _ref: shared.id }] };
      entryIds.push((await createEntry(app(), project, { contentTypeApiName: 'page', fields })).id);
    }
    await manage('POST', '/entries/bulk', { action: 'publish', entryIds, params: {} });
    for (const limit of [1, 25, 100]) {
      const query = `/content/page?include=1&orderBy=createdAt:desc&limit=${String(limit)}`;
      const { result, statements } = await app().recordStatements(() => read(`${query}&paths=true`));
      expect(result.data).toHaveLength(limit);
      expect(JSON.stringify(result).match(/"_path":"/g)).toHaveLength(2 * limit);
      expect(statements.filter((sql) => sql.includes('served_path'))).toHaveLength(1);
      const without = await app().recordStatements(() => read(query));
      expect(without.statements.filter((sql) => sql.includes('routes'))).toEqual([]);
      expect(statements).toHaveLength(without.statements.length + 1);
    }
  });

  it('purges cached paths when an entry or one above it moves, is renamed, placed or removed', async () => {
    const [a, folder] = [await page({ en: 'a' }), await createFolder(app(), project, { slug: 'f' })];
    const b = await page({ en: 'b' }, a);
    const c = await page({ en: 'c' }, undefined, { related: [{ _ref: b.id }] });
    const seen = async () => {
      const { fields } = (await read(`/entries/${c.id}?paths=true&include=1`)).data;
      const list = (await read('/content/page?paths=true')).data as unknown as {
        _id: string;
        _path: string;
      }[];
      const listed = list.find(({ _id }) => _id === b.id)?._path;
      const [expanded] = (fields as { related: { _path: string | null }[] }).related;
      return [await pathOf(b, 'en'), listed, expanded?._path];
    };
    const everywhere = (path: string | null) => [path, path, path];
    expect(await seen()).toEqual(everywhere('/a/b'));
    const move = (node: string, parentId: string | null) =>
      onTree(app(), project, { method: 'POST', path: `/nodes/${node}/move`, body: { parentId } });
    await move(a.treeNodeId, folder.id);
    expect(await seen()).toEqual(everywhere('/f/a/b'));
    await onTree(app(), project, { method: 'PUT', path: `/nodes/${folder.id}`, body: { slug: 'g' } });
    expect(await seen()).toEqual(everywhere('/g/a/b'));
    await translate(b.id, 'en', 'b2');
    expect(await seen()).toEqual(everywhere('/g/a/b2'));
    await onTree(app(), project, { method: 'DELETE', path: `/nodes/${b.treeNodeId}` });
    expect(await seen()).toEqual(everywhere(null));
    const body = { siteId: project.siteId, entryId: b.id };
    await onTree(app(), project, { method: 'POST', path: '/nodes', body });
    expect(await seen()).toEqual(everywhere('/b2'));
  });

  it('shows the paths of drafts to preview keys only, and each of them resolves', async () => {
    const about = await page({ en: 'about' });
    await draft(about.id, 'fr', 'a-propos');
    const made = await createEntry(app(), project, {
      contentTypeApiName: 'page',
      slug: 'new',
      ...below(about),
    });
    const { preview } = project.keys;
    const fresh = made as unknown as Page;
    for (const [of, locale, path] of [
      [fresh, 'en', '/about/new'],
      [fresh, 'de', '/about/new'],
      [about, 'fr', '/a-propos'],
      [about, 'de', '/about'],
    ] as const) {
      expect([locale, await pathOf(of, locale, preview)]).toEqual([locale, path]);
      expect(await at(path, locale, preview)).toMatch(of.id);
    }
    expect(await at('/a-propos', 'fr')).toBeUndefined();
  });
});

describe('The path of a page that a locale shows by fallback', () => {
  it('is made of the own slugs of the locale and those of the fallback; the older form redirects to it', async () => {
    const about = await page({ en: 'about', de: 'ueber' });
    const team = await page({ en: 'team' }, about);
    const ada = await page({ en: 'ada' }, team);
    expect([await pathOf(ada, 'en'), await pathOf(ada, 'de'), await pathOf(ada, 'de-CH')]).toEqual([
      '/about/team/ada',
      '/ueber/team/ada',
      '/ueber/team/ada',
    ]);
    expect(await pathOf(about, 'de-CH')).toBe('/ueber');
    for (const locale of ['de', 'de-CH']) {
      expect(await at('/ueber/team/ada', locale)).toBe(`${ada.id} en`);
      expect(await at('/about/team/ada', locale)).toBe('301 /ueber/team/ada');
      expect(await at('/about/team', locale)).toBe('301 /ueber/team');
    }
    expect(await at('/ueber', 'de-CH')).toBe(`${about.id} de`);
    expect(await at('/about', 'de-CH')).toBe('301 /ueber');
    expect([await pathOf(about, 'fr'), await at('/about', 'fr')]).toEqual([undefined, undefined]);
    await manage('PUT', '/sites/main', { localePathStrategy: 'prefix' });
    expect(await at('/de/ueber/team')).toBe(`${team.id} en`);
    expect(await at('/de/about/team')).toBe('301 /de/ueber/team');
    const body = { siteId: project.siteId, source: '/de/mannschaft', target: '/de/about/team', status: 302 };
    await manage('POST', '/redirects', body);
    expect(await at('/de/mannschaft')).toBe('302 /de/ueber/team');
  });

  it('follows publishing, unpublishing and renaming, and is purged with them', async () => {
    const about = await page({ en: 'about' });
    const team = await page({ en: 'team' }, about);
    const seen = async () => [
      await pathOf(team, 'de'),
      await at('/about/team', 'de'),
      await at('/ueber/team', 'de'),
    ];
    const [english, german] = [`${team.id} en`, `${team.id} de`];
    expect(await seen()).toEqual(['/about/team', english, undefined]);
    await translate(about.id, 'de', 'ueber');
    expect(await seen()).toEqual(['/ueber/team', '301 /ueber/team', english]);
    await translate(team.id, 'de', 'team');
    expect(await seen()).toEqual(['/ueber/team', '301 /ueber/team', german]);
    await manage('POST', `/entries/${team.id}/unpublish`, { locale: 'de' });
    expect(await seen()).toEqual(['/ueber/team', '301 /ueber/team', english]);
    await translate(team.id, 'en', 'crew');
    expect(await seen()).toEqual(['/ueber/crew', '301 /ueber/crew', '301 /ueber/crew']);
    await manage('POST', `/entries/${team.id}/unpublish`, {});
    expect(await seen()).toEqual([undefined, '301 /ueber/crew', '301 /ueber/crew']);
  });

  it('never shows the slug of a draft', async () => {
    const about = await page({ en: 'about' });
    await draft(about.id, 'de', 'geheim');
    expect([await pathOf(about, 'de'), await at('/geheim', 'de')]).toEqual(['/about', undefined]);
    expect(await at('/about', 'de')).toBe(`${about.id} en`);
  });

  it('is null while another page has it as its own, which both responses follow', async () => {
    const about = await page({ en: 'about', de: 'ueber' });
    const team = await page({ en: 'team' }, about);
    expect(await pathOf(team, 'de')).toBe('/ueber/team');
    const other = await page({ en: 'other' }, about);
    await translate(other.id, 'de', 'team');
    expect([await pathOf(team, 'de'), await at('/ueber/team', 'de')]).toEqual([null, `${other.id} de`]);
    expect(await at('/about/team', 'de')).toBe(`${team.id} en`);
    await manage('POST', `/entries/${other.id}/unpublish`, { locale: 'de' });
    expect([await pathOf(team, 'de'), await at('/ueber/team', 'de')]).toEqual([
      '/ueber/team',
      `${team.id} en`,
    ]);
    expect(await at('/about/team', 'de')).toBe('301 /ueber/team');
  });

  it('changes with the fallbacks of the tenant', async () => {
    const about = await page({ en: 'about', fr: 'a-propos' });
    const team = await page({ en: 'team', fr: 'equipe' }, about);
    expect(await pathOf(team, 'de')).toBe('/about/team');
    const changed = [...locales.slice(0, 1), { code: 'de', fallbackCode: 'fr' }, ...locales.slice(2)];
    const { status } = await platform(app(), `PUT /tenants/${project.tenantSlug}`, { locales: changed });
    expect([status, await pathOf(team, 'de'), await at('/a-propos/equipe', 'de')]).toEqual([
      200,
      '/a-propos/equipe',
      `${team.id} fr`,
    ]);
  });

  it('is not in the sitemap unless asked for, which lists real translations only', async () => {
    const about = await page({ en: 'about' });
    const { data } = await read('/sitemap?format=json');
    expect(data).toMatchObject([{ entryId: about.id, locale: 'en', alternates: [{ hreflang: 'en' }, {}] }]);
  });
});
