import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry, publish, type TestEntry } from '../../support/factories/content.js';
import {
  blocksIn,
  card,
  createLandingTypes,
  idsIn,
  landing,
} from '../../support/factories/landing-blocks.js';
import { sessionWith } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { change, now } from './history.js';

const app = useApp();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app());
  await createLandingTypes(desk);
});

const share = (id: string, blockId: string, body: object = {}) =>
  desk.post(`/entries/${id}/blocks/${blockId}/share`, body);
const detach = (id: string, blockId: string, body: object = {}) =>
  desk.post(`/entries/${id}/blocks/${blockId}/detach`, body);

const link = (id: string) => ({ _ref: id, _type: 'card' });

interface PageWithBlocks {
  readonly page: TestEntry;
  readonly outer: string;
  readonly inner: string;
  readonly other: string;
}

/** A page in two locales with two sections, of which the first contains a card. */
async function translated(): Promise<PageWithBlocks> {
  const author = await createEntry(app(), desk.project, {
    contentTypeApiName: 'author',
    fields: { name: 'Ada' },
  });
  const sections = [
    card('Outer', { tone: 'calm', author: { _ref: author.id }, cards: [card('Inner')] }),
    card('Other'),
  ];
  const page = await landing(desk, { title: 'Page', sections });
  const [outer = '', other = ''] = idsIn(page);
  const [inner = ''] = idsIn(blocksIn(page)[0] ?? page, 'cards');
  const german = [
    { _ref: outer, fields: { heading: 'Außen', cards: [{ _ref: inner, fields: { heading: 'Innen' } }] } },
    { _ref: other },
  ];
  await change(desk, page.id, { locale: 'de', fields: { title: 'Seite', sections: german } });
  return { page, outer, inner, other };
}

const recordsOf = async (requestId: unknown) => {
  const rows = await app().rows<{ action: string; id: string }>(
    desk.project.tenantId,
    `SELECT action, target ->> 'id' AS id FROM audit_events WHERE context ->> 'requestId' = $1 ORDER BY number`,
    [requestId],
  );
  return rows.map(({ action, id }) => [action, id]);
};

const eventsOf = async (ids: readonly string[], since: number) => {
  const rows = await app().rows<{ type: string; id: string }>(
    desk.project.tenantId,
    `SELECT type, payload -> 'data' ->> 'entryId' AS id FROM outbox_events
     WHERE payload -> 'data' ->> 'entryId' = ANY($1) ORDER BY created_at OFFSET $2`,
    [ids, since],
  );
  return rows.map(({ type, id }) => [type, id]);
};

