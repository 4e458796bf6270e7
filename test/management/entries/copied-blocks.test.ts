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
import { verifies } from '../../support/verifies.js';
import { change, now } from './history.js';

const app = useApp();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app());
  await createLandingTypes(desk);
});

interface Translated {
  readonly page: TestEntry;
  readonly outer: string;
  readonly inner: string;
}

/** A page with a card in a card, in English and German, at version 2. */
async function translated(fields: object = {}): Promise<Translated> {
  const sections = [card('Outer', { tone: 'calm', cards: [card('Inner')], ...fields })];
  const page = await landing(desk, { title: 'Page', sections, notes: [card('Note')] });
  const [outer = ''] = idsIn(page);
  const [inner = ''] = idsIn(blocksIn(page)[0] ?? page, 'cards');
  const cards = [{ _ref: inner, fields: { heading: 'Innen' } }];
  const german = [{ _ref: outer, fields: { heading: 'Außen', cards } }];
  await change(desk, page.id, { locale: 'de', fields: { title: 'Seite', sections: german } });
  return { page, outer, inner };
}

const german = (id: string) => now(desk, id, '?locale=de');

/** Headings of the sections, with those of the blocks in them. */
const headings = (entry: TestEntry): unknown[] =>
  blocksIn(entry).map(({ fields }) => [
    fields.heading,
    ...(fields.cards === undefined ? [] : blocksIn({ fields }, 'cards').map((one) => one.fields.heading)),
  ]);

const owners = async (ids: readonly string[]): Promise<unknown[]> =>
  Promise.all(ids.map(async (id) => (await desk.get(`/entries/${id}`)).body.details));

describe('A duplicate of an entry with blocks', () => {
  verifies('entries/copied-blocks');

  it('has copies of them with new ids, the same in every locale', async () => {
    const { page, outer, inner } = await translated();
    const copy = (await desk.post(`/entries/${page.id}/duplicate`, {})).body.data as TestEntry;
    expect(headings(copy)).toEqual([['Outer', 'Inner']]);
    const other = await german(copy.id);
    expect(headings(other)).toEqual([['Außen', 'Innen']]);
    const ids = [...idsIn(copy), ...idsIn(blocksIn(copy)[0] ?? copy, 'cards')];
    expect([...idsIn(other), ...idsIn(blocksIn(other)[0] ?? other, 'cards')]).toEqual(ids);
    expect(new Set([...ids, outer, inner]).size).toBe(4);
    expect(blocksIn(copy)[0]?.fields).toMatchObject({ tone: 'calm' });
    expect(idsIn(copy, 'notes')).not.toEqual(idsIn(page, 'notes'));
    expect(await owners([...ids, ...idsIn(copy, 'notes')])).toEqual(
      Array.from({ length: 3 }, () => ({ ownerId: copy.id })),
    );
    await change(desk, copy.id, { fields: { sections: [{ _ref: ids[0], fields: { heading: 'Copy' } }] } });
    expect(headings(await now(desk, page.id))).toEqual([['Outer', 'Inner']]);
  });

  it('links copies of what they link to, with deep', async () => {
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    const { page } = await translated({ author: { _ref: author.id } });
    const authorOf = (entry: TestEntry) => (blocksIn(entry)[0]?.fields.author as { _ref: string })._ref;
    const shallow = (await desk.post(`/entries/${page.id}/duplicate`, {})).body.data as TestEntry;
    expect(authorOf(shallow)).toBe(author.id);
    const deep = (await desk.post(`/entries/${page.id}/duplicate`, { deep: true })).body.data as TestEntry;
    expect(authorOf(deep)).not.toBe(author.id);
    expect(await now(desk, authorOf(deep))).toMatchObject({ fields: { name: 'Ada' } });
    expect((await desk.get(`/entries/${authorOf(deep)}/references`)).body.data).toMatchObject([
      { entryId: deep.id },
    ]);
  });

  it('is published with its own blocks', async () => {
    const { page, outer } = await translated();
    await publish(app(), desk.project, page.id);
    const copy = (await desk.post(`/entries/${page.id}/duplicate`, {})).body.data as TestEntry;
    await publish(app(), desk.project, copy.id);
    const read = async (id: string) =>
      (await app().request.get(`${desk.project.delivery}/entries/${id}`)).body.data;
    for (const id of [outer, ...idsIn(copy)])
      expect(await read(id)).toMatchObject({ _id: id, fields: { tone: 'calm' } });
  });
});

