import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTRPCClient, httpLink } from '@trpc/client';
import type { AppRouter } from '../../src/procedures/index.js';
import { send } from '../support/call.js';
import { openDesk, useApp, type Desk } from '../support/desk.js';
import { createEntry, publish, type TestEntry } from '../support/factories/content.js';
import { card, createLandingTypes, landing } from '../support/factories/landing-blocks.js';
import { verifies } from '../support/verifies.js';

const app = useApp();
let desk: Desk;
let page: TestEntry;

const author = { fields: { name: 'Ada' } };
const unread = { _ref: expect.any(String), _type: 'author' };
const inPage = (withAuthors: boolean) => [
  {
    fields: {
      heading: 'Outer',
      author: withAuthors ? author : unread,
      cards: [{ fields: { heading: 'Middle', cards: [{ fields: { heading: 'Inner', author: unread } }] } }],
    },
  },
];

beforeAll(async () => {
  desk = await openDesk(app());
  await createLandingTypes(desk);
  await desk.put('/content-types/landing', { isPage: true });
  const contentTypeApiName = 'author';
  const { id } = await createEntry(app(), desk.project, { contentTypeApiName, fields: author.fields });
  await publish(app(), desk.project, id);
  const link = { _ref: id };
  const middle = card('Middle', { cards: [card('Inner', { author: link })] });
  const sections = [card('Outer', { author: link, cards: [middle] })];
  page = await landing(desk, { title: 'Page', sections });
  await publish(app(), desk.project, page.id);
});

const read = async (path: string, key = desk.project.keys.delivery) => {
  const response = await send(app(), { method: 'GET', path: `${desk.project.delivery}${path}`, key });
  expect(response.status).toBe(200);
  return response.body.data as unknown;
};

describe('With blocks=all', () => {
  verifies('delivery/own-blocks');

  it('own blocks are expanded on every level, and references by hops', async () => {
    const bare = await read(`/entries/${page.id}?blocks=all`);
    expect(bare).toMatchObject({ fields: { sections: inPage(false) } });
    expect(bare).not.toHaveProperty('fields.sections.0.fields.author.fields');
    const one = await read(`/entries/${page.id}?blocks=all&include=1`);
    const inner = { heading: 'Inner', author };
    const cards = [{ fields: { heading: 'Middle', cards: [{ fields: inner }] } }];
    expect(one).toMatchObject({ fields: { sections: [{ fields: { author, cards } }] } });
  });

  it('they are in lists, routes, searches and previews alike', async () => {
    const sections = inPage(false);
    const listed = await read('/content/landing?blocks=all&fields=sections');
    expect(listed).toMatchObject([{ _id: page.id, fields: { sections } }]);
    const route = await read(`/routes?path=/${page.slug}&blocks=all`);
    expect(route).toMatchObject({ kind: 'entry', entry: { _id: page.id, fields: { sections } } });
    const found = await read('/search?contentTypeApiName=landing&blocks=all');
    expect(found).toMatchObject([{ entry: { _id: page.id, fields: { sections } } }]);
    const draft = await read(`/entries/${page.id}?blocks=all`, desk.project.keys.preview);
    expect(draft).toMatchObject({ fields: { sections } });
  });

  it('every surface returns the same entry', async () => {
    const { slug: projectSlug, keys } = desk.project;
    const headers = { authorization: `Bearer ${keys.delivery}` };
    const client = createTRPCClient<AppRouter>({
      links: [httpLink({ url: `${app().baseUrl}/api/trpc`, headers })],
    });
    for (const include of [0, 1, 3]) {
      const id = page.id;
      const input = { projectSlug, siteSlug: 'main', id, include, blocks: 'all', paths: true } as const;
      const { data } = await client.delivery.getEntry.query(input);
      expect(data).toEqual(
        await read(`/entries/${page.id}?blocks=all&paths=true&include=${String(include)}`),
      );
    }
  });
});