describe('Sharing a block', () => {
  verifies('entries/shared-blocks');

  it('makes it a draft entry with its id and its values in every locale, which the entry links', async () => {
    const { page, outer, inner, other } = await translated();
    const known = await eventsOf([page.id, outer], 0);
    const response = await share(page.id, outer, { version: 2 });
    expect(outcome(response)).toEqual([200, undefined]);
    expect(response.body.data).toMatchObject({ id: page.id, version: 3, locale: 'en' });
    expect(blocksIn(response.body.data)).toEqual([link(outer), expect.objectContaining({ _ref: other })]);
    expect(blocksIn(await now(desk, page.id, '?locale=de'))[0]).toEqual(link(outer));
    const english = await now(desk, outer);
    expect(english).toMatchObject({
      id: outer,
      contentTypeApiName: 'card',
      siteId: desk.project.siteId,
      version: 1,
      status: 'draft',
      slug: 'outer',
      fields: { heading: 'Outer', tone: 'calm', author: { _type: 'author' } },
    });
    expect(english.locales.map(({ locale, slug }) => [locale, slug]).toSorted()).toEqual([
      ['de', 'aussen'],
      ['en', 'outer'],
    ]);
    const german = await now(desk, outer, '?locale=de');
    expect(german.fields).toMatchObject({ heading: 'Außen', tone: 'calm' });
    expect(blocksIn(german, 'cards')).toEqual([{ _ref: inner, _type: 'card', fields: { heading: 'Innen' } }]);
    expect(blocksIn(english, 'cards')).toEqual([
      { _ref: inner, _type: 'card', fields: { heading: 'Inner' } },
    ]);
    const [version] = (await desk.get(`/entries/${page.id}/versions`)).body.data;
    expect(version).toMatchObject({ versionNum: 3, changeType: 'update', changedFields: ['sections'] });
    const records = await recordsOf(response.headers['x-request-id']);
    expect(records).toEqual(
      expect.arrayContaining([
        ['entry.create', outer],
        ['entry.update', page.id],
      ]),
    );
    expect(records).toHaveLength(2);
    const events = await eventsOf([page.id, outer], known.length);
    expect(events).toEqual(
      expect.arrayContaining([
        ['entry.created', outer],
        ['entry.updated', page.id],
      ]),
    );
    expect(events).toHaveLength(2);
  });

  it('moves its references and its blocks along', async () => {
    const { page, outer, inner } = await translated();
    const author = blocksIn(page)[0]?.fields.author as { _ref: string };
    await share(page.id, outer);
    const referring = async (id: string) =>
      ((await desk.get(`/entries/${id}/references`)).body.data as { entryId: string }[]).map(
        ({ entryId }) => entryId,
      );
    expect(await referring(author._ref)).toEqual([outer]);
    expect(await referring(outer)).toEqual([page.id]);
    expect((await desk.get(`/entries/${inner}`)).body.details).toEqual({ ownerId: outer });
    const cards = [{ _ref: inner, fields: { tone: 'loud' } }];
    expect(outcome(await change(desk, outer, { fields: { cards } }))).toEqual([200, undefined]);
    const taken = await change(desk, page.id, { fields: { sections: [{ ...card('Twice'), _id: inner }] } });
    expect(outcome(taken)).toEqual([422, 'validation_failed']);
  });

  it('changes published documents with the next publication', async () => {
    const { page, outer } = await translated();
    const read = async (id: string, query = '') =>
      (await app().request.get(`${desk.project.delivery}/entries/${id}${query}`)).body.data;
    await publish(app(), desk.project, page.id);
    await share(page.id, outer);
    expect(await now(desk, page.id)).toMatchObject({ status: 'changed' });
    expect((await read(page.id, '?include=1')).fields.sections[0].fields.heading).toBe('Outer');
    expect((await read(outer)).fields.heading).toBe('Outer');
    expect((await desk.post(`/entries/${page.id}/publish`, { withDependencies: true })).status).toBe(200);
    await change(desk, outer, { fields: { heading: 'Changed' } });
    await publish(app(), desk.project, outer);
    expect((await read(page.id, '?include=1')).fields.sections[0]).toMatchObject({
      _id: outer,
      _slug: expect.stringMatching(/^outer/),
      fields: { heading: 'Changed' },
    });
  });

  it('works on every level, and on a block of a localized list in each locale that has it', async () => {
    const { page, inner } = await translated();
    const response = await share(page.id, inner, { locale: 'de' });
    expect(response.body.data.locale).toBe('de');
    expect(blocksIn(blocksIn(response.body.data)[0] ?? page, 'cards')).toEqual([link(inner)]);
    expect((await now(desk, inner, '?locale=de')).fields).toEqual({ heading: 'Innen' });
    const noted = await landing(desk, { title: 'Noted', notes: [card('Note', { tone: 'calm' })] });
    await desk.post(`/entries/${noted.id}/copy-locale`, { fromLocale: 'en', toLocale: 'de' });
    await desk.post(`/entries/${noted.id}/copy-locale`, { fromLocale: 'en', toLocale: 'fr' });
    await change(desk, noted.id, { locale: 'fr', fields: { notes: [] } });
    const [note = ''] = idsIn(noted, 'notes');
    expect(outcome(await share(noted.id, note))).toEqual([200, undefined]);
    for (const locale of ['en', 'de'])
      expect(blocksIn(await now(desk, noted.id, `?locale=${locale}`), 'notes')).toEqual([link(note)]);
    expect((await now(desk, note)).locales.map(({ locale }) => locale).toSorted()).toEqual(['de', 'en']);
  });

  it('is 404 for an unknown block, 409 for a shared one and for an outdated version', async () => {
    const { page, outer, other } = await translated();
    expect(outcome(await share(page.id, page.id))).toEqual([404, 'block_not_found']);
    expect(outcome(await share(page.id, 'no-id'))).toEqual([404, 'block_not_found']);
    expect(outcome(await share(other, other))).toEqual([404, 'entry_not_found']);
    expect(outcome(await share(page.id, outer, { version: 1 }))).toEqual([409, 'version_conflict']);
    expect(outcome(await share(page.id, outer, { locale: 'xx' }))).toEqual([404, 'locale_not_found']);
    await share(page.id, outer);
    expect(outcome(await share(page.id, outer))).toEqual([409, 'block_is_shared']);
  });

  it('needs update on the entry and create on the type of the block', async () => {
    const { page, outer } = await translated();
    const read = { resource: 'entries', action: 'read' };
    const update = { resource: 'entries', action: 'update', scope: { contentTypes: ['landing'] } };
    const create = { resource: 'entries', action: 'create', scope: { contentTypes: ['card'] } };
    for (const grants of [
      [read, update],
      [read, create],
    ]) {
      const by = desk.as(await sessionWith(app(), desk.project, grants));
      const refused = await by.post(`/entries/${page.id}/blocks/${outer}/share`, {});
      expect(outcome(refused)).toEqual([403, 'permission_denied']);
    }
    const by = desk.as(await sessionWith(app(), desk.project, [read, update, create]));
    expect(outcome(await by.post(`/entries/${page.id}/blocks/${outer}/share`, {}))).toEqual([200, undefined]);
  });
});

