import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDesk, useApp, type Desk } from '../support/desk.js';
import { createEntry, publish } from '../support/factories/content.js';
import { createLivePage, createPageType } from '../support/factories/tree.js';
import { verifies } from '../support/verifies.js';

const app = useApp();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app(), { locales: ['en', 'de', { code: 'fr', fallbackCode: 'en' }] });
  await createPageType(app(), desk.project);
});

/** An article that is published as `Live` and has the draft `Draft`. */
async function changedArticle(): Promise<string> {
  const { id } = await createEntry(app(), desk.project, {
    contentTypeApiName: 'article',
    fields: { title: 'Live' },
  });
  await publish(app(), desk.project, id);
  await desk.put(`/entries/${id}`, { version: 1, fields: { title: 'Draft' } });
  return id;
}

async function tokenOf(id: string, body: object = {}): Promise<string> {
  return ((await desk.post(`/entries/${id}/preview`, body)).body as { data: { token: string } }).data.token;
}

interface Sent {
  readonly header?: string;
  readonly extension?: unknown;
  readonly key?: string;
}

async function ask(query: string, { header, extension, key = desk.project.keys.delivery }: Sent = {}) {
  let call = app().request.post(`/api/graphql/${desk.project.slug}`).set('Authorization', `Bearer ${key}`);
  if (header !== undefined) call = call.set('X-Preview-Token', header);
  return call.send({ query, ...(extension !== undefined && { extensions: { previewToken: extension } }) });
}

const titleOf = (id: string) => `{ entry(id: "${id}") { ... on Article { title } } }`;

describe('A GraphQL request with a preview token', () => {
  verifies('graphql/preview-tokens');

  it('shows the draft of its entry to a delivery key, by header or extension, and to no other key', async () => {
    const id = await changedArticle();
    const token = await tokenOf(id);
    const query = titleOf(id);
    // Stored for delivery keys.
    expect((await ask(query)).body.data).toEqual({ entry: { title: 'Live' } });
    for (const sent of [{ header: token }, { extension: token }]) {
      const { status, body, headers } = await ask(query, sent);
      expect([status, body.data]).toEqual([200, { entry: { title: 'Draft' } }]);
      expect(headers['cache-control']).toBe('private, no-store');
    }
    const { body, headers } = await ask(query);
    expect(body.data).toEqual({ entry: { title: 'Live' } });
    expect(headers.vary).toContain('X-Preview-Token');
  });

  it('shows other entries as they are published', async () => {
    const [id, other] = [await changedArticle(), await changedArticle()];
    const token = await tokenOf(id);
    const { body } = await ask(titleOf(other), { header: token });
    expect(body.data).toEqual({ entry: { title: 'Live' } });
    const draft = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'Never' },
    });
    expect((await ask(titleOf(draft.id), { header: token })).body.data).toEqual({ entry: null });
  });

  it('shows the draft in the locale of the token', async () => {
    const id = await changedArticle();
    await desk.put(`/entries/${id}`, { version: 2, locale: 'de', fields: { title: 'Entwurf' } });
    const header = await tokenOf(id, { locale: 'de' });
    expect((await ask(titleOf(id), { header })).body.data).toEqual({ entry: { title: 'Entwurf' } });
    const { slug } = (await desk.get(`/entries/${id}`)).body.data as { slug: string };
    const bySlug = (locale: string) =>
      `{ entryBySlug(slug: "${slug}", site: "main", locale: "${locale}") { ... on Article { title } } }`;
    expect((await ask(bySlug('en'), { header })).body.data).toEqual({ entryBySlug: { title: 'Live' } });
  });

  it('shows the draft of the fallback where the locale of the token has none', async () => {
    const id = await changedArticle();
    const header = await tokenOf(id, { locale: 'fr' });
    expect((await ask(titleOf(id), { header })).body.data).toEqual({ entry: { title: 'Draft' } });
  });

  it('finds the draft by its slug and by the path that it will have', async () => {
    const page = await createLivePage(app(), desk.project, { slug: `p${String(Date.now())}` });
    const slug = `q${String(Date.now())}`;
    await desk.put(`/entries/${page.id}`, { version: 1, slug, fields: { title: 'Moved' } });
    const header = await tokenOf(page.id);
    const query = `{ entryBySlug(slug: "${slug}", site: "main", locale: "en") { ... on Page { title } }
      resolveRoute(site: "main", locale: "en", path: "/${slug}") { kind entry { ... on Page { title } } } }`;
    expect((await ask(query)).body.data).toEqual({ entryBySlug: null, resolveRoute: null });
    expect((await ask(query, { header })).body.data).toEqual({
      entryBySlug: { title: 'Moved' },
      resolveRoute: { kind: 'entry', entry: { title: 'Moved' } },
    });
  });

  it('shows the version that the token pins', async () => {
    const id = await changedArticle();
    await desk.put(`/entries/${id}`, { version: 2, fields: { title: 'Newer' } });
    const header = await tokenOf(id, { versionNum: 2 });
    expect((await ask(titleOf(id), { header })).body.data).toEqual({ entry: { title: 'Draft' } });
  });

  it('is rejected with 403 for an invalid token or one of another project, before anything is read', async () => {
    const id = await changedArticle();
    const stranger = await openDesk(app());
    const foreign = await createEntry(app(), stranger.project, {
      contentTypeApiName: 'article',
      fields: { title: 'Foreign' },
    });
    const made = await stranger.post(`/entries/${foreign.id}/preview`);
    const { token } = (made.body as { data: { token: string } }).data;
    for (const header of ['', 'x', token]) {
      const { status, body } = await ask(titleOf(id), { header });
      expect([status, body.error, body.data]).toEqual([403, 'invalid_preview_token', undefined]);
    }
    const { status, body } = await ask(titleOf(id), { extension: 1 });
    expect([status, body.error]).toEqual([400, 'graphql_request_invalid']);
  });

  it('still needs a key', async () => {
    const id = await changedArticle();
    const call = app().request.post(`/api/graphql/${desk.project.slug}`);
    const { status } = await call.set('X-Preview-Token', await tokenOf(id)).send({ query: titleOf(id) });
    expect(status).toBe(401);
  });
});
