import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp, type Desk } from '../support/desk.js';
import { createEntry, createType, paragraphs, type TestEntry } from '../support/factories/content.js';
import { blockId, cardlet, createLeafletTypes, leaflet, section } from '../support/factories/own-blocks.js';
import { createLivePage, createPageType } from '../support/factories/tree.js';
import { verifies } from '../support/verifies.js';
import { send } from '../support/call.js';

const app = useApp();
let desk: Desk;
let author: TestEntry;
let sheet: TestEntry;
let blockIds: { section: string; card: string };

const plain = { in: ['low', 'high'] };
const shapes = {
  line: 'A line',
  lines: ['One', 'Two'],
  long: 'A long text',
  body: paragraphs('First words', 'More words'),
  address: 'https://example.com/a',
  mail: 'a@example.com',
  handle: 'a-handle',
  count: 3,
  day: '2026-01-02',
  level: 'low',
  tone: 'low',
  code: 'AB-1',
  raw: { note: 'Nothing' },
};

beforeAll(async () => {
  desk = await openDesk(app());
  await createLeafletTypes(desk);
  await createType(app(), desk.project, {
    apiName: 'sheet',
    fields: [
      { apiName: 'line', type: 'text' },
      { apiName: 'lines', type: 'text', isList: true },
      { apiName: 'long', type: 'longText' },
      { apiName: 'body', type: 'richText' },
      { apiName: 'address', type: 'url' },
      { apiName: 'mail', type: 'email' },
      { apiName: 'handle', type: 'slug' },
      { apiName: 'count', type: 'integer' },
      { apiName: 'day', type: 'date' },
      { apiName: 'level', type: 'select', settings: { options: [{ value: 'low' }, { value: 'high' }] } },
      { apiName: 'tone', type: 'text', validations: plain },
      { apiName: 'code', type: 'text', validations: { pattern: '^[A-Z]+-[0-9]$' } },
      { apiName: 'raw', type: 'json' },
    ],
  });
  author = await createEntry(app(), desk.project, { contentTypeApiName: 'author', fields: { name: 'Ada' } });
  const fields = section({
    title: 'Part',
    author: { _ref: author.id, _type: 'author' },
    cards: [cardlet('Card')],
  });
  sheet = await createEntry(app(), desk.project, { contentTypeApiName: 'sheet', fields: shapes });
  const made = await leaflet(desk, { title: 'Leaflet', sections: [fields] });
  const part = (made.fields as { sections: { _ref: string; fields: object }[] }).sections[0];
  blockIds = { section: blockId(made), card: blockId(part ?? { fields: {} }, 'cards') };
  leafletId = made.id;
});
let leafletId: string;

interface Reply {
  readonly data: unknown;
  readonly meta?: { readonly contentSourceMaps?: Readonly<Record<string, unknown>>; readonly total?: number };
}

async function read(path: string, key = desk.project.keys.preview): Promise<Reply> {
  const { body } = await send(app(), { method: 'GET', path: `${desk.project.delivery}/${path}`, key });
  return body as Reply;
}

async function ask(query: string, form: string, key = desk.project.keys.preview) {
  const path = `/api/graphql/${desk.project.slug}?contentSourceMaps=${form}`;
  const { status, body } = await send(app(), { method: 'POST', path, key, body: { query } });
  return { status, body };
}

const HIDDEN = /\u2063([\u200B\u200C\u200D\u2060]+)\u2063/g;

/** As the README says that it is written. */
function unhidden(text: string): unknown {
  const [, digits = ''] = [...text.matchAll(HIDDEN)][0] ?? [];
  const values = [...digits].map((digit) => ['\u200B', '\u200C', '\u200D', '\u2060'].indexOf(digit));
  const bytes = Array.from({ length: values.length / 4 }, (_, at) =>
    values.slice(at * 4, at * 4 + 4).reduce((byte, value) => byte * 4 + value, 0),
  );
  return JSON.parse(Buffer.from(bytes).toString());
}

const sourceOf = (entryId: string, path: string) => ({ entryId, locale: 'en', path });

