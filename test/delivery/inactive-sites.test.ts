import { beforeEach, describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp, type Desk } from '../support/desk.js';
import { createEntry, publish } from '../support/factories/content.js';
import { createLivePage, createPageType } from '../support/factories/tree.js';
import { verifies } from '../support/verifies.js';

const app = useApp();
let desk: Desk;
/** Of the site that becomes inactive. */
let hidden: { id: string; slug: string };
/** On the other site; refers to the hidden one. */
let referring: string;

beforeEach(async () => {
  desk = await openDesk(app());
  await createPageType(app(), desk.project);
  const made = await desk.post('/sites', { slug: 'other', name: 'Other' });
  const { id: siteId } = (made.body as { data: { id: string } }).data;
  hidden = await createLivePage(app(), desk.project, { slug: 'hidden' });
  const author = await createEntry(app(), desk.project, {
    contentTypeApiName: 'author',
    fields: { name: 'Ada' },
  });
  await publish(app(), desk.project, author.id);
  const article = {
    contentTypeApiName: 'article',
    fields: { title: 'A', author: { _ref: author.id } },
    siteId,
  };
  referring = (await createEntry(app(), desk.project, article)).id;
  await publish(app(), desk.project, referring);
});

const setActive = async (isActive: boolean) => {
  expect((await desk.put('/sites/main', { isActive })).status).toBe(200);
};

const read = (path: string, key?: string) => {
  const call = app().request.get(`/api/delivery/projects/${desk.project.slug}/sites/${path}`);
  return key === undefined ? call : call.set('Authorization', `Bearer ${key}`);
};

const ask = async (query: string, key: string) => {
  const { body } = await app()
    .request.post(`/api/graphql/${desk.project.slug}`)
    .set('Authorization', `Bearer ${key}`)
    .send({ query });
  return body as { data: unknown; errors?: { extensions: { code: string } }[] };
};

describe('A site with isActive false', () => {
  verifies('content/settings-effective');

  it('is 404 to anonymous callers and delivery keys at once, and returns with isActive true', async () => {
    const { keys } = desk.project;
    const paths = () => [
      `main/entries/${hidden.id}`,
      'main/content/page',
      'main/routes?path=/hidden',
      'main/sitemap',
    ];
    const statuses = async (key?: string) => {
      const answers = [];
      for (const path of paths()) answers.push(outcome(await read(path, key)));
      return answers;
    };
    const shown = paths().map(() => [200, undefined]);
    // The second time from memory.
    for (const key of [undefined, keys.delivery, undefined]) expect(await statuses(key)).toEqual(shown);
    await setActive(false);
    for (const key of [undefined, keys.delivery, undefined])
      expect(await statuses(key)).toEqual(paths().map(() => [404, 'site_not_found']));
    for (const key of [keys.preview, keys.management]) expect(await statuses(key)).toEqual(shown);
    await setActive(true);
    expect(await statuses()).toEqual(shown);
  });

  it('hides its entries from references of other sites', async () => {
    const path = `other/entries/${referring}?include=1`;
    expect((await read(path)).body.data.fields.author.fields).toEqual({ name: 'Ada' });
    await setActive(false);
    expect((await read(path)).body.data.fields.author).toEqual({ _ref: expect.any(String), _type: 'author' });
    const drafts = await read(path, desk.project.keys.preview);
    expect(drafts.body.data.fields.author.fields).toEqual({ name: 'Ada' });
  });

  it('is hidden from delivery keys in GraphQL, and shown to preview keys', async () => {
    const { keys } = desk.project;
    const query = `{ entry(id: "${hidden.id}") { _id } pageCollection { total }
      english: pageCollection(locale: "en") { total }
      articleCollection { total items { author { name } } } }`;
    const shown = {
      entry: { _id: hidden.id },
      pageCollection: { total: 1 },
      english: { total: 1 },
      articleCollection: { total: 1, items: [{ author: { name: 'Ada' } }] },
    };
    expect((await ask(query, keys.delivery)).data).toEqual(shown);
    await setActive(false);
    expect((await ask(query, keys.delivery)).data).toEqual({
      entry: null,
      pageCollection: { total: 0 },
      english: { total: 0 },
      articleCollection: { total: 1, items: [{ author: null }] },
    });
    const rooted = `{ pageCollection(site: "main") { total } }`;
    expect((await ask(rooted, keys.delivery)).errors?.[0]?.extensions.code).toBe('site_not_found');
    expect((await ask(rooted, keys.preview)).data).toEqual({ pageCollection: { total: 1 } });
    expect((await ask(query, keys.preview)).data).toEqual(shown);
  });
});
