import { describe, expect, it } from '@jest/globals';
import { openDesk, useApp, type Desk } from '../../support/desk.js';
import {
  blockId,
  blocksIn,
  cardlet,
  createLeafletTypes,
  leaflet,
  section,
} from '../../support/factories/own-blocks.js';
import { change, now } from '../entries/history.js';
import { publishIn, statusIn, translationIn, write } from './desk.js';

const app = useApp();

const open = async (): Promise<Desk> => {
  const desk = await openDesk(app(), { locales: ['en', 'de'] });
  await createLeafletTypes(desk);
  return desk;
};

/** A leaflet with two sections, whose first has a card. */
async function withSections(desk: Desk) {
  const entry = await leaflet(desk, {
    title: 'Rivers',
    sections: [
      section({ title: 'Upper lock', tone: 'calm', cards: [cardlet('Tidal gate')] }),
      section({ title: 'Weir' }),
    ],
  });
  const [one, two] = blocksIn(entry, 'sections');
  const card = blocksIn(one ?? { fields: {} }, 'cards')[0];
  return { id: entry.id, one: one?._ref ?? '', two: two?._ref ?? '', card: card?._ref ?? '' };
}

/** The sections with German texts of some blocks. */
const german = (
  { one, two, card }: { one: string; two: string; card: string },
  texts: Record<string, string>,
) => {
  const fieldsOf = (id: string, name: string) => (texts[id] === undefined ? {} : { [name]: texts[id] });
  const cards = [{ _ref: card, fields: fieldsOf(card, 'heading') }];
  return [
    { _ref: one, fields: { ...fieldsOf(one, 'title'), cards } },
    { _ref: two, fields: fieldsOf(two, 'title') },
  ];
};

describe('Translation of blocks', () => {
  it('counts each localized value of blocks that all locales share', async () => {
    const desk = await open();
    const blocks = await withSections(desk);
    const { id, one, two, card } = blocks;
    const progress = async () => (await translationIn(desk, id, 'de')).progress;
    await write(desk, id, { locale: 'de', fields: { title: 'Flüsse' } });
    expect(await progress()).toBe(0.25);
    await write(desk, id, {
      locale: 'de',
      fields: { sections: german(blocks, { [one]: 'Obere Schleuse' }) },
    });
    expect(await progress()).toBe(0.5);
    await write(desk, id, {
      locale: 'de',
      fields: { sections: german(blocks, { [two]: 'Wehr', [card]: 'Tor' }) },
    });
    expect(await progress()).toBe(1);
  });

  it('is outdated value by value, until each was translated again', async () => {
    const desk = await open();
    const blocks = await withSections(desk);
    const { id, one, two, card } = blocks;
    await publishIn(desk, id, 'en');
    const all = german(blocks, { [one]: 'Obere Schleuse', [two]: 'Wehr', [card]: 'Tor' });
    await write(desk, id, { locale: 'de', fields: { title: 'Flüsse', sections: all } });
    await publishIn(desk, id, 'de');
    expect(await statusIn(desk, id, 'de')).toBe('complete');
    await change(desk, id, {
      fields: {
        sections: [
          { _ref: one, fields: { title: 'Lower lock', tone: 'wild' } },
          { _ref: two, fields: { title: 'Dam' } },
        ],
      },
    });
    expect(await statusIn(desk, id, 'de')).toBe('complete');
    await publishIn(desk, id, 'en');
    const stale = await translationIn(desk, id, 'de');
    expect(stale).toMatchObject({
      status: 'stale',
      outdatedFields: [`sections[${one}].title`, `sections[${two}].title`].sort(),
    });
    expect(stale.outdated.find(({ field }) => field === `sections[${two}].title`)).toEqual({
      field: `sections[${two}].title`,
      sourceVersion: 2,
      then: 'Weir',
      now: 'Dam',
    });
    const changed = [{ _ref: one, fields: { title: 'Untere Schleuse' } }, { _ref: two }];
    await write(desk, id, { locale: 'de', fields: { sections: changed } });
    expect(await translationIn(desk, id, 'de')).toMatchObject({
      status: 'in_progress',
      outdatedFields: [`sections[${two}].title`],
    });
  });

  it('lacks a block that the source gained, and forgets one that was removed', async () => {
    const desk = await open();
    const blocks = await withSections(desk);
    const { id, one, two } = blocks;
    await publishIn(desk, id, 'en');
    const all = german(blocks, { [one]: 'Obere Schleuse', [two]: 'Wehr', [blocks.card]: 'Tor' });
    await write(desk, id, { locale: 'de', fields: { title: 'Flüsse', sections: all } });
    await publishIn(desk, id, 'de');
    const gained = [{ _ref: one }, section({ title: 'Ferry' })];
    await change(desk, id, { fields: { sections: gained } });
    await publishIn(desk, id, 'en');
    const ferry = blocksIn(await now(desk, id), 'sections')[1]?._ref ?? '';
    expect(await translationIn(desk, id, 'de')).toMatchObject({
      status: 'stale',
      progress: 0.75,
      outdatedFields: [`sections[${ferry}].title`],
    });
  });

  it('does not count values that a block had before another locale removed it', async () => {
    const desk = await open();
    const blocks = await withSections(desk);
    await write(desk, blocks.id, { locale: 'de', fields: { title: 'Flüsse', sections: [] } });
    expect((await translationIn(desk, blocks.id, 'de')).progress).toBe(1);
  });

  it('has a list of blocks of its own as one value', async () => {
    const desk = await open();
    const { id } = await leaflet(desk, { title: 'Rivers', notes: [section({ title: 'Ferry times' })] });
    await write(desk, id, { locale: 'de', fields: { title: 'Flüsse' } });
    expect((await translationIn(desk, id, 'de')).progress).toBe(0.5);
    await write(desk, id, { locale: 'de', fields: { notes: [section({ title: 'Fährzeiten' })] } });
    expect((await translationIn(desk, id, 'de')).progress).toBe(1);
    const note = blockId(await now(desk, id), 'notes');
    await change(desk, id, { fields: { notes: [{ _ref: note, fields: { title: 'New times' } }] } });
    await publishIn(desk, id, 'en');
    expect((await translationIn(desk, id, 'de')).outdatedFields).toEqual(['notes']);
  });
});
