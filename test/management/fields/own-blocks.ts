import { must } from '../../support/call.js';
import { openDesk, type Desk } from '../../support/desk.js';
import type { TestApp } from '../../support/app.js';
import { createType, publish, type TestEntry } from '../../support/factories/content.js';

const cardFields = [
  { apiName: 'heading', type: 'text' },
  { apiName: 'tone', type: 'text', localized: false },
  { apiName: 'author', type: 'reference', settings: { contentTypes: ['author'] } },
  { apiName: 'data', type: 'json', localized: false },
];

const sectionFields = [
  { apiName: 'title', type: 'text' },
  { apiName: 'cards', type: 'blocks', localized: false, settings: { contentTypes: ['card'] } },
  { apiName: 'extras', type: 'blocks', localized: true, settings: { contentTypes: ['card'] } },
];

/** A project with pages; a page has sections in a shared list (`body`) and in a localized one (`parts`). */
export async function openPages(app: TestApp): Promise<Desk> {
  const desk = await openDesk(app);
  const { project } = desk;
  await createType(app, project, { apiName: 'card', isBlock: true, fields: cardFields });
  await createType(app, project, { apiName: 'section', isBlock: true, fields: sectionFields });
  const settings = { contentTypes: ['section', 'card'] };
  await createType(app, project, {
    apiName: 'page',
    displayField: 'title',
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'body', type: 'blocks', localized: false, settings },
      { apiName: 'parts', type: 'blocks', localized: true, settings },
    ],
  });
  return desk;
}

export const need = <T = TestEntry>(
  { app, project }: Desk,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  suffix: string,
  body?: object,
): Promise<T> =>
  must<T>(app, { method, path: `${project.management}${suffix}`, key: project.keys.management, body });

export const newPage = (desk: Desk, fields: object): Promise<TestEntry> =>
  need(desk, 'POST', '/entries', {
    contentTypeApiName: 'page',
    siteId: desk.project.siteId,
    locale: 'en',
    fields,
  });

export const writePage = (desk: Desk, id: string, body: object): Promise<TestEntry> =>
  need(desk, 'PUT', `/entries/${id}`, body);

export const readPage = (desk: Desk, id: string, locale = 'en'): Promise<TestEntry> =>
  need(desk, 'GET', `/entries/${id}?locale=${locale}`);

/** An own block as management returns it. */
export interface Item {
  readonly _ref: string;
  readonly _type: string;
  readonly fields: Record<string, unknown>;
}

export const itemsIn = (fields: object, name: string): Item[] =>
  (fields as Record<string, Item[]>)[name] ?? [];

export const first = (fields: object, name: string): Item => {
  const [item] = itemsIn(fields, name);
  if (item === undefined) throw new Error(`The field ${name} has no block.`);
  return item;
};

/** A value that looks like a block of the type, which no change of the type may touch. */
export const lookalike = { _ref: 'x', _type: 'card', fields: { heading: 'Not a block', tone: 'x' } };

/** Ids of the blocks of {@link publishedPage}. */
export interface Ids {
  readonly section: string;
  readonly card: string;
  readonly extra: string;
  readonly part: string;
}

/**
 * A page in two locales, published in both: a section with a card (shared) and an extra card (localized) in `body`, and
 * a card of each locale in `parts`.
 */
export async function publishedPage(desk: Desk): Promise<{ id: string; ids: Ids }> {
  const card = (heading: string, tone: string) => ({
    _type: 'card',
    fields: { heading, tone, data: lookalike },
  });
  const made = await newPage(desk, {
    title: 'Page',
    body: [
      {
        _type: 'section',
        fields: { title: 'Section', cards: [card('Card', 'calm')], extras: [card('Extra', 'loud')] },
      },
    ],
    parts: [card('Part', 'soft')],
  });
  const section = first(made.fields, 'body');
  const ids = {
    section: section._ref,
    card: first(section.fields, 'cards')._ref,
    extra: first(section.fields, 'extras')._ref,
    part: first(made.fields, 'parts')._ref,
  };
  await writePage(desk, made.id, {
    version: 1,
    locale: 'de',
    fields: {
      title: 'Seite',
      body: [
        {
          _ref: ids.section,
          fields: { title: 'Abschnitt', cards: [{ _ref: ids.card, fields: { heading: 'Karte' } }] },
        },
      ],
      parts: [card('Teil', 'weich')],
    },
  });
  for (const locale of ['en', 'de']) await publish(desk.app, desk.project, made.id, locale);
  return { id: made.id, ids };
}

/** The published blocks of an entry as delivered, by id, without shared links. */
export async function publishedBlocks(
  desk: Desk,
  id: string,
  locale = 'en',
): Promise<Record<string, { fields: Record<string, unknown> }>> {
  const rows = await desk.app.rows<{ blocks: Record<string, { fields: Record<string, unknown> }> }>(
    desk.project.tenantId,
    'SELECT blocks FROM published_entries WHERE entry_id = $1 AND locale = $2',
    [id, locale],
  );
  return rows[0]?.blocks ?? {};
}
