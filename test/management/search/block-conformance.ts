import { expect, it } from '@jest/globals';
import { column, openDesk, type Desk } from '../../support/desk.js';
import { send } from '../../support/call.js';
import { createEntry, createType, paragraphs, publish } from '../../support/factories/content.js';
import {
  blockId,
  blocksIn,
  cardlet,
  createLeafletTypes,
  leaflet,
  section,
} from '../../support/factories/own-blocks.js';
import { uploadAsset } from '../../support/factories/media.js';
import { change } from '../entries/history.js';
import { find, indexAll, titles, type SearchScene } from './scene.js';

/** How every provider finds text of blocks. Call it inside a suite. */
export function findsBlocks({ app }: SearchScene): void {
  const open = async (): Promise<Desk> => {
    const desk = await openDesk(app(), { locales: ['en', 'de'] });
    await createLeafletTypes(desk);
    return desk;
  };
  const delivered = async (desk: Desk, query: string) => {
    await indexAll(app());
    const path = `${desk.project.delivery}/search?${query}`;
    return (await send(desk.app, { method: 'GET', path })).body;
  };

  it('finds drafts by the text of their blocks on all levels, and names the path in highlights', async () => {
    const desk = await open();
    const text = paragraphs('Barges wait at the weir.');
    const made = await leaflet(desk, {
      title: 'Rivers',
      sections: [section({ title: 'Upper lock', text, tone: 'calm', cards: [cardlet('Tidal gate')] })],
      notes: [section({ title: 'Ferry times' })],
    });
    const id = blockId(made);
    const cardId = blocksIn(blocksIn(made, 'sections')[0] ?? { fields: {} }, 'cards')[0]?._ref ?? '';
    await indexAll(app());
    for (const [q, path, part] of [
      ['lock', `sections[${id}].title`, 'Upper <em>lock</em>'],
      ['barge', `sections[${id}].text`, '<em>Barges</em> wait at the weir.'],
      ['calm', `sections[${id}].tone`, '<em>calm</em>'],
      ['tidal', `sections[${id}].cards[${cardId}].heading`, '<em>Tidal</em> gate'],
      ['ferry', `notes[${blockId(made, 'notes')}].title`, '<em>Ferry</em> times'],
    ] as const) {
      const { body } = await find(desk, `q=${q}&highlight=true&facets=contentType`);
      expect(body.data).toMatchObject([
        { entryId: made.id, title: 'Rivers', highlights: { [path]: [part] } },
      ]);
      expect(Object.keys(body.data[0].highlights)).toEqual([path]);
      expect(body.meta.facets).toEqual({ contentType: { leaflet: 1 } });
    }
    expect((await find(desk, `q=${id}`)).body.meta.total).toBe(0);
  });

  it('finds a locale by its own text in shared blocks, until a block is removed', async () => {
    const desk = await open();
    const made = await leaflet(desk, {
      title: 'Rivers',
      sections: [section({ title: 'Upper lock', tone: 'calm' })],
    });
    const kept = { _ref: blockId(made), fields: { title: 'Obere Schleuse' } };
    await change(desk, made.id, { locale: 'de', fields: { title: 'Flüsse', sections: [kept] } });
    expect(await titles(desk, 'schleuse')).toEqual(['Flüsse']);
    expect(await titles(desk, 'lock')).toEqual(['Rivers']);
    expect((await titles(desk, 'calm')).sort()).toEqual(['Flüsse', 'Rivers']);
    const { body } = await find(desk, 'q=schleuse&fields=sections&contentTypeApiName=leaflet');
    expect(body.data[0].fields.sections).toMatchObject([
      { fields: { title: 'Obere Schleuse', tone: 'calm' } },
    ]);
    await change(desk, made.id, { fields: { sections: [] } });
    for (const q of ['schleuse', 'lock', 'calm']) expect(await titles(desk, q)).toEqual([]);
  });

  it('finds entries by the texts of pictures that their blocks show', async () => {
    const desk = await open();
    const picture = await uploadAsset(desk.app, desk.project, { altText: 'A harbour' });
    const made = await leaflet(desk, {
      title: 'Rivers',
      sections: [section({ cards: [cardlet('Gate')] })],
      notes: [section({ picture: { _ref: picture.id, _type: 'MediaAsset' } })],
    });
    await publish(desk.app, desk.project, made.id);
    expect(await titles(desk, 'harbour')).toEqual(['Rivers']);
    expect((await delivered(desk, 'q=harbour')).meta.total).toBe(1);
    await change(desk, made.id, { fields: { notes: [] } });
    expect(await titles(desk, 'harbour')).toEqual([]);
  });

  it('finds drafts and published entries by the text of groups', async () => {
    const desk = await open();
    const { app: service, project } = desk;
    const hero = { apiName: 'hero', type: 'blocks', localized: false, validations: { maxItems: 1 } };
    const settings = { shape: 'group', contentTypes: ['section'] };
    await createType(service, project, {
      apiName: 'landing',
      displayField: 'title',
      fields: [
        { apiName: 'title', type: 'text' },
        { ...hero, settings },
      ],
    });
    const fields = { title: 'Home', hero: { fields: { title: 'Tidal barrier' } } };
    const made = await createEntry(service, project, { contentTypeApiName: 'landing', fields });
    await publish(service, project, made.id);
    const { _ref: id } = made.fields.hero as { _ref: string };
    const highlights = { [`hero[${id}].title`]: ['Tidal <em>barrier</em>'] };
    expect((await delivered(desk, 'q=barrier&highlight=true')).data).toMatchObject([
      { title: 'Home', highlights },
    ]);
    const { body } = await find(desk, 'q=barrier&highlight=true&fields=hero&contentTypeApiName=landing');
    expect(body.data).toMatchObject([
      { highlights, fields: { hero: { fields: { title: 'Tidal barrier' } } } },
    ]);
  });

  it('finds published entries by the text of their blocks as published', async () => {
    const desk = await open();
    const made = await leaflet(desk, {
      title: 'Rivers',
      sections: [section({ title: 'Upper lock', cards: [cardlet('Tidal gate')] })],
    });
    const id = blockId(made);
    await publish(desk.app, desk.project, made.id);
    await change(desk, made.id, { fields: { sections: [{ _ref: id, fields: { title: 'New weir' } }] } });
    const { data, meta } = await delivered(desk, 'q=upper+lock&highlight=true&include=1');
    expect([meta.total, data[0].title]).toEqual([1, 'Rivers']);
    expect(data[0].highlights).toEqual({ [`sections[${id}].title`]: ['<em>Upper</em> <em>lock</em>'] });
    expect(data[0].entry.fields.sections).toMatchObject([{ _id: id, fields: { title: 'Upper lock' } }]);
    expect((await delivered(desk, 'q=tidal')).meta.total).toBe(1);
    expect((await delivered(desk, 'q=weir')).meta.total).toBe(0);
    expect(column(await find(desk, 'q=weir'), 'title')).toEqual(['Rivers']);
  });
}
