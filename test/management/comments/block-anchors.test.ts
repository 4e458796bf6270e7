import { describe, expect, it } from '@jest/globals';
import { issues, openDesk, useApp, type Desk } from '../../support/desk.js';
import { paragraphs } from '../../support/factories/content.js';
import {
  blockId,
  blocksIn,
  cardlet,
  createLeafletTypes,
  leaflet,
  section,
} from '../../support/factories/own-blocks.js';
import { verifies } from '../../support/verifies.js';
import { change, now } from '../entries/history.js';
import { anchorOf, said, say } from './threads.js';

const app = useApp();

const open = async (): Promise<Desk> => {
  const desk = await openDesk(app(), { locales: ['en', 'de'] });
  await createLeafletTypes(desk);
  return desk;
};

const at = (block: string, field: string, range: object = {}) => ({
  anchor: { field, block, locale: 'en', ...range },
});

const lost = { from: null, to: null, orphaned: true };

describe('A comment on a field of a block', () => {
  verifies('entries/comment-anchors');

  it('follows its text, on every level', async () => {
    const desk = await open();
    const { id, ...made } = await leaflet(desk, {
      title: 'Rivers',
      sections: [
        section({ title: 'The lock', text: paragraphs('One two'), cards: [cardlet('A tidal gate')] }),
      ],
    });
    const block = blockId(made);
    const card = blockId(blocksIn(made, 'sections')[0] ?? { fields: {} }, 'cards');
    const title = await said(desk, id, 'Which?', at(block, 'title', { from: 4, to: 8 }));
    expect(title.anchor).toEqual({
      field: 'title',
      block,
      locale: 'en',
      from: 4,
      to: 8,
      quote: 'lock',
      orphaned: false,
    });
    const heading = await said(desk, id, 'Tidal?', at(card, 'heading', { from: 2, to: 7 }));
    expect(heading.anchor).toMatchObject({ block: card, quote: 'tidal' });
    const cards = [{ _ref: card, fields: { heading: 'Not a tidal gate' } }];
    const sections = [section({ title: 'New' }), { _ref: block, fields: { title: 'The upper lock', cards } }];
    await change(desk, id, { fields: { sections } });
    expect(await anchorOf(desk, id, title.id)).toMatchObject({ from: 10, to: 14, orphaned: false });
    expect(await anchorOf(desk, id, heading.id)).toMatchObject({ from: 6, to: 11, orphaned: false });
    await change(desk, id, { fields: { sections: [{ _ref: block, fields: { title: 'The gate' } }] } });
    expect(await anchorOf(desk, id, title.id)).toEqual({ ...title.anchor, ...lost });
  });

  it('is kept without its place when its block is removed, in whichever locale', async () => {
    const desk = await open();
    const { id, ...made } = await leaflet(desk, {
      title: 'Rivers',
      sections: [section({ title: 'The lock' })],
      notes: [section({ title: 'Ferry times' })],
    });
    const [block, note] = [blockId(made), blockId(made, 'notes')];
    const range = await said(desk, id, 'Which?', at(block, 'title', { from: 4, to: 8 }));
    const whole = await said(desk, id, 'Too short', at(block, 'title'));
    const ferry = await said(desk, id, 'Late', at(note, 'title', { from: 0, to: 5 }));
    expect(whole.anchor).toMatchObject({ block, from: null, orphaned: false });
    await change(desk, id, { locale: 'de', fields: { title: 'Flüsse', sections: [] } });
    expect(await anchorOf(desk, id, range.id)).toEqual({ ...range.anchor, ...lost });
    expect(await anchorOf(desk, id, whole.id)).toEqual({ ...whole.anchor, ...lost });
    expect(await anchorOf(desk, id, ferry.id)).toEqual(ferry.anchor);
    await change(desk, id, { fields: { notes: [] } });
    expect(await anchorOf(desk, id, ferry.id)).toEqual({ ...ferry.anchor, ...lost });
    await desk.post(`/entries/${id}/versions/1/restore`, { version: (await now(desk, id)).version });
    expect(await anchorOf(desk, id, whole.id)).toEqual(whole.anchor);
    expect(await anchorOf(desk, id, range.id)).toEqual({ ...range.anchor, ...lost });
  });

  it('is in the text of all locales in a shared value of the block', async () => {
    const desk = await open();
    const { id, ...made } = await leaflet(desk, {
      title: 'Rivers',
      sections: [section({ title: 'The lock', tone: 'very calm' })],
    });
    const block = blockId(made);
    const tone = await said(desk, id, 'Why?', at(block, 'tone', { from: 5, to: 9 }));
    const title = await said(desk, id, 'Which?', at(block, 'title', { from: 4, to: 8 }));
    const sections = [{ _ref: block, fields: { title: 'Die Schleuse', tone: 'not very calm' } }];
    await change(desk, id, { locale: 'de', fields: { title: 'Flüsse', sections } });
    expect(await anchorOf(desk, id, tone.id)).toMatchObject({ from: 9, to: 13 });
    expect(await anchorOf(desk, id, title.id)).toEqual(title.anchor);
  });

  it('needs a block of the draft in the locale, and a field of its type', async () => {
    const desk = await open();
    const { id, ...made } = await leaflet(desk, { title: 'Rivers', notes: [section({ title: 'Ferry' })] });
    await change(desk, id, { locale: 'de', fields: { title: 'Flüsse' } });
    const note = blockId(made, 'notes');
    const refused = async (anchor: object) => issues(await say(desk, id, 'No', { anchor }));
    expect(await refused({ ...at(note, 'title').anchor, locale: 'de' })).toEqual([
      ['anchor.block', 'unknown_block'],
    ]);
    expect(await refused(at(id, 'title').anchor)).toEqual([['anchor.block', 'unknown_block']]);
    expect(await refused(at(note, 'heading').anchor)).toEqual([['anchor.field', 'unknown_field']]);
    const { anchor } = await said(desk, id, 'Late', at(note.toUpperCase(), 'title'));
    expect(anchor?.block).toBe(note);
  });
});
