import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { expectConsistent } from '../support/consistency.js';
import { openDesk, outcome, useOwnApp, type Desk } from '../support/desk.js';
import { createEntry, publish, type TestEntry } from '../support/factories/content.js';
import { card, createLandingTypes, idsIn, landing } from '../support/factories/landing-blocks.js';
import { sessionWith } from '../support/members.js';
import { verifies } from '../support/verifies.js';

const app = useOwnApp();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app());
  await createLandingTypes(desk);
});

const read = (id: string, query = '') => app().request.get(`${desk.project.delivery}/entries/${id}${query}`);

const ask = async (id: string) => {
  const query = `{ entry(id: "${id}") { _id _slug _siteId _locale _publishedAt ... on Card { heading cards { _id } } } }`;
  const { project } = desk;
  const path = `/api/graphql/${project.slug}`;
  const { body } = await send(app(), { method: 'POST', path, key: project.keys.delivery, body: { query } });
  return (body as { data: { entry: unknown } }).data.entry;
};

const change = async ({ id }: TestEntry, body: object) => {
  const { version } = (await desk.get(`/entries/${id}`)).body.data as TestEntry;
  const changed = await desk.put(`/entries/${id}`, { version, ...body });
  expect(outcome(changed)).toEqual([200, undefined]);
};

/** A published page with a block that contains another. */
async function published(): Promise<{ owner: TestEntry; outer: string; inner: string }> {
  const author = await createEntry(app(), desk.project, {
    contentTypeApiName: 'author',
    fields: { name: 'Ada' },
  });
  await publish(app(), desk.project, author.id);
  const outer = card('Outer', { author: { _ref: author.id }, cards: [card('Inner', { tone: 'calm' })] });
  const owner = await landing(desk, { title: 'Page', sections: [outer] });
  await publish(app(), desk.project, owner.id);
  const [outerId = ''] = idsIn(owner);
  const [innerId = ''] = idsIn((owner.fields.sections as TestEntry[])[0] ?? owner, 'cards');
  return { owner, outer: outerId, inner: innerId };
}

