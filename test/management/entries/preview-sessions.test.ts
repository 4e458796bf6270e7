import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { must, send } from '../../support/call.js';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createLivePage, createPage, createPageType } from '../../support/factories/tree.js';
import { superAdmin, unique } from '../../support/factories/project.js';
import { createMember, createRole, memberPassword, type TestMember } from '../../support/members.js';
import { createPersonalKey } from '../../support/personal-keys.js';
import { verifies } from '../../support/verifies.js';
import { publish } from '../../support/factories/content.js';
import { editorRole } from '../workflows/definitions.js';
import { article, change, otherSite } from './history.js';

const app = useApp();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app());
  await createPageType(app(), desk.project);
});

interface Session {
  readonly url: string;
  readonly token: string;
  readonly expiresAt: string;
}

const create = (by: Desk, body: object = {}): Promise<Response> =>
  by.post('/preview-sessions', { siteId: by.project.siteId, ...body });
const sessionOf = async (by: Desk, body: object = {}): Promise<Session> =>
  (await create(by, body)).body.data as Session;

interface Sent {
  readonly query?: string;
  readonly header?: string;
  readonly cookie?: string;
  readonly key?: string;
}

function read(path: string, { query, header, cookie, key }: Sent, base = desk.project.delivery) {
  let call = app().request.get(`${base}/${path}`);
  if (query !== undefined) call = call.query({ previewToken: query });
  if (header !== undefined) call = call.set('X-Preview-Token', header);
  if (cookie !== undefined) call = call.set('Cookie', cookie);
  return key === undefined ? call : call.set('Authorization', `Bearer ${key}`);
}

/** The token in each place that delivery takes it from. */
const placesOf = (token: string): Sent[] => [
  { query: token },
  { header: token },
  { cookie: `theme=dark; headwater_preview=${token}; seen=1` },
  { header: token, key: desk.project.keys.delivery },
];

const editor = async (name = 'Ada'): Promise<TestMember> =>
  createMember(app(), desk.project, [await editorRole(desk)], name);

const titleOf = ({ body }: Response): unknown =>
  (body as { data?: { fields?: { title?: unknown } } }).data?.fields?.title;

describe('POST preview-sessions', () => {
  verifies('publication/preview-sessions');

  it('returns a token for an hour with a URL of the site, and leaves a record without the token', async () => {
    const own = await openDesk(app());
    const { status, body } = await create(own);
    const { url, token, expiresAt } = body.data as Session;
    expect(status).toBe(200);
    expect(url).toBe(`/preview/${own.project.slug}/main?locale=en&previewToken=${token}`);
    expect((Date.parse(expiresAt) - Date.now()) / 1000).toBeGreaterThan(3590);
    const previewUrlTemplate = 'https://p.example{path}?t={token}&l={locale}&s={slug}';
    await own.put('/sites/main', { previewUrlTemplate, localePathStrategy: 'prefix' });
    const german = await sessionOf(own, { locales: ['de', 'de'] });
    expect(german.url).toBe(`https://p.example/de?t=${german.token}&l=de&s=`);
    const records = (await own.get('/audit-events?action=site.preview')).body.data as { after: object }[];
    expect(records).toMatchObject([{ after: { locales: ['de'] } }, { after: { locales: null } }]);
    expect(JSON.stringify(records)).not.toContain(german.token);
  });

  it('returns the URL of the page of an entry in a locale, and refuses entries of other sites', async () => {
    const own = await openDesk(app());
    const { id } = await article(own, { title: 'Lock' }, { slug: 'lock' });
    const plain = await sessionOf(own, { entryId: id, locale: 'de' });
    const query = new URLSearchParams({ entry: id, locale: 'de', previewToken: plain.token });
    expect(plain.url).toBe(`/preview/${own.project.slug}/main?${query.toString()}`);
    await own.put('/sites/main', { previewUrlTemplate: 'https://p.example{path}?e={entryId}&l={locale}' });
    const { url } = await sessionOf(own, { entryId: id, locales: ['de'] });
    expect(url).toBe(`https://p.example/lock?e=${id}&l=de`);
    const siteId = await otherSite(own);
    expect(outcome(await create(own, { siteId, entryId: id }))).toEqual([404, 'entry_not_found']);
    const unseen = { entryId: id, locale: 'fr', locales: ['de'] };
    expect(outcome(await create(own, unseen))).toEqual([404, 'locale_not_found']);
  });

  it('is refused for unknown sites and locales, and to who may not read every entry of the site', async () => {
    const german = ['de', 'es'];
    expect(outcome(await create(desk, { locales: german }))).toEqual([404, 'locale_not_found']);
    expect(outcome(await create(desk, { locales: [] }))).toEqual([422, 'validation_failed']);
    const stranger = await openDesk(app());
    expect(outcome(await create(desk, { siteId: stranger.project.siteId }))).toEqual([404, 'site_not_found']);
    for (const scope of [{ contentTypes: ['article'] }, { ownOnly: true }]) {
      const role = await createRole(app(), desk.project, [{ resource: 'entries', action: 'read', scope }]);
      const limited = await createMember(app(), desk.project, [role]);
      expect(outcome(await create(desk.as(limited.token)))).toEqual([403, 'permission_denied']);
    }
  });

  it('is refused to a personal key, which it would outlive', async () => {
    const member = await editor();
    const { secret } = await createPersonalKey(app(), desk.project, member);
    expect(outcome(await create(desk.as(secret)))).toEqual([403, 'permission_denied']);
    expect((await create(desk.as(member.token))).status).toBe(200);
  });

  it('never outlives the key that makes it, and lasts an hour at most for who may only read', async () => {
    const expiresAt = new Date(Math.floor(Date.now() / 1000) * 1000 + 90_000).toISOString();
    const short = await desk.newKey({ type: 'management', expiresAt });
    expect((await sessionOf(desk.as(short.secret), { expiresIn: 7200 })).expiresAt).toBe(expiresAt);
    const reader = await desk.newKey({ type: 'management', permissions: ['read'] });
    const { expiresAt: end } = await sessionOf(desk.as(reader.secret), { expiresIn: 7200 });
    expect((Date.parse(end) - Date.now()) / 1000).toBeLessThanOrEqual(3600);
  });
});