describe('Detaching a shared block', () => {
  verifies('entries/shared-blocks');

  it('replaces the link by a copy with new ids, the same in every locale', async () => {
    const { page, outer, inner, other } = await translated();
    await share(page.id, outer);
    await change(desk, outer, { fields: { heading: 'Changed' } });
    const response = await detach(page.id, outer, { version: 3 });
    expect(outcome(response)).toEqual([200, undefined]);
    const [copy, kept] = blocksIn(response.body.data);
    expect(copy).toMatchObject({ _type: 'card', fields: { heading: 'Changed', tone: 'calm' } });
    expect(kept?._ref).toBe(other);
    expect([outer, inner]).not.toContain(copy?._ref);
    const [innerCopy] = blocksIn(copy ?? page, 'cards');
    expect([outer, inner]).not.toContain(innerCopy?._ref);
    const [german] = blocksIn(await now(desk, page.id, '?locale=de'));
    expect(german).toMatchObject({ _ref: copy?._ref, fields: { heading: 'Außen', tone: 'calm' } });
    expect(blocksIn(german ?? page, 'cards')).toMatchObject([
      { _ref: innerCopy?._ref, fields: { heading: 'Innen' } },
    ]);
    expect(await now(desk, outer)).toMatchObject({ fields: { heading: 'Changed' }, version: 2 });
    expect((await desk.get(`/entries/${outer}/references`)).body.data).toEqual([]);
    for (const id of [copy?._ref, innerCopy?._ref])
      expect((await desk.get(`/entries/${String(id)}`)).body.details).toEqual({ ownerId: page.id });
    const records = await recordsOf(response.headers['x-request-id']);
    expect(records).toEqual([['entry.update', page.id]]);
    expect(await eventsOf([page.id], 0)).toContainEqual(['entry.updated', page.id]);
  });

  it('makes a copy for each link to it, also where it links itself', async () => {
    const shared = await createEntry(app(), desk.project, {
      contentTypeApiName: 'card',
      fields: { heading: 'Shared' },
    });
    await change(desk, shared.id, { fields: { cards: [link(shared.id)] } });
    const page = await landing(desk, {
      sections: [link(shared.id), card('Own', { cards: [link(shared.id)] })],
    });
    const [first, second] = blocksIn((await detach(page.id, shared.id)).body.data as TestEntry);
    const [nested] = blocksIn(second ?? page, 'cards');
    expect(first).toMatchObject({ fields: { heading: 'Shared', cards: [link(shared.id)] } });
    expect(nested).toMatchObject({ fields: { heading: 'Shared', cards: [link(shared.id)] } });
    expect(new Set([shared.id, first?._ref, nested?._ref]).size).toBe(3);
  });

  it('is 409 for a block of the entry, 404 for an unknown one and for one that the caller may not read', async () => {
    const { page, outer, other } = await translated();
    expect(outcome(await detach(page.id, other))).toEqual([409, 'block_not_shared']);
    expect(outcome(await detach(page.id, page.id))).toEqual([404, 'block_not_found']);
    await share(page.id, outer);
    expect(outcome(await detach(page.id, outer, { version: 1 }))).toEqual([409, 'version_conflict']);
    const scope = { contentTypes: ['landing'] };
    const grants = ['read', 'update'].map((action) => ({ resource: 'entries', action, scope }));
    const by = desk.as(await sessionWith(app(), desk.project, grants));
    expect(outcome(await by.post(`/entries/${page.id}/blocks/${outer}/detach`, {}))).toEqual([
      404,
      'entry_not_found',
    ]);
    const reader = desk.as(await sessionWith(app(), desk.project, [{ resource: 'entries', action: 'read' }]));
    const refused = await reader.post(`/entries/${page.id}/blocks/${outer}/detach`, {});
    expect(outcome(refused)).toEqual([403, 'permission_denied']);
  });
});
