import { describe, expect, it } from '@jest/globals';
import { expectConsistent } from '../../support/consistency.js';
import { openDesk, useOwnApp, type Desk } from '../../support/desk.js';
import { createType } from '../../support/factories/content.js';
import { uploadAsset } from '../../support/factories/media.js';
import { blockId, blocksIn } from '../../support/factories/own-blocks.js';
import { must } from '../../support/call.js';
import { verifies } from '../../support/verifies.js';
import { change } from '../entries/history.js';
import { readHealth } from './read-health.js';

const app = useOwnApp();

const missingId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5aff';

/** A page with panels in a shared list and in a localized one. */
async function open(): Promise<Desk> {
  const desk = await openDesk(app(), { locales: ['en', 'de'] });
  const { project } = desk;
  await createType(app(), project, {
    apiName: 'panel',
    isBlock: true,
    fields: [
      { apiName: 'heading', type: 'text', required: true },
      { apiName: 'tone', type: 'text', required: true, localized: false },
      { apiName: 'picture', type: 'media', localized: false },
      { apiName: 'inner', type: 'blocks', localized: false, settings: { contentTypes: ['panel'] } },
    ],
  });
  const settings = { contentTypes: ['panel'] };
  await createType(app(), project, {
    apiName: 'board',
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'panels', type: 'blocks', localized: false, settings },
      { apiName: 'extras', type: 'blocks', localized: true, settings },
    ],
  });
  return desk;
}

const panel = (fields: object) => ({ _type: 'panel', fields });

const board = ({ project }: Desk, fields: object) =>
  must<{ id: string; fields: object }>(app(), {
    method: 'POST',
    path: `${project.management}/entries`,
    key: project.keys.management,
    body: { contentTypeApiName: 'board', siteId: project.siteId, slug: 'board', fields },
  });

const wanted = ['missing_required', 'missing_alt_text', 'broken_reference'];

/** Issues in fields, from stored issues and for entries that wait alike. */
async function issuesOf(desk: Desk): Promise<(string | undefined)[][]> {
  const read = async () => {
    const { rows } = await readHealth(desk, 'contentTypeApiName=board');
    const issues = rows.flatMap((row) => row.issues).filter(({ code }) => wanted.includes(code));
    return issues.map(({ code, field, block, locale }) => [code, field, block, locale]).sort();
  };
  const waiting = await read();
  await app().composition.jobs.assessHealth();
  expect(await read()).toEqual(waiting);
  return waiting;
}

describe('Content health of blocks', () => {
  verifies('reports/content-health');

  it('counts missing values of blocks for their entry, in each locale', async () => {
    const desk = await open();
    const made = await board(desk, {
      title: 'Board',
      panels: [panel({ heading: 'One', inner: [panel({ heading: ' ', tone: 'calm' })] })],
      extras: [panel({})],
    });
    const [one, extra] = [blockId(made, 'panels'), blockId(made, 'extras')];
    const inner = blockId(blocksIn(made, 'panels')[0] ?? { fields: {} }, 'inner');
    const ofEnglish = [
      ['missing_required', 'heading', extra, 'en'],
      ['missing_required', 'heading', inner, 'en'],
      ['missing_required', 'tone', extra, 'en'],
      ['missing_required', 'tone', one, undefined],
    ];
    expect(await issuesOf(desk)).toEqual(ofEnglish.toSorted());
    expect((await readHealth(desk)).summary).toMatchObject({ entries: 1, byType: { missing_required: 4 } });
    const german = [
      { _ref: one, fields: { tone: 'calm', inner: [{ _ref: inner, fields: { heading: 'Zwei' } }] } },
    ];
    await change(desk, made.id, { locale: 'de', fields: { title: 'Tafel', panels: german } });
    const both = [...ofEnglish.slice(0, 3), ['missing_required', 'heading', one, 'de']];
    expect(await issuesOf(desk)).toEqual(both.toSorted());
    await change(desk, made.id, { fields: { panels: [], extras: [] } });
    expect(await issuesOf(desk)).toEqual([]);
    await expectConsistent(app(), desk.project);
  });

  it('names the block of a picture without alternative text, and of a broken link', async () => {
    const desk = await open();
    const picture = await uploadAsset(app(), desk.project);
    const shown = (id: string) => panel({ heading: 'One', tone: 'calm', picture: { _ref: id } });
    const made = await board(desk, {
      title: 'Board',
      panels: [shown(picture.id)],
      extras: [shown(missingId)],
    });
    expect(await issuesOf(desk)).toEqual([
      ['broken_reference', 'picture', blockId(made, 'extras'), 'en'],
      ['missing_alt_text', 'picture', blockId(made, 'panels'), 'en'],
    ]);
    await expectConsistent(app(), desk.project);
  });

  it('notices that a field of a block type becomes required', async () => {
    const desk = await open();
    const made = await board(desk, { title: 'Board', panels: [panel({ heading: 'One', tone: 'calm' })] });
    expect(await issuesOf(desk)).toEqual([]);
    const field = { apiName: 'note', type: 'text', required: true };
    expect((await desk.post('/content-types/panel/fields', field)).status).toBe(201);
    expect(await issuesOf(desk)).toEqual([['missing_required', 'note', blockId(made, 'panels'), 'en']]);
    await expectConsistent(app(), desk.project);
  });
});