describe('A block of a published entry', () => {
  verifies('delivery/own-blocks');

  it('stays public where it is shown while it is shared, with the blocks in it', async () => {
    const { owner, outer, inner } = await published();
    expect(outcome(await desk.post(`/entries/${owner.id}/blocks/${outer}/share`, {}))).toEqual([
      200,
      undefined,
    ]);
    const heading = async (id: string) => (await read(id)).body.data?.fields.heading as unknown;
    expect([await heading(outer), await heading(inner)]).toEqual(['Outer', 'Inner']);
    await expectConsistent(app(), desk.project);
    await desk.post(`/entries/${outer}/blocks/${inner}/share`, {});
    expect(await heading(inner)).toBe('Inner');
    await expectConsistent(app(), desk.project);
    await publish(app(), desk.project, owner.id);
    expect([await heading(outer), await heading(inner)]).toEqual([undefined, undefined]);
  });

  it('is delivered by its id, on every level, with the system keys of its entry', async () => {
    const { owner, outer, inner } = await published();
    const [{ _publishedAt: publishedAt }, { body }] = [
      ((await read(owner.id)).body as { data: { _publishedAt: string } }).data,
      await read(outer, '?include=0&paths=true'),
    ];
    expect(body.data).toEqual({
      _id: outer,
      _type: 'card',
      _slug: outer,
      _siteId: desk.project.siteId,
      _locale: 'en',
      _publishedAt: publishedAt,
      _path: null,
      fields: {
        heading: 'Outer',
        tone: null,
        author: { _ref: expect.any(String), _type: 'author' },
        cards: [{ _ref: inner, _type: 'card' }],
      },
    });
    const expanded = (await read(outer, '?include=1&paths=true')).body.data;
    expect(expanded.fields.author.fields).toEqual({ name: 'Ada' });
    expect(expanded.fields.cards).toMatchObject([
      { _id: inner, _slug: inner, _publishedAt: publishedAt, _path: null, fields: { tone: 'calm' } },
    ]);
    expect((await read(inner)).body.data).toMatchObject({ _id: inner, fields: { heading: 'Inner' } });
    expect(await ask(outer)).toEqual({
      _id: outer,
      _slug: outer,
      _siteId: desk.project.siteId,
      _locale: 'en',
      _publishedAt: publishedAt,
      heading: 'Outer',
      cards: [{ _id: inner }],
    });
  });

  it('has the locale that its entry is served in', async () => {
    const { owner, outer } = await published();
    const sections = [{ _ref: outer, fields: { heading: 'Außen' } }];
    await change(owner, { locale: 'de', fields: { title: 'Seite', sections } });
    expect((await read(outer, '?locale=de')).body.error).toBe('entry_not_found');
    await publish(app(), desk.project, owner.id, 'de');
    expect((await read(outer, '?locale=de')).body.data).toMatchObject({
      _locale: 'de',
      fields: { heading: 'Außen' },
    });
    expect((await read(outer)).body.data).toMatchObject({ _locale: 'en', fields: { heading: 'Outer' } });
  });

  it('names its entry in Surrogate-Key', async () => {
    const { owner, outer } = await published();
    const keys = String((await read(outer)).headers['surrogate-key']).split(' ');
    expect(keys).toContain(`entry:${owner.id}`);
    expect(keys).not.toContain(`entry:${outer}`);
  });

  it('is 404 before its publication, after a publication without it, an unpublish and a deletion', async () => {
    const owner = await landing(desk, { sections: [card('One'), card('Two'), card('Three')] });
    const [one = '', two = '', three = ''] = idsIn(owner);
    const found = async () =>
      Promise.all([one, two, three].map(async (id) => [(await read(id)).status, (await ask(id)) !== null]));
    const [live, absent] = [
      [200, true],
      [404, false],
    ];
    expect(await found()).toEqual([absent, absent, absent]);
    await publish(app(), desk.project, owner.id);
    expect(await found()).toEqual([live, live, live]);
    await change(owner, { fields: { sections: [{ _ref: one }, { _ref: three }] } });
    expect(await found()).toEqual([live, live, live]);
    await publish(app(), desk.project, owner.id);
    expect(await found()).toEqual([live, absent, live]);
    await desk.post(`/entries/${owner.id}/unpublish`, {});
    expect(await found()).toEqual([absent, absent, absent]);
    await publish(app(), desk.project, owner.id);
    expect(await found()).toEqual([live, absent, live]);
    await desk.delete(`/entries/${owner.id}`);
    expect(await found()).toEqual([absent, absent, absent]);
  });

  it('is read again after its entry was published anew', async () => {
    const { owner, outer } = await published();
    const heading = async () => (await read(outer)).body.data.fields.heading as string;
    expect(await heading()).toBe('Outer');
    await change(owner, { fields: { sections: [{ _ref: outer, fields: { heading: 'Changed' } }] } });
    await publish(app(), desk.project, owner.id);
    expect(await heading()).toBe('Changed');
    expect(await ask(outer)).toMatchObject({ heading: 'Changed' });
  });

  it('needs no statement beyond that of its entry where it is expanded', async () => {
    const plain = await landing(desk, { title: 'Plain' });
    await publish(app(), desk.project, plain.id);
    const owner = await landing(desk, { sections: [card('One', { cards: [card('Two')] })] });
    await publish(app(), desk.project, owner.id);
    const countOf = async (path: string) => {
      const { result, statements } = await app().recordStatements(() => read(path));
      expect(result.status).toBe(200);
      return statements.length;
    };
    await read(`${plain.id}?include=3`);
    const bare = await countOf(`${plain.id}?include=1`);
    expect(await countOf(`${owner.id}?include=1`)).toBe(bare);
    expect(await countOf(`${owner.id}?include=2`)).toBe(bare);
  });

  it('is absent on another site', async () => {
    const { outer } = await published();
    await desk.post('/sites', { slug: 'elsewhere', name: 'Elsewhere' });
    const path = `${desk.project.delivery.replace(/[^/]+$/, 'elsewhere')}/entries/${outer}`;
    expect((await app().request.get(path)).body.error).toBe('entry_not_found');
  });

  it('is read from the draft of its entry with a preview key', async () => {
    const owner = await landing(desk, { sections: [card('Draft')] });
    const [id = ''] = idsIn(owner);
    const path = `${desk.project.delivery}/entries/${id}`;
    const response = await send(app(), { method: 'GET', path, key: desk.project.keys.preview });
    expect(response.body.data).toMatchObject({ _id: id, _slug: id, fields: { heading: 'Draft' } });
  });
});

describe('A block by the id of an entry in management', () => {
  verifies('delivery/own-blocks');

  it('is 404, with its entry for a caller who may read that', async () => {
    const owner = await landing(desk, { sections: [card('One'), card('Two')] });
    const [one = '', two = ''] = idsIn(owner);
    await change(owner, { fields: { sections: [{ _ref: two }] } });
    for (const id of [one, two]) {
      const calls = [
        desk.get(`/entries/${id}`),
        desk.get(`/entries/${id.toUpperCase()}/versions`),
        desk.put(`/entries/${id}`, { version: 1, fields: { heading: 'Other' } }),
      ];
      for (const response of await Promise.all(calls)) {
        expect(outcome(response)).toEqual([404, 'entry_not_found']);
        expect(response.body.details).toEqual({ ownerId: owner.id });
      }
    }
    await desk.delete(`/entries/${owner.id}`);
    expect((await desk.get(`/entries/${two}`)).body.details ?? null).toBeNull();
  });

  it('does not name an entry that the caller may not read', async () => {
    const owner = await landing(desk, { sections: [card('Hidden')] });
    const [id = ''] = idsIn(owner);
    const scope = { contentTypes: ['article'] };
    const token = await sessionWith(app(), desk.project, [{ resource: 'entries', action: 'read', scope }]);
    const response = await desk.as(token).get(`/entries/${id}`);
    expect(outcome(response)).toEqual([404, 'entry_not_found']);
    expect(response.body.details ?? null).toBeNull();
  });
});