describe('A copy of a locale', () => {
  verifies('entries/copied-blocks');

  it('copies the localized values of blocks, in gaps only unless it overwrites', async () => {
    const { page, outer, inner } = await translated();
    const copy = (body: object) =>
      desk.post(`/entries/${page.id}/copy-locale`, { fromLocale: 'en', ...body });
    const french = await copy({ toLocale: 'fr' });
    expect(outcome(french)).toEqual([200, undefined]);
    expect(headings(french.body.data as TestEntry)).toEqual([['Outer', 'Inner']]);
    expect(idsIn(french.body.data as TestEntry)).toEqual([outer]);
    expect(blocksIn(french.body.data as TestEntry, 'notes')).toEqual(blocksIn(page, 'notes'));
    const cards = [{ _ref: inner, fields: { heading: null } }];
    await change(desk, page.id, { locale: 'de', fields: { sections: [{ _ref: outer, fields: { cards } }] } });
    expect(headings((await copy({ toLocale: 'de' })).body.data as TestEntry)).toEqual([['Außen', 'Inner']]);
    const [version] = (await desk.get(`/entries/${page.id}/versions`)).body.data;
    expect(version).toMatchObject({ changeType: 'copy_locale' });
    expect(version.changedFields).toContain(`sections[${outer}].cards[${inner}].heading`);
    expect(version.changedFields).not.toContain(`sections[${outer}].heading`);
    const replaced = await copy({ toLocale: 'de', overwrite: true, fields: ['sections'] });
    expect(headings(replaced.body.data as TestEntry)).toEqual([['Outer', 'Inner']]);
    expect(replaced.body.data.fields.title).toBe('Seite');
  });
});

describe('A restored version', () => {
  verifies('entries/copied-blocks');

  it('brings removed blocks back with their ids and the values of every locale', async () => {
    const { page, outer, inner } = await translated();
    await change(desk, page.id, { fields: { sections: [card('New')] } });
    await change(desk, page.id, { locale: 'de', fields: { title: 'Neu' } });
    expect(headings(await german(page.id))).toEqual([[undefined]]);
    const restored = await desk.post(`/entries/${page.id}/versions/2/restore`, {});
    expect(outcome(restored)).toEqual([200, undefined]);
    expect(headings(restored.body.data as TestEntry)).toEqual([['Outer', 'Inner']]);
    expect(idsIn(restored.body.data as TestEntry)).toEqual([outer]);
    expect(headings(await german(page.id))).toEqual([['Außen', 'Innen']]);
    const back = [{ _ref: outer, fields: { cards: [{ _ref: inner, fields: { heading: 'Edited' } }] } }];
    expect(outcome(await change(desk, page.id, { fields: { sections: back } }))).toEqual([200, undefined]);
    expect(headings(await now(desk, page.id))).toEqual([['Outer', 'Edited']]);
  });

  it('restores the values of blocks in one locale only, where it names one', async () => {
    const { page, outer } = await translated();
    const sections = [{ _ref: outer, fields: { heading: 'Changed', tone: 'loud' } }];
    await change(desk, page.id, { fields: { sections } });
    await change(desk, page.id, {
      locale: 'de',
      fields: { sections: [{ _ref: outer, fields: { heading: 'Neu' } }] },
    });
    await desk.post(`/entries/${page.id}/versions/2/restore`, { locale: 'de' });
    expect(headings(await german(page.id))).toEqual([['Außen', 'Innen']]);
    const english = await now(desk, page.id);
    expect(blocksIn(english)[0]?.fields).toMatchObject({ heading: 'Changed', tone: 'loud' });
  });

  it('links a block that was shared since, and gives a new id to one that the shared block has now', async () => {
    const { page, outer, inner } = await translated();
    const moved = [{ _ref: outer, fields: { cards: [] } }, { _ref: inner }];
    await change(desk, page.id, { fields: { sections: moved } });
    const cards = [{ _ref: inner }];
    await change(desk, page.id, { fields: { sections: [{ _ref: outer, fields: { cards } }] } });
    expect(outcome(await desk.post(`/entries/${page.id}/blocks/${outer}/share`, {}))).toEqual([
      200,
      undefined,
    ]);
    const restored = await desk.post(`/entries/${page.id}/versions/3/restore`, {});
    expect(outcome(restored)).toEqual([200, undefined]);
    const [link, copy] = blocksIn(restored.body.data as TestEntry);
    expect(link).toEqual({ _ref: outer, _type: 'card' });
    expect(copy).toMatchObject({ _type: 'card', fields: { heading: 'Inner' } });
    expect(copy?._ref).not.toBe(inner);
    expect(blocksIn(await german(page.id))[1]).toMatchObject({
      _ref: copy?._ref,
      fields: { heading: 'Innen' },
    });
    expect(await owners([inner, copy?._ref ?? ''])).toEqual([{ ownerId: outer }, { ownerId: page.id }]);
  });
});