describe('contentSourceMaps=json', () => {
  verifies('publication/source-maps');

  it('names entry, locale and path of every value by pointer, in blocks and expanded entries too', async () => {
    const { data, meta } = await read(`entries/${leafletId}?include=2&blocks=all&contentSourceMaps=json`);
    const at = `sections[${blockIds.section}]`;
    expect(data).toMatchObject({
      fields: { sections: [{ fields: { cards: [{ fields: { heading: 'Card' } }] } }] },
    });
    expect(meta?.contentSourceMaps).toMatchObject({
      '/fields/title': sourceOf(leafletId, 'title'),
      '/fields/sections': sourceOf(leafletId, 'sections'),
      '/fields/sections/0/fields/title': sourceOf(leafletId, `${at}.title`),
      '/fields/sections/0/fields/cards/0/fields/heading': sourceOf(
        leafletId,
        `${at}.cards[${blockIds.card}].heading`,
      ),
      '/fields/sections/0/fields/author/fields/name': sourceOf(author.id, 'name'),
    });
  });

  it('is in lists, routes and search as well, beside the meta that they have', async () => {
    const list = await read('content/sheet?contentSourceMaps=json');
    expect(list.meta).toMatchObject({
      total: 1,
      contentSourceMaps: { '/0/fields/body': sourceOf(sheet.id, 'body') },
    });
    const found = await read('search?contentTypeApiName=sheet&contentSourceMaps=json');
    expect(found.meta?.total).toBe((found.data as unknown[]).length);
    expect(found.meta?.contentSourceMaps).toBeDefined();
    expect((await read('content/sheet')).meta).not.toHaveProperty('contentSourceMaps');
  });

  it('names the texts of the entry at a path', async () => {
    await createPageType(app(), desk.project);
    for (const slug of ['about', 'team']) {
      const { id } = await createLivePage(app(), desk.project, { slug });
      const { meta } = await read(`routes?path=/${slug}&contentSourceMaps=json`);
      expect(meta?.contentSourceMaps).toMatchObject({ '/entry/fields/title': sourceOf(id, 'title') });
    }
  });

  it('says the locale that is served', async () => {
    await desk.put(`/entries/${leafletId}`, { version: 1, locale: 'de', fields: { title: 'Blatt' } });
    const { meta } = await read(`entries/${leafletId}?locale=de&contentSourceMaps=json`);
    expect(meta?.contentSourceMaps?.['/fields/title']).toEqual({
      ...sourceOf(leafletId, 'title'),
      locale: 'de',
    });
  });

  it('is in the extensions of GraphQL, with aliases, blocks and references', async () => {
    const query = `{ one: entry(id: "${leafletId}") { ... on Leaflet { heading: title
      sections { ... on Section { title cards { ... on Cardlet { heading } } author { name } } } } } }`;
    const { body } = await ask(query, 'json');
    const at = `sections[${blockIds.section}]`;
    expect(body.extensions?.contentSourceMaps).toEqual({
      '/one/heading': sourceOf(leafletId, 'title'),
      '/one/sections': sourceOf(leafletId, 'sections'),
      '/one/sections/0/title': sourceOf(leafletId, `${at}.title`),
      '/one/sections/0/cards': sourceOf(leafletId, `${at}.cards`),
      '/one/sections/0/cards/0/heading': sourceOf(leafletId, `${at}.cards[${blockIds.card}].heading`),
      '/one/sections/0/author': sourceOf(leafletId, `${at}.author`),
      '/one/sections/0/author/name': sourceOf(author.id, 'name'),
    });
  });
});

describe('contentSourceMaps=stega', () => {
  verifies('publication/source-maps');

  it('hides the source in what people read, and in nothing else', async () => {
    const { data, meta } = await read(`entries/${sheet.id}?contentSourceMaps=stega`);
    const { data: shown } = await read(`entries/${sheet.id}`);
    expect(JSON.stringify(data).replace(HIDDEN, '')).toBe(JSON.stringify(shown));
    expect(meta).toBeUndefined();
    const { fields } = data as { fields: Record<string, unknown> };
    const texts = { ...fields, body: (fields.body as { html: string }).html };
    const hidden = Object.entries(texts).filter(([, value]) => JSON.stringify(value).includes('\u2063'));
    expect(hidden.map(([name]) => name)).toEqual(['line', 'lines', 'long', 'body']);
    for (const [name, value] of hidden)
      for (const text of [value].flat()) expect(unhidden(String(text))).toEqual([sheet.id, 'en', name]);
    expect(texts.body).toMatch(/^<p>First words\u2063[^<]+\u2063<\/p><p>More words<\/p>$/);
    expect((data as { _slug: string })._slug).not.toContain('\u2063');
  });

  it('hides it in the strings of GraphQL', async () => {
    const query = `{ entry(id: "${sheet.id}") { _slug ... on Sheet { line lines address mail handle tone code body { html text } } } }`;
    const { body } = await ask(query, 'stega');
    const { entry } = body.data as {
      entry: Record<string, string> & { body: { html: string; text: string } };
    };
    expect(unhidden(entry.line ?? '')).toEqual([sheet.id, 'en', 'line']);
    expect(unhidden(entry.body.html)).toEqual([sheet.id, 'en', 'body']);
    const rest = [
      entry._slug,
      entry.address,
      entry.mail,
      entry.handle,
      entry.tone,
      entry.code,
      entry.body.text,
    ];
    expect(rest.join('')).not.toContain('\u2063');
    expect(body.extensions).not.toHaveProperty('contentSourceMaps');
  });
});

describe('A request for source maps', () => {
  verifies('publication/source-maps');

  it('is served to preview sessions and management keys, and refused for published content', async () => {
    const { keys, siteId } = desk.project;
    const made = await desk.post('/preview-sessions', { siteId });
    const { token } = (made.body as { data: { token: string } }).data;
    const path = `entries/${sheet.id}?contentSourceMaps=json`;
    for (const reply of [await read(path, keys.management), await read(`${path}&previewToken=${token}`, '')])
      expect(reply.meta?.contentSourceMaps).toBeDefined();
    for (const key of [undefined, keys.delivery]) {
      for (const part of [
        path,
        'content/sheet?contentSourceMaps=stega',
        'routes?path=/&contentSourceMaps=json',
      ]) {
        const call = { method: 'GET', path: `${desk.project.delivery}/${part}`, key } as const;
        expect(outcome(await send(app(), call))).toEqual([403, 'preview_not_allowed']);
      }
    }
    const query = `{ entry(id: "${sheet.id}") { _id } }`;
    const refused = await ask(query, 'json', keys.delivery);
    expect([refused.status, refused.body.error]).toEqual([403, 'preview_not_allowed']);
    const unknown = await ask(query, 'both');
    expect([unknown.status, unknown.body.error]).toEqual([400, 'graphql_request_invalid']);
    const call = { method: 'GET', path: `${desk.project.delivery}/${path}x`, key: keys.preview } as const;
    expect(outcome(await send(app(), call))).toEqual([422, 'validation_failed']);
  });
});
