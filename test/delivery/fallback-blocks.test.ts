import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { expectConsistent } from '../support/consistency.js';
import { useOwnApp } from '../support/desk.js';
import { createEntry, createType, paragraphs, publish } from '../support/factories/content.js';
import { verifies } from '../support/verifies.js';
import { FallbackDesk, type Fields } from './fallback-desk.js';

const app = useOwnApp();
let desk: FallbackDesk;

const sections = { type: 'blocks', settings: { contentTypes: ['section'] } };

/** The block type `section` falls back, `tile` does not; the entry type `page` does, `plain` does not. */
async function createTypes(): Promise<void> {
  const heading = { apiName: 'heading', type: 'text' };
  await createType(app(), desk.project, { apiName: 'tile', isBlock: true, fields: [heading] });
  await createType(app(), desk.project, {
    apiName: 'section',
    isBlock: true,
    fieldFallback: true,
    fields: [
      { apiName: 'heading', type: 'text' },
      { apiName: 'text', type: 'richText' },
      { apiName: 'tone', type: 'text', localized: false },
      { apiName: 'more', type: 'reference', localized: true },
      { apiName: 'tiles', type: 'blocks', localized: true, settings: { contentTypes: ['tile'] } },
      { apiName: 'fixed', type: 'blocks', localized: false, settings: { contentTypes: ['tile'] } },
    ],
  });
  const title = { apiName: 'title', type: 'text' };
  const shared = { apiName: 'sections', localized: false, ...sections };
  await createType(app(), desk.project, { apiName: 'plain', fields: [title, shared] });
  await createType(app(), desk.project, {
    apiName: 'page',
    isPage: true,
    displayField: 'title',
    fieldFallback: true,
    fields: [
      title,
      shared,
      { apiName: 'notes', localized: true, ...sections },
      {
        apiName: 'hero',
        type: 'blocks',
        localized: true,
        settings: { contentTypes: ['section'], shape: 'group' },
        validations: { maxItems: 1 },
      },
      { apiName: 'noindex', type: 'boolean', localized: true },
    ],
  });
}

beforeAll(async () => {
  desk = await FallbackDesk.open(app());
  await createTypes();
});

beforeEach(async () => {
  await desk.put('/content-types/section', { fieldFallback: true });
});

const section = (fields: Fields) => ({ _type: 'section', fields });
const tile = (heading: string) => ({ _type: 'tile', fields: { heading } });

interface Block {
  readonly _ref: string;
  readonly fields: Record<string, Block[] | undefined>;
}

/** English, published, with one section; its blocks by field. */
async function lake(contentTypeApiName: string, fields: Fields = {}) {
  const made = await createEntry(app(), desk.project, {
    contentTypeApiName,
    locale: 'en',
    fields: {
      title: 'Lake',
      sections: [
        section({
          heading: 'Deep',
          text: paragraphs('Unfathomable'),
          tone: 'calm',
          tiles: [tile('Shore')],
          fixed: [tile('Bed')],
        }),
      ],
      ...fields,
    },
  });
  await publish(app(), desk.project, made.id, 'en');
  const [block] = made.fields.sections as Block[];
  if (block === undefined) throw new Error('no section');
  const [shore] = block.fields.tiles ?? [];
  const [bed] = block.fields.fixed ?? [];
  return { id: made.id, section: block._ref, tile: shore?._ref ?? '', fixed: bed?._ref ?? '' };
}

const read = async (path: string, key?: string) =>
  (await desk.deliver(path, key)).body.data as { fields: Record<string, unknown> };

const graphql = async (query: string, key = desk.project.keys.delivery) => {
  const path = `/api/graphql/${desk.project.slug}`;
  return (await send(app(), { method: 'POST', path, key, body: { query } })).body.data as unknown;
};