describe('A comparison of versions', () => {
  verifies('entries/copied-blocks');

  const diff = async (id: string, from: number, to: number) => {
    const { body } = await desk.get(`/entries/${id}/versions/diff?from=${String(from)}&to=${String(to)}`);
    return (
      body as { data: { changes: { locale: string | null; field: string; from: unknown; to: unknown }[] } }
    ).data.changes;
  };

  it('names the paths of values in blocks, shared ones once and localized ones by locale', async () => {
    const { page, outer, inner } = await translated();
    const cards = [{ _ref: inner, fields: { heading: 'Changed', tone: 'loud' } }];
    await change(desk, page.id, { fields: { sections: [{ _ref: outer, fields: { cards } }] } });
    await change(desk, page.id, {
      locale: 'de',
      fields: { sections: [{ _ref: outer, fields: { heading: 'Neu' } }] },
    });
    expect(await diff(page.id, 2, 4)).toEqual([
      { locale: null, field: `sections[${outer}].cards[${inner}].tone`, from: null, to: 'loud' },
      { locale: 'en', field: `sections[${outer}].cards[${inner}].heading`, from: 'Inner', to: 'Changed' },
      { locale: 'de', field: `sections[${outer}].heading`, from: 'Außen', to: 'Neu' },
    ]);
  });

  it('names the list where blocks came or went, with their localized values by locale', async () => {
    const { page, outer } = await translated();
    await change(desk, page.id, { fields: { sections: [{ _ref: outer }, card('New', { tone: 'loud' })] } });
    const [, made = ''] = idsIn(await now(desk, page.id));
    const changes = await diff(page.id, 2, 3);
    expect(changes.map(({ locale, field }) => [locale, field])).toEqual([
      [null, 'sections'],
      ['en', `sections[${made}].heading`],
    ]);
    expect(changes[1]).toMatchObject({ from: null, to: 'New' });
    const back = await diff(page.id, 3, 2);
    expect(back[1]).toMatchObject({ field: `sections[${made}].heading`, from: 'New', to: null });
  });

  it('names the paths in a localized list in its locale', async () => {
    const { page } = await translated();
    const [note = ''] = idsIn(page, 'notes');
    await change(desk, page.id, { fields: { notes: [{ _ref: note, fields: { tone: 'loud' } }] } });
    expect(await diff(page.id, 2, 3)).toEqual([
      { locale: 'en', field: `notes[${note}].tone`, from: null, to: 'loud' },
    ]);
  });
});
