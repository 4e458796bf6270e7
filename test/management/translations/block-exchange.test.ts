import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { paragraphs } from '../../support/factories/content.js';
import {
  blockId,
  blocksIn,
  cardlet,
  createLeafletTypes,
  leaflet,
  section,
} from '../../support/factories/own-blocks.js';
import { filled } from '../../support/filled-xliff.js';
import { hasXliffSchema } from '../../support/optional-servers.js';
import { constraintErrors, schemaErrors } from '../../support/xliff.js';
import { change, now } from '../entries/history.js';
import { publishIn, translationIn } from './desk.js';

const app = useApp();

interface Report {
  readonly appliedFields: string[];
  readonly units: { unit: string; field: string; outcome: string; code: string | null }[];
}

const open = async (): Promise<Desk> => {
  const desk = await openDesk(app(), { locales: ['en', 'de'] });
  await createLeafletTypes(desk);
  return desk;
};

const exported = async (desk: Desk, id: string): Promise<string> =>
  (await desk.get(`/translations/${id}/de/export`)).text;

async function imported(desk: Desk, id: string, xliff: string): Promise<Report> {
  const response = await desk.post(`/translations/${id}/de/import`, { xliff });
  expect(outcome(response)).toEqual([200, undefined]);
  return (response.body as { data: Report }).data;
}

const inGerman = (xliff: string, texts: Record<string, string>): string =>
  Object.entries(texts).reduce(
    (text, [from, to]) => text.replaceAll(`<target>${from}</target>`, `<target>${to}</target>`),
    filled(xliff),
  );

describe('XLIFF of an entry with blocks', () => {
  it('has a unit for each text in blocks, and writes translations to where these are', async () => {
    const desk = await open();
    const made = await leaflet(desk, {
      title: 'Rivers',
      sections: [
        section({ title: 'Upper lock', tone: 'calm', text: paragraphs('Barges'), cards: [cardlet('Gate')] }),
      ],
      notes: [section({ title: 'Ferry', tone: 'loud' })],
    });
    await publishIn(desk, made.id, 'en');
    const [one, note] = [blockId(made), blockId(made, 'notes')];
    const card = blockId(blocksIn(made, 'sections')[0] ?? { fields: {} }, 'cards');
    const xliff = await exported(desk, made.id);
    expect([...xliff.matchAll(/ name="([^"]*)"/g)].map(([, name]) => name)).toEqual([
      'title',
      `notes[${note}].title`,
      `sections[${one}].title`,
      `sections[${one}].text.0`,
      `sections[${card}].heading`,
    ]);
    expect(xliff).toContain(`<unit id="sections.${one}.title-`);
    expect(constraintErrors(xliff)).toEqual([]);
    if (hasXliffSchema) expect(await schemaErrors({ 'blocks.xlf': xliff })).toEqual([]);
    const texts = {
      Rivers: 'Flüsse',
      'Upper lock': 'Schleuse',
      Barges: 'Kähne',
      Gate: 'Tor',
      Ferry: 'Fähre',
    };
    const report = await imported(desk, made.id, inGerman(xliff, texts));
    expect(report.units.map(({ outcome: result }) => result)).toEqual(Array<string>(5).fill('applied'));
    expect(report.appliedFields).toEqual([
      'title',
      'notes',
      `sections[${one}].title`,
      `sections[${one}].text`,
      `sections[${card}].heading`,
    ]);
    const { fields } = await now(desk, made.id, '?locale=de');
    expect(fields).toMatchObject({
      title: 'Flüsse',
      sections: [
        {
          _ref: one,
          fields: {
            title: 'Schleuse',
            tone: 'calm',
            text: paragraphs('Kähne'),
            cards: [{ _ref: card, fields: { heading: 'Tor' } }],
          },
        },
      ],
      notes: [{ _ref: note, fields: { title: 'Fähre', tone: 'loud' } }],
    });
    expect((await now(desk, made.id)).fields).toEqual(made.fields);
    expect(await translationIn(desk, made.id, 'de')).toMatchObject({ progress: 1, outdatedFields: [] });
    const again = await exported(desk, made.id);
    expect(again).toContain(
      '<source xml:space="preserve">Gate</source><target xml:space="preserve">Tor</target>',
    );
  });

  it('reports units of removed blocks, and applies all others', async () => {
    const desk = await open();
    const made = await leaflet(desk, {
      title: 'Rivers',
      sections: [section({ title: 'Upper lock' }), section({ title: 'Weir' })],
    });
    await publishIn(desk, made.id, 'en');
    const [one, two] = blocksIn(made, 'sections').map(({ _ref }) => _ref);
    const xliff = await exported(desk, made.id);
    const added = section({ title: 'Ferry' });
    await change(desk, made.id, { fields: { sections: [added, { _ref: two }] } });
    const report = await imported(desk, made.id, inGerman(xliff, { Weir: 'Wehr' }));
    const outcomes = report.units.map(({ field, outcome: result, code }) => [field, result, code]);
    expect(outcomes.slice(1)).toEqual([
      [`sections[${String(one)}].title`, 'invalid', 'removed_block'],
      [`sections[${String(two)}].title`, 'applied', null],
    ]);
    const sections = blocksIn(await now(desk, made.id, '?locale=de'), 'sections');
    expect(sections.map(({ fields: { title = null } }) => title)).toEqual([null, 'Wehr']);
  });

  it('leaves out a text whose source has changed, not those of other blocks', async () => {
    const desk = await open();
    const made = await leaflet(desk, {
      title: 'Rivers',
      sections: [section({ title: 'Upper lock' }), section({ title: 'Weir' })],
    });
    await publishIn(desk, made.id, 'en');
    const [one, two] = blocksIn(made, 'sections').map(({ _ref }) => _ref);
    const xliff = await exported(desk, made.id);
    const changed = [{ _ref: one, fields: { title: 'Lower lock' } }, { _ref: two }];
    await change(desk, made.id, { fields: { sections: changed } });
    await publishIn(desk, made.id, 'en');
    const report = await imported(desk, made.id, filled(xliff));
    expect(report.units.map(({ outcome: result }) => result)).toEqual(['applied', 'stale_source', 'applied']);
    expect(report.appliedFields).toEqual(['title', `sections[${String(two)}].title`]);
  });
});
