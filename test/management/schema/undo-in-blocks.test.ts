import { beforeEach, describe, expect, it } from '@jest/globals';
import { expectConsistent } from '../../support/consistency.js';
import { useOwnApp, type Desk } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import {
  first,
  need,
  openPages,
  publishedBlocks,
  publishedPage,
  readPage,
  writePage,
  type Ids,
} from '../fields/own-blocks.js';

const app = useOwnApp();
let desk: Desk;
let id: string;
let ids: Ids;

interface WrittenType {
  readonly apiName: string;
  displayField?: string;
  fields: { readonly apiName: string; readonly [key: string]: unknown }[];
}

beforeEach(async () => {
  desk = await openPages(app());
  ({ id, ids } = await publishedPage(desk));
});

/** Applies the schema with one field rewritten, or without it. */
async function apply(type: string, field: string, change: object | null): Promise<string> {
  const { schema } = await need<{ schema: { contentTypes: WrittenType[] } }>(desk, 'GET', '/schema/export');
  const { contentTypes } = schema;
  for (const one of contentTypes.filter(({ apiName }) => apiName === type)) {
    delete one.displayField;
    one.fields = one.fields.flatMap((held) =>
      held.apiName !== field ? [held] : change === null ? [] : [{ ...held, ...change }],
    );
  }
  const applied = await need<{ applyId: string }>(desk, 'POST', '/schema/apply', {
    schema: { contentTypes },
    allowDestructive: true,
  });
  return applied.applyId;
}

const undo = (applyId: string) => need(desk, 'POST', '/schema/undo', { applyId });

/** Drafts, statuses and published blocks in both locales. */
async function shown(): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const locale of ['en', 'de']) {
    const { fields, locales } = await readPage(desk, id, locale);
    found.push(
      fields,
      locales.map(({ status }) => status),
      await publishedBlocks(desk, id, locale),
    );
    const { delivery } = desk.project;
    const { body } = await app().request.get(`${delivery}/entries/${id}?locale=${locale}&include=3`);
    found.push((body as { data: { fields: object } }).data.fields);
  }
  return found;
}

describe('The undo of a schema, in own blocks', () => {
  verifies('environments/schema-undo');

  it.each([
    ['the deletion of a localized field of a block type', ['card', 'heading', null]],
    ['the deletion of a shared field of a block type', ['card', 'tone', null]],
    ['the deletion of a blocks field', ['page', 'body', null]],
    ['the deletion of a localized blocks field', ['page', 'parts', null]],
    ['the deletion of a blocks field of a block type', ['section', 'cards', null]],
    ['a field of a block type that became shared', ['card', 'heading', { localized: false }]],
    ['a blocks field that became shared', ['page', 'parts', { localized: false }]],
    ['a blocks field that became localized', ['page', 'body', { localized: true }]],
    ['a field of a block type that became a list', ['card', 'heading', { isList: true }]],
  ] as const)('restores what was before %s', async (_what, [type, field, change]) => {
    const before = await shown();
    const applyId = await apply(type, field, change);
    await expectConsistent(app(), desk.project);
    await undo(applyId);
    expect(await shown()).toEqual(before);
    await expectConsistent(app(), desk.project);
  });

  it('restores values beside what was edited since', async () => {
    const applyId = await apply('card', 'heading', null);
    const card = { _ref: ids.card, fields: { tone: 'new' } };
    const body = [{ _ref: ids.section, fields: { cards: [card] } }];
    await writePage(desk, id, { version: 2, locale: 'en', fields: { body } });
    await undo(applyId);
    const { fields, locales } = await readPage(desk, id);
    const cards = first(first(fields, 'body').fields, 'cards').fields;
    expect([cards.heading, cards.tone]).toEqual(['Card', 'new']);
    expect(locales.map(({ status }) => status)).toEqual(['changed', 'changed']);
    await expectConsistent(app(), desk.project);
  });
});
