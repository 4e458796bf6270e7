import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { blocksOf, card, createBlockTypes, linked, page } from './blocks.js';

const app = useApp();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app());
  await createBlockTypes(desk);
});

const put = (id: string, version: number, fields: object, rest: object = {}) =>
  desk.put(`/entries/${id}`, { version, fields, ...rest });

describe('Two editors of one entry', () => {
  verifies('entries/own-blocks', 'entries/write');

  it('merge changes of different blocks and fields, and conflict at the path of the same field', async () => {
    const made = await page(desk, { title: 'T', body: [card('One'), card('Two')] });
    const [one = '', two = ''] = linked(made);
    const edit = (ref: string, heading: string) =>
      [one, two].map((_ref) => (_ref === ref ? { _ref, fields: { heading } } : { _ref }));
    expect((await put(made.id, 1, { body: edit(one, 'One by A') })).status).toBe(200);
    const merged = await put(made.id, 1, { body: edit(two, 'Two by B') }, { mergeStrategy: 'disjoint' });
    expect(outcome(merged)).toEqual([200, undefined]);
    expect(blocksOf(merged.body.data).map(({ fields }) => fields.heading)).toEqual(['One by A', 'Two by B']);
    const clash = await put(made.id, 1, { body: edit(one, 'One by B') }, { mergeStrategy: 'disjoint' });
    expect(outcome(clash)).toEqual([409, 'version_conflict']);
    expect(clash.body.details.changedFields).toEqual([
      { field: `body[${one}].heading`, base: 'One', current: 'One by A', yours: 'One by B' },
      { field: `body[${two}].heading`, base: 'Two', current: 'Two by B', yours: 'Two' },
    ]);
  });

  it('merge a new block with an edit, and conflict where a removed block was edited', async () => {
    const made = await page(desk, { body: [card('One'), card('Two')] });
    const [one = '', two = ''] = linked(made);
    await put(made.id, 1, { body: [{ _ref: one }, card('New'), { _ref: two }] });
    const edit = [{ _ref: one, fields: { heading: 'Edited' } }, { _ref: two }];
    const merged = await put(made.id, 1, { body: edit }, { mergeStrategy: 'disjoint' });
    expect(blocksOf(merged.body.data).map(({ fields }) => fields.heading)).toEqual(['Edited', 'New', 'Two']);
    const gone = await put(made.id, 2, { body: [{ _ref: two }] }, { mergeStrategy: 'disjoint' });
    expect(outcome(gone)).toEqual([409, 'version_conflict']);
    const both = await put(made.id, 1, { body: edit });
    expect(outcome(both)).toEqual([409, 'version_conflict']);
  });
});
