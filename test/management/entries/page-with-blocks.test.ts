import { beforeAll, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { openDesk, useOwnApp, type Desk } from '../../support/desk.js';
import { branch } from '../../support/factories/branch.js';
import type { TestEntry } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { ok } from '../../contracts/approved-page.js';
import { find, indexAll } from '../search/scene.js';
import { editorial, editorRole, member, moveTo, newWorkflow, stateOf } from '../workflows/definitions.js';
import { blocksOf, card, createBlockTypes, linked, page, type Block } from './blocks.js';
import { change, now } from './history.js';

verifies('entries/own-blocks', 'delivery/own-blocks', 'publication/blocks', 'environments/own-blocks');

const app = useOwnApp();
let desk: Desk;
let editor: Desk;

beforeAll(async () => {
  desk = await openDesk(app(), { locales: ['en', 'de'] });
  await createBlockTypes(desk);
  await newWorkflow(desk, editorial({ contentTypes: ['page'], enforcement: 'strict' }));
  editor = (await member(desk, await editorRole(desk))).desk;
});

const section = (title: string, ...cards: object[]) => ({ _type: 'section', fields: { title, cards } });
const inner = (block: Block | undefined): Block[] => (block?.fields.cards ?? []) as Block[];

/** Titles and headings from the outside to the inside. */
const textsOf = (entry: Pick<TestEntry, 'fields'>): unknown[] =>
  blocksOf(entry).flatMap((block) => [
    block.fields.title ?? block.fields.heading,
    ...inner(block).map(({ fields }) => fields.heading),
  ]);
const textsIn = async (at: Desk, id: string, locale: string) =>
  textsOf(await now(at, id, `?locale=${locale}`));

/** What visitors read of an entry; the error of one that is not published. */
async function delivered(id: string, locale: string): Promise<unknown> {
  const { delivery } = desk.project;
  const path = `${delivery}/entries/${id}?include=3&locale=${locale}`;
  const { body } = await send(app(), { method: 'GET', path });
  return body.data === undefined ? body.error : textsOf(body.data as TestEntry);
}

const published = async (id: string, locale: string) => {
  ok(await desk.post(`/entries/${id}/publish`, { locale }));
  return delivered(id, locale);
};

async function approve(id: string): Promise<void> {
  ok(await moveTo(desk, id, 'review'));
  ok(await moveTo(desk, id, 'approved'));
}

async function translate(entry: TestEntry): Promise<void> {
  const [first, second] = blocksOf(entry);
  const cards = inner(first).map(({ _ref }) => ({ _ref, fields: { heading: 'Schleuse' } }));
  const body = [
    { _ref: first?._ref, fields: { title: 'Fluss', cards } },
    { _ref: second?._ref, fields: { heading: 'Fähre' } },
  ];
  ok(await change(desk, entry.id, { locale: 'de', fields: { title: 'Seite', body } }));
}

const english = ['River', 'Lock', 'Ferry'];
const german = ['Fluss', 'Schleuse', 'Fähre'];

it('a page with blocks is translated, approved, published, duplicated, searched, promoted and restored as one document', async () => {
  const made = await page(desk, { title: 'Page', body: [section('River', card('Lock')), card('Ferry')] });
  const ids = linked(made);
  await translate(made);
  expect([await textsIn(desk, made.id, 'en'), await textsIn(desk, made.id, 'de')]).toEqual([english, german]);

  await approve(made.id);
  expect(await published(made.id, 'en')).toEqual(english);
  expect(await published(made.id, 'de')).toEqual(german);

  const copied = ok(await desk.post(`/entries/${made.id}/duplicate`, {}));
  const copy = (copied.body as { data: TestEntry }).data;
  expect(linked(copy).filter((id) => ids.includes(id))).toEqual([]);
  expect([await textsIn(desk, copy.id, 'en'), await textsIn(desk, copy.id, 'de')]).toEqual([english, german]);
  const quay = [{ _ref: linked(copy)[0] }, { _ref: linked(copy)[1], fields: { heading: 'Quay' } }];
  ok(await change(desk, copy.id, { fields: { title: 'Copy', body: quay } }));
  expect(await textsIn(desk, made.id, 'en')).toEqual(english);
  expect([await stateOf(desk, copy.id), await stateOf(desk, made.id)]).toEqual(['draft', 'approved']);
  expect(await delivered(copy.id, 'en')).toBe('entry_not_found');

  await indexAll(app());
  const hits = async (q: string) => {
    const { body } = await find(desk, `q=${encodeURIComponent(q)}&highlight=true`);
    return (body.data as { entryId: string; highlights: object }[]).map(({ entryId, highlights }) => [
      entryId,
      Object.keys(highlights),
    ]);
  };
  expect(await hits('quay')).toEqual([[copy.id, [`body[${linked(copy)[1] ?? ''}].heading`]]]);
  expect(await hits('Fähre')).toEqual(expect.arrayContaining([[made.id, [`body[${ids[1] ?? ''}].heading`]]]));

  const slug = await branch(desk);
  const source = desk.in(slug);
  const pier = [{ _ref: ids[1], fields: { heading: 'Pier' } }, { _ref: ids[0] }];
  ok(await change(source, made.id, { fields: { body: pier } }));
  const bridge = [{ _ref: ids[0], fields: { title: 'Bridge' } }, { _ref: ids[1] }];
  ok(await change(desk, made.id, { fields: { body: bridge } }));
  ok(await desk.post(`/environments/${slug}/promote`, { mode: 'full', target: 'main' }));
  expect(await textsIn(desk, made.id, 'en')).toEqual(['Pier', 'Bridge', 'Lock']);
  expect(await textsIn(desk, made.id, 'de')).toEqual(['Fähre', 'Fluss', 'Schleuse']);
  expect(await stateOf(desk, made.id)).toBe('draft');
  expect(await delivered(made.id, 'en')).toEqual(english);
  const early = await editor.post(`/entries/${made.id}/publish`, { locale: 'en' });
  expect([early.status, (early.body as { error: string }).error]).toEqual([409, 'workflow_not_approved']);

  const shortened = await now(desk, made.id);
  ok(await change(desk, made.id, { fields: { body: [] } }));
  expect(await textsIn(desk, made.id, 'en')).toEqual([]);
  ok(await desk.post(`/entries/${made.id}/versions/${String(shortened.version)}/restore`, {}));
  expect(await textsIn(desk, made.id, 'en')).toEqual(['Pier', 'Bridge', 'Lock']);
  expect(linked(await now(desk, made.id))).toEqual([ids[1], ids[0]]);

  await approve(made.id);
  expect(await published(made.id, 'en')).toEqual(['Pier', 'Bridge', 'Lock']);
  ok(await desk.delete(`/entries/${made.id}`));
  for (const id of [made.id, ...ids]) expect(await delivered(id, 'en')).toBe('entry_not_found');
});