describe('A localized field without a value, in a block', () => {
  verifies('localization/field-fallback');

  it('shows that of the same block in a fallback, if the type of the block says so', async () => {
    const { id, section: block, tile: shore, fixed } = await lake('plain');
    await desk.write(id, 'de', { sections: [{ _ref: block, fields: { heading: 'Tief' } }] });
    await desk.write(id, 'de-AT', { title: 'Alpensee' });
    const at = async (include: number, locale = 'de') =>
      (await read(`/entries/${id}?locale=${locale}&include=${String(include)}`)).fields;
    expect(await at(0)).toEqual({ title: null, sections: [{ _ref: block, _type: 'section' }] });
    const one = {
      heading: 'Tief',
      text: { text: 'Unfathomable' },
      tone: 'calm',
      tiles: [{ _ref: shore, _type: 'tile' }],
    };
    expect(await at(1)).toMatchObject({ title: null, sections: [{ _locale: 'de', fields: one }] });
    for (const include of [2, 3])
      expect(await at(include, 'de-AT')).toMatchObject({
        title: 'Alpensee',
        sections: [
          {
            _locale: 'de-AT',
            fields: { ...one, tiles: [{ _id: shore, _locale: 'de-AT', fields: { heading: 'Shore' } }] },
          },
        ],
      });
    expect((await read(`/entries/${block}?locale=de`)).fields).toMatchObject(one);
    expect((await read(`/entries/${shore}?locale=de`)).fields).toEqual({ heading: 'Shore' });
    // The type of this block does not say so.
    expect((await read(`/entries/${fixed}?locale=de`)).fields).toEqual({ heading: null });
    await expectConsistent(app(), desk.project);
  });

  it('is served by GraphQL, and found by search', async () => {
    const { id, section: block, tile: shore } = await lake('plain');
    await desk.write(id, 'de', { title: 'See', sections: [{ _ref: block, fields: { heading: 'Tief' } }] });
    const fields = 'heading text { text } tiles { ... on Tile { _id heading } }';
    const query = `{ plainCollection(locale: "de", limit: 100) { items { _id sections { ... on Section { ${fields} } } } } }`;
    const expected = {
      heading: 'Tief',
      text: { text: 'Unfathomable' },
      tiles: [{ _id: shore, heading: 'Shore' }],
    };
    for (const key of [desk.project.keys.delivery, desk.project.keys.preview])
      expect(await graphql(query, key)).toMatchObject({
        plainCollection: { items: expect.arrayContaining([{ _id: id, sections: [expected] }]) as unknown },
      });
    await app().composition.jobs.indexSearch();
    const found = await desk.deliver('/search?q=unfathomable&locale=de&limit=50');
    const hits = found.body.data as { entry: { _id: string; _locale: string } }[];
    expect(hits.map(({ entry }) => [entry._id, entry._locale])).toContainEqual([id, 'de']);
  });

  it('shows a list of blocks or a group as a whole, with the blocks that the fallback shows in it', async () => {
    const { id } = await lake('page', {
      notes: [section({ heading: 'Note', text: paragraphs('Wide') })],
      hero: section({ heading: 'Hero', text: paragraphs('High') }),
    });
    const english = await read(`/entries/${id}?locale=en&include=1`);
    await desk.write(id, 'de', { title: 'See' });
    const german = await read(`/entries/${id}?locale=de&include=1`);
    expect(german.fields.notes).toMatchObject([
      { _locale: 'de', fields: { heading: 'Note', text: { text: 'Wide' } } },
    ]);
    expect(german.fields.hero).toMatchObject({ _locale: 'de', fields: { heading: 'Hero' } });
    const idOf = (value: unknown) => (value as { _id: string })._id;
    expect(idOf(german.fields.hero)).toBe(idOf(english.fields.hero));
    const { hero } = (await read(`/entries/${id}?locale=de&include=1`, desk.project.keys.preview)).fields;
    expect(hero).toMatchObject({ _id: idOf(german.fields.hero), fields: { heading: 'Hero' } });
    await desk.write(id, 'de', { hero: section({ heading: 'Held' }) });
    expect((await read(`/entries/${id}?locale=de&include=1`)).fields.hero).toMatchObject({
      fields: { heading: 'Held', text: null },
    });
    await expectConsistent(app(), desk.project);
  });

  it('follows publications of the fallback and the setting of the type, in cached responses too', async () => {
    const { id, section: block } = await lake('plain');
    await desk.write(id, 'de', { title: 'See' });
    const text = async () => {
      const paths = [`/entries/${id}?locale=de&include=1`, `/entries/${block}?locale=de&include=1`];
      const [entry, own] = await Promise.all(paths.map((path) => read(path)));
      const [{ fields }] = entry?.fields.sections as [{ fields: Fields }];
      expect(own?.fields.text).toEqual(fields.text);
      return (fields.text as { text: string } | null)?.text ?? null;
    };
    const etag = async () =>
      (await desk.deliver(`/entries/${id}?locale=de&include=1`)).headers.etag as unknown;
    expect(await text()).toBe('Unfathomable');
    const before = await etag();
    await desk.write(id, 'en', { sections: [{ _ref: block, fields: { text: paragraphs('Shallow') } }] });
    expect(await text()).toBe('Shallow');
    expect(await etag()).not.toBe(before);
    await desk.put('/content-types/section', { fieldFallback: false });
    expect(await text()).toBeNull();
    await expectConsistent(app(), desk.project);
    await desk.put('/content-types/section', { fieldFallback: true });
    expect(await text()).toBe('Shallow');
    await desk.write(id, 'de', { sections: [{ _ref: block, fields: { text: paragraphs('Seicht') } }] });
    expect(await text()).toBe('Seicht');
    await desk.write(id, 'de', { sections: [{ _ref: block, fields: { text: null } }] });
    expect(await text()).toBe('Shallow');
    await desk.post(`/entries/${id}/unpublish`, { locale: 'en' });
    expect(await text()).toBeNull();
    await expectConsistent(app(), desk.project);
  });

  it('is previewed with the drafts of the fallbacks, by entry, block, list and version', async () => {
    const { preview } = desk.project.keys;
    const { id, section: block } = await lake('plain');
    await desk.write(id, 'de', { title: 'See' });
    await desk.draft(id, 'en', { sections: [{ _ref: block, fields: { text: paragraphs('Deeper') } }] });
    const text = { text: { text: 'Deeper' } };
    const entry = await read(`/entries/${id}?locale=de&include=1`, preview);
    expect(entry.fields.sections).toMatchObject([{ _locale: 'de', fields: text }]);
    expect((await read(`/entries/${block}?locale=de-AT`, preview)).fields).toMatchObject(text);
    const list = (await read('/content/plain?locale=de&include=1&limit=100', preview)) as unknown;
    expect(list).toContainEqual(
      expect.objectContaining({ _id: id, fields: expect.objectContaining({ title: 'See' }) as unknown }),
    );
    for (const [versionNum, shown] of [
      [undefined, 'Deeper'],
      [2, 'Unfathomable'],
    ] as const) {
      const link = await desk.post(`/entries/${id}/preview`, { locale: 'de', versionNum });
      const token = String(link.body.data.token);
      const { fields } = await read(`/entries/${id}?locale=de&include=1&previewToken=${token}`);
      expect(fields.sections).toMatchObject([{ fields: { text: { text: shown } } }]);
    }
  });
});

describe('A page that shows fields of a fallback', () => {
  verifies('localization/field-fallback');

  it('has their title in the tree, and their noindex in the sitemap', async () => {
    const { id } = await lake('page', { noindex: true });
    await desk.write(id, 'de', { title: null });
    const tree = async (key?: string) => (await desk.deliver('/tree?locale=de', key)).body.data as unknown;
    for (const key of [undefined, desk.project.keys.preview])
      expect(await tree(key)).toContainEqual(expect.objectContaining({ entryId: id, name: 'Lake' }));
    const listed = async () => {
      const { body } = await desk.deliver('/sitemap?format=json&locale=de');
      return (body.data as { entryId: string }[]).some(({ entryId }) => entryId === id);
    };
    expect(await listed()).toBe(false);
    await desk.put('/content-types/page', { fieldFallback: false });
    expect(await listed()).toBe(true);
    await expectConsistent(app(), desk.project);
    await desk.put('/content-types/page', { fieldFallback: true });
    expect(await listed()).toBe(false);
    await desk.write(id, 'en', { noindex: false });
    expect(await listed()).toBe(true);
    await expectConsistent(app(), desk.project);
  });
});