describe('The token of a preview session', () => {
  verifies('publication/preview-sessions', 'publication/preview-session-ends');

  it('shows drafts by query, header and cookie, also beside a delivery key, and nothing is stored', async () => {
    const { id } = await article(desk, { title: 'Live' });
    await publish(app(), desk.project, id);
    await change(desk, id, { fields: { title: 'Draft' } });
    const draft = await article(desk, { title: `Only draft ${unique()}` });
    const { token } = await sessionOf(desk);
    expect(titleOf(await read(`entries/${id}`, {}))).toBe('Live');
    for (const sent of placesOf(token)) {
      const response = await read(`entries/${id}`, sent);
      expect([response.status, titleOf(response)]).toEqual([200, 'Draft']);
      expect(response.headers['cache-control']).toBe('private, no-store');
      expect(response.headers['x-robots-tag']).toBe('noindex');
      const listed = (await read('content/article?limit=100', sent)).body as { data: { _id: string }[] };
      expect(listed.data.map(({ _id }) => _id)).toContain(draft.id);
    }
    const { headers, body } = await read(`entries/${id}`, {});
    expect([titleOf({ body } as Response), headers['cache-control']]).toEqual([
      'Live',
      'public, max-age=60, stale-while-revalidate=3600',
    ]);
    expect(headers.vary).toContain('X-Preview-Token');
  });

  it('walks the pages of a site by route and tree, which sitemaps do not list', async () => {
    const slug = unique();
    await createLivePage(app(), desk.project, { slug: `${slug}-live` });
    const paths: string[] = [];
    for (let index = 0; index < 10; index += 1) {
      const page = await createPage(app(), desk.project, { slug: `${slug}-${String(index)}` });
      paths.push(`/${slug}-${String(index)}`);
      expect(page.treeNodeId).toEqual(expect.any(String));
    }
    const { token: query } = await sessionOf(desk);
    const tree = JSON.stringify((await read('tree', { query })).body);
    for (const path of [`/${slug}-live`, ...paths]) {
      const { status, body } = await read(`routes?path=${path}`, { query });
      expect([path, status, body]).toMatchObject([path, 200, { data: { kind: 'entry' } }]);
      expect(tree).toContain(`"path":"${path}"`);
    }
    const sitemap = await read('sitemap?format=json', { query });
    expect([sitemap.status, sitemap.headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect(JSON.stringify(sitemap.body)).toContain(`/${slug}-live`);
    for (const path of paths) expect(JSON.stringify(sitemap.body)).not.toContain(path);
  });

  it('is refused on another site or project, and in another locale than its own', async () => {
    const { id } = await article(desk, { title: 'English' });
    await change(desk, id, { locale: 'de', fields: { title: 'Deutsch' } });
    await otherSite(desk, { slug: 'elsewhere' });
    const stranger = await openDesk(app());
    const [{ token }, { token: german }] = [
      await sessionOf(desk),
      await sessionOf(desk, { locales: ['de'] }),
    ];
    const elsewhere = desk.project.delivery.replace(/main$/, 'elsewhere');
    for (const sent of placesOf(token))
      for (const base of [elsewhere, stranger.project.delivery, elsewhere.replace(/where$/, 'X')])
        for (const path of ['content/article', 'tree', 'redirects', 'sitemap', 'search'])
          expect(outcome(await read(path, sent, base))).toEqual([403, 'invalid_preview_token']);
    expect(titleOf(await read(`entries/${id}?locale=de`, { query: german }))).toBe('Deutsch');
    for (const path of [`entries/${id}?locale=en`, `entries/${id}`, 'content/article?locale=fr'])
      expect(outcome(await read(path, { query: german }))).toEqual([403, 'invalid_preview_token']);
  });

  it('shows entries of other sites as they are published', async () => {
    const siteId = await otherSite(desk, { slug: unique() });
    const other = await article(desk, { title: 'Live elsewhere' }, { siteId });
    await publish(app(), desk.project, other.id);
    await change(desk, other.id, { fields: { title: 'Draft elsewhere' } });
    const { token: header } = await sessionOf(desk);
    const query = `{ entry(id: "${other.id}") { ... on Article { title } } }`;
    const { body } = await graphql(query, { header });
    expect((body as { data: unknown }).data).toEqual({ entry: { title: 'Live elsewhere' } });
  });

  it('shows drafts in GraphQL by header, cookie and extension, without introspection', async () => {
    const { id } = await article(desk, { title: 'Draft' });
    const { token } = await sessionOf(desk);
    const query = `{ entry(id: "${id}") { ... on Article { title } } articleCollection(site: "main", limit: 1) { total } }`;
    const key = desk.project.keys.delivery;
    for (const sent of [
      { header: token },
      { cookie: `headwater_preview=${token}` },
      { extension: token, key },
    ]) {
      const { status, body, headers } = await graphql(query, sent);
      expect([status, body.errors, body.data?.entry]).toEqual([200, undefined, { title: 'Draft' }]);
      expect(headers['cache-control']).toBe('private, no-store');
    }
    expect((await graphql(query, { key })).body.data?.entry).toBeNull();
    expect((await graphql('{ __schema { types { name } } }', { header: token })).body.data).toBeUndefined();
    expect((await graphql(query, { header: `${token}x` })).status).toBe(403);
  });

  it('ends when the user who made it logs out, is suspended or may no longer read everything', async () => {
    const { id } = await article(desk, { title: 'Draft' });
    const path = `entries/${id}`;
    const made = async () => {
      const user = await editor();
      const credentials = { email: user.email, password: memberPassword };
      const login = await must<{ accessToken: string; refreshToken: string }>(app(), {
        method: 'POST',
        path: '/api/v1/auth/login',
        body: credentials,
      });
      const { token: header } = await sessionOf(desk.as(login.accessToken));
      expect((await read(path, { header })).status).toBe(200);
      return { user, refreshToken: login.refreshToken, header };
    };
    const [out, suspended, limited] = [await made(), await made(), await made()];
    const { refreshToken } = out;
    await must(app(), { method: 'POST', path: '/api/v1/auth/logout', body: { refreshToken } });
    const key = await superAdmin(app());
    const users = `${desk.project.management}/users`;
    const body = { status: 'suspended' };
    await must(app(), { method: 'PUT', path: `${users}/${suspended.user.id}`, key, body });
    const role = await createRole(app(), desk.project, [
      { resource: 'entries', action: 'read', scope: { contentTypes: ['author'] } },
    ]);
    const roleIds = [role];
    await must(app(), { method: 'PUT', path: `${users}/${limited.user.id}`, key, body: { roleIds } });
    for (const { header } of [out, suspended, limited])
      expect(outcome(await read(path, { header }))).toEqual([403, 'invalid_preview_token']);
  });

  it('ends when the key that made it is revoked', async () => {
    const { id } = await article(desk, { title: 'Draft' });
    const key = await desk.newKey({ type: 'management' });
    const { token: header } = await sessionOf(desk.as(key.secret));
    expect((await read(`entries/${id}`, { header })).status).toBe(200);
    await desk.delete(`/api-keys/${key.id}`);
    expect(outcome(await read(`entries/${id}`, { header }))).toEqual([403, 'invalid_preview_token']);
  });

  it('opens no management, and is refused where it is altered', async () => {
    const { id } = await article(desk, { title: 'Draft' });
    const { token } = await sessionOf(desk);
    expect((await desk.as(token).get(`/entries/${id}`)).status).toBe(401);
    for (const header of ['', 'x', token.slice(0, -3), `${token}.`, `${token.slice(0, -9)}AAAAAAAAA`])
      expect(outcome(await read(`entries/${id}`, { header }))).toEqual([403, 'invalid_preview_token']);
    const path = `${desk.project.delivery}/entries/${id}?previewToken=${token}&locale=de`;
    expect((await send(app(), { method: 'GET', path })).status).toBe(404);
  });
});

interface Asked extends Sent {
  readonly extension?: string;
}

function graphql(query: string, { header, cookie, extension, key }: Asked) {
  let call = app().request.post(`/api/graphql/${desk.project.slug}`);
  if (header !== undefined) call = call.set('X-Preview-Token', header);
  if (cookie !== undefined) call = call.set('Cookie', cookie);
  if (key !== undefined) call = call.set('Authorization', `Bearer ${key}`);
  const sent = call.send({
    query,
    ...(extension !== undefined && { extensions: { previewToken: extension } }),
  });
  return sent as unknown as Promise<{
    status: number;
    headers: Record<string, string>;
    body: { data?: Record<string, unknown>; errors?: unknown };
  }>;
}
