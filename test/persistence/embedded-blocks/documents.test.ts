import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../../support/app.js';
import { send } from '../../support/call.js';
import { expectConsistent } from '../../support/consistency.js';
import { column, Desk, useOwnApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { now } from '../../management/entries/history.js';
import { deliveredIn, FormerProject, linkTo, upgrade, type Texts } from './scene.js';

const app = useOwnApp();
const ids = new Map<string, string>();
let former: FormerProject;
let migrated: TestApp;
let desk: Desk;

const idOf = (name: string): string => ids.get(name) ?? '';
const to = (...names: string[]) => names.map((name) => linkTo({ id: idOf(name) }));
const link = (name: string, type: string) => ({ _ref: idOf(name), _type: type });

async function live(type: string, name: string, texts: Texts): Promise<void> {
  ids.set(name, (await former.live(type, texts)).id);
}

async function draft(type: string, name: string, texts: Texts): Promise<void> {
  ids.set(name, (await former.draft(type, texts)).id);
}

/** A page in two languages: nested blocks, lists of one language, one block in English only, one that changed since. */
async function writeRivers(): Promise<void> {
  await live('author', 'ada', { en: { name: 'Ada' } });
  await live('cardlet', 'gate', { en: { heading: 'Gate' }, de: { heading: 'Tor' } });
  await live('cardlet', 'weir', { en: { heading: 'Weir' } });
  const author = linkTo({ id: idOf('ada') });
  const lock = { title: 'Lock', tone: 'calm', author, cards: to('gate', 'weir') };
  await live('section', 'lock', { en: lock, de: { title: 'Schleuse', author } });
  await live('section', 'ferry', { en: { title: 'Ferry' } });
  await live('section', 'note', { en: { title: 'Note' }, de: { title: 'Notiz' } });
  await live('section', 'hint', { de: { title: 'Hinweis', tone: 'loud' } });
  await live('leaflet', 'rivers', {
    en: { title: 'Rivers', sections: to('lock', 'ferry'), notes: to('note') },
    de: { title: 'Flüsse', notes: to('hint', 'note') },
  });
  await former.change(idOf('ferry'), { fields: { title: 'Ferry tomorrow', tone: 'loud' } });
  await former.change(idOf('gate'), { locale: 'de', fields: { heading: 'Morgen' } });
}

/** Pages that share a block, that are deleted, that are drafts, and that are no longer public in German. */
async function writeOthers(): Promise<void> {
  await live('section', 'both', { en: { title: 'Both' } });
  for (const name of ['one', 'two'])
    await live('leaflet', name, { en: { title: name, sections: to('both') } });
  await draft('section', 'idea', { en: { title: 'Idea' } });
  await draft('leaflet', 'plan', { en: { title: 'Plan', sections: to('idea') } });
  await live('section', 'left', { en: { title: 'Left behind' } });
  await live('leaflet', 'gone', { en: { title: 'Gone', sections: to('left') } });
  expect((await former.desk.delete(`/entries/${idOf('gone')}`)).status).toBe(200);
  await live('section', 'sheet', { en: { title: 'Sheet' }, de: { title: 'Blatt' } });
  await live('leaflet', 'page', {
    en: { title: 'Page', sections: to('sheet') },
    de: { title: 'Seite' },
  });
  await former.desk.post(`/entries/${idOf('page')}/unpublish`, { locale: 'de' });
  await live('section', 'abroad', { en: { title: 'Abroad' }, de: { title: 'Fremde' } });
  await live('leaflet', 'home', { en: { title: 'Home', sections: to('abroad') } });
}

beforeAll(async () => {
  former = await FormerProject.open(app());
  await writeRivers();
  await writeOthers();
}, 60_000);

afterAll(() => migrated.close());

const gate = (heading: string) => ({ id: idOf('gate'), heading });
const weir = () => ({ id: idOf('weir'), heading: 'Weir' });

/** What readers see of `rivers`, by the depth of expansion. */
function rivers(locale: 'en' | 'de', depth: number): unknown {
  const isGerman = locale === 'de';
  const author = depth > 1 ? { id: idOf('ada'), name: 'Ada' } : link('ada', 'author');
  const cards =
    depth > 1
      ? [gate(isGerman ? 'Tor' : 'Gate'), weir()]
      : [link('gate', 'cardlet'), link('weir', 'cardlet')];
  const lock = { id: idOf('lock'), title: isGerman ? 'Schleuse' : 'Lock', tone: 'calm', author, cards };
  const note = { id: idOf('note'), title: isGerman ? 'Notiz' : 'Note' };
  const hint = { id: idOf('hint'), title: 'Hinweis', tone: 'loud' };
  const sections = [lock, { id: idOf('ferry'), title: 'Ferry' }];
  const notes = isGerman ? [hint, note] : [note];
  const toSections = ({ id }: { id: string }) => ({ _ref: id, _type: 'section' });
  return {
    id: idOf('rivers'),
    title: isGerman ? 'Flüsse' : 'Rivers',
    sections: depth > 0 ? sections : sections.map(toSections),
    notes: depth > 0 ? notes : notes.map(toSections),
  };
}

const section =
  '... on Section { id: _id title tone author { ... on Author { name } } cards { ... on Cardlet { heading } } }';

async function queried(from: TestApp, name: string, locale: string): Promise<unknown> {
  const query = `{ leafletCollection(locale: "${locale}", limit: 100) { items { _id title
    sections { ${section} } notes { ${section} } } } }`;
  const { slug, keys } = former.desk.project;
  const { body } = await send(from, {
    method: 'POST',
    path: `/api/graphql/${slug}`,
    key: keys.delivery,
    body: { query },
  });
  expect((body as { errors?: unknown }).errors).toBeUndefined();
  const { items } = (body as { data: { leafletCollection: { items: { _id: string }[] } } }).data
    .leafletCollection;
  return items.find(({ _id }) => _id === idOf(name));
}

/** Whatever the release, before and after. */
async function expectRivers(from: TestApp): Promise<void> {
  const reader = { app: from, project: former.desk.project };
  for (const locale of ['en', 'de'] as const)
    for (const depth of [0, 1, 2, 3]) {
      const query = `?include=${String(depth)}&locale=${locale}`;
      expect(await deliveredIn(reader, idOf('rivers'), query)).toEqual(rivers(locale, depth));
    }
  const lock = { id: idOf('lock'), tone: 'calm', author: { name: 'Ada' } };
  const none = { tone: null, author: null, cards: [] };
  const ferry = { id: idOf('ferry'), title: 'Ferry', ...none };
  const _id = idOf('rivers');
  expect(await queried(from, 'rivers', 'de')).toEqual({
    _id,
    title: 'Flüsse',
    sections: [{ ...lock, title: 'Schleuse', cards: [{ heading: 'Tor' }, { heading: 'Weir' }] }, ferry],
    notes: [
      { id: idOf('hint'), title: 'Hinweis', ...none, tone: 'loud' },
      { id: idOf('note'), title: 'Notiz', ...none },
    ],
  });
  expect(await queried(from, 'rivers', 'en')).toEqual({
    _id,
    title: 'Rivers',
    sections: [{ ...lock, title: 'Lock', cards: [{ heading: 'Gate' }, { heading: 'Weir' }] }, ferry],
    notes: [{ id: idOf('note'), title: 'Note', ...none }],
  });
}

/** Of the pages that share a block, or lack its language, and of the one that is public in English only. */
async function expectOthers(from: TestApp): Promise<void> {
  const reader = { app: from, project: former.desk.project };
  for (const title of ['one', 'two'])
    expect(await deliveredIn(reader, idOf(title), '?include=1')).toEqual({
      ...{ id: idOf(title), title },
      sections: [{ id: idOf('both'), title: 'Both' }],
    });
  expect(await deliveredIn(reader, idOf('page'), '?include=1')).toEqual({
    ...{ id: idOf('page'), title: 'Page' },
    sections: [{ id: idOf('sheet'), title: 'Sheet' }],
  });
  expect(await deliveredIn(reader, idOf('home'), '?include=1&locale=de')).toEqual({
    ...{ id: idOf('home'), title: 'Home' },
    sections: [{ id: idOf('abroad'), title: 'Fremde' }],
  });
}

describe('An upgrade that makes blocks part of their entries', () => {
  verifies('entries/own-blocks', 'entries/shared-blocks', 'delivery/own-blocks');

  it('changes nothing that pages show', async () => {
    await expectRivers(app());
    await expectOthers(app());
    migrated = await upgrade(app());
    desk = new Desk(migrated, former.desk.project);
    await expectRivers(migrated);
    await expectOthers(migrated);
    await expectConsistent(migrated, desk.project);
  }, 120_000);

  it('leaves no entry for a block of one page, and one for a block of several', async () => {
    const left: unknown[] = [];
    for (const type of ['section', 'cardlet'])
      left.push(...column(await desk.get(`/entries?limit=100&contentTypeApiName=${type}`), 'id'));
    expect(new Set(left)).toEqual(new Set([idOf('both'), idOf('abroad')]));
    const owners = await migrated.rows<{ id: string; owner: string }>(
      desk.project.tenantId,
      'SELECT id, entry_id AS owner FROM owned_blocks',
    );
    const pages = { rivers: ['gate', 'weir', 'lock', 'ferry', 'note', 'hint'], plan: ['idea'] };
    const expected = Object.entries({ ...pages, gone: ['left'], page: ['sheet'] });
    expect(new Map(owners.map(({ id, owner }) => [id, owner]))).toEqual(
      new Map(expected.flatMap(([owner, blocks]) => blocks.map((id) => [idOf(id), idOf(owner)] as const))),
    );
  });

  it('keeps the newest drafts, and says what is changed since the publication', async () => {
    const item = (name: string, type: string, fields: object) => ({ ...link(name, type), fields });
    const author = link('ada', 'author');
    const german = await now(desk, idOf('rivers'), '?locale=de');
    const cards = (heading: string) => [
      item('gate', 'cardlet', { heading }),
      item('weir', 'cardlet', { heading: 'Weir' }),
    ];
    const ferry = item('ferry', 'section', { title: 'Ferry tomorrow', tone: 'loud' });
    expect(german.fields).toEqual({
      title: 'Flüsse',
      sections: [
        item('lock', 'section', { title: 'Schleuse', tone: 'calm', author, cards: cards('Morgen') }),
        ferry,
      ],
      notes: [
        item('hint', 'section', { title: 'Hinweis', tone: 'loud' }),
        item('note', 'section', { title: 'Notiz' }),
      ],
    });
    const english = await now(desk, idOf('rivers'));
    expect(english.fields.sections).toEqual([
      item('lock', 'section', { title: 'Lock', tone: 'calm', author, cards: cards('Gate') }),
      ferry,
    ]);
    expect(english.locales.map(({ status }) => status)).toEqual(['changed', 'changed']);
    const page = await now(desk, idOf('page'));
    expect(page.locales.map(({ locale, status }) => [locale, status])).toEqual([
      ['en', 'published'],
      ['de', 'draft'],
    ]);
    expect((await now(desk, idOf('plan'))).fields.sections).toEqual([
      item('idea', 'section', { title: 'Idea' }),
    ]);
  });

  it('takes texts out of the public that only their blocks kept there', async () => {
    const reader = { app: migrated, project: desk.project };
    expect(await deliveredIn(reader, idOf('sheet'))).toEqual({ id: idOf('sheet'), title: 'Sheet' });
    expect(await deliveredIn(reader, idOf('sheet'), '?locale=de')).toEqual({
      id: idOf('sheet'),
      title: 'Sheet',
    });
    expect(await deliveredIn(reader, idOf('left'))).toBeNull();
    expect(await deliveredIn(reader, idOf('gate'), '?locale=de')).toEqual(gate('Tor'));
    await desk.post(`/entries/${idOf('rivers')}/unpublish`, { locale: 'de' });
    expect(await deliveredIn(reader, idOf('gate'), '?locale=de')).toEqual(gate('Gate'));
    await desk.post(`/entries/${idOf('rivers')}/unpublish`, { locale: 'en' });
    for (const name of ['gate', 'lock', 'ferry']) expect(await deliveredIn(reader, idOf(name))).toBeNull();
  });

  it('publishes the drafts with their entry, and finds it by their texts', async () => {
    const { id } = await now(desk, idOf('rivers'));
    for (const locale of ['en', 'de'])
      expect((await desk.post(`/entries/${id}/publish`, { locale })).status).toBe(200);
    const reader = { app: migrated, project: desk.project };
    expect(await deliveredIn(reader, idOf('gate'), '?locale=de')).toEqual(gate('Morgen'));
    expect(await deliveredIn(reader, idOf('ferry'))).toEqual({
      ...{ id: idOf('ferry'), title: 'Ferry tomorrow' },
      tone: 'loud',
    });
    await expectConsistent(migrated, desk.project);
    const found = await desk.get('/search?q=Weir');
    expect(new Set(column(found, 'entryId'))).toEqual(new Set([id]));
  });

  it('brings blocks back with a deleted page', async () => {
    expect((await desk.post(`/entries/${idOf('gone')}/undelete`)).status).toBe(200);
    expect((await now(desk, idOf('gone'))).fields.sections).toEqual([
      { ...link('left', 'section'), fields: { title: 'Left behind' } },
    ]);
  });
});
