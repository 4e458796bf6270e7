import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { openDesk, useApp, type Desk } from '../support/desk.js';
import { createEntry, createType, publish, type TestEntry } from '../support/factories/content.js';
import { uploadAsset, type TestAsset } from '../support/factories/media.js';
import { verifies } from '../support/verifies.js';

verifies('delivery/rich-text-links', 'delivery/own-blocks');

const app = useApp();
let desk: Desk;
let target: TestEntry;
let draft: TestEntry;
let picture: TestAsset;

const linkTo = (attrs: object) => ({ type: 'text', text: 'a', marks: [{ type: 'link', attrs }] });
const mention = (entryId: string) => ({ type: 'entryMention', attrs: { entryId } });
const doc = (...content: object[]) => ({ type: 'doc', content });

/** Links to the target and the draft, mentions the target and embeds the picture. */
const naming = () =>
  doc(
    {
      type: 'paragraph',
      content: [
        linkTo({ entryId: target.id, anchor: 'hours' }),
        linkTo({ entryId: draft.id }),
        mention(target.id),
      ],
    },
    { type: 'assetEmbed', attrs: { assetId: picture.id } },
  );

beforeAll(async () => {
  desk = await openDesk(app());
  const text = { apiName: 'text', type: 'richText' };
  await createType(app(), desk.project, { apiName: 'quote', isBlock: true, fields: [text] });
  await createType(app(), desk.project, {
    apiName: 'chapter',
    isBlock: true,
    fields: [text, { apiName: 'quotes', type: 'blocks', settings: { contentTypes: ['quote'] } }],
  });
  await createType(app(), desk.project, {
    apiName: 'report',
    isPage: true,
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'chapters', type: 'blocks', settings: { contentTypes: ['chapter'] } },
      {
        apiName: 'opening',
        type: 'blocks',
        validations: { maxItems: 1 },
        settings: { contentTypes: ['chapter'], shape: 'group' },
      },
    ],
  });
  target = await report('target');
  draft = await report('draft');
  await publish(app(), desk.project, target.id);
  picture = await uploadAsset(app(), desk.project);
});

const report = (slug: string, fields: object = {}) =>
  createEntry(app(), desk.project, {
    contentTypeApiName: 'report',
    slug,
    fields: { title: `Report ${slug}`, ...fields },
  });
const get = (path: string) => send(app(), { method: 'GET', path: `${desk.project.delivery}${path}` });

interface Block {
  readonly _id: string;
  readonly fields: Readonly<Record<string, unknown>>;
}
interface Text {
  readonly html: string;
  readonly text: string;
  readonly links?: Readonly<Record<string, object>>;
}
const textOf = (block: unknown): Text => (block as Block).fields.text as Text;
const itemsOf = (holder: unknown, name: string) =>
  ((holder as Block).fields as Record<string, Block[]>)[name] ?? [];

/** How the text is shown, wherever it is. */
const expectShown = (value: unknown): void => {
  const { html, text, links } = value as Text;
  expect(html).toContain(
    `<p><a data-entry="${target.id}" data-anchor="hours" href="/target#hours">a</a>a` +
      `<a data-mention="${target.id}" href="/target">Report target</a></p>` +
      `<figure data-asset="${picture.id}"><img src="${picture.url}"`,
  );
  expect(text).toBe('aaReport target');
  expect(links).toEqual({
    [target.id]: { _type: 'report', _slug: 'target', _path: '/target', title: 'Report target' },
    [picture.id]: { _type: 'MediaAsset', _slug: null, _path: picture.url, title: picture.fileName },
  });
};

describe('Rich text in a block', () => {
  let source: TestEntry;

  beforeAll(async () => {
    const quotes = [{ _type: 'quote', fields: { text: naming() } }];
    source = await report('source', {
      chapters: [{ _type: 'chapter', fields: { text: naming(), quotes } }],
      opening: { _type: 'chapter', fields: { text: naming() } },
    });
    await publish(app(), desk.project, source.id);
  });

  it('shows what it refers to in every block that a response expands', async () => {
    const one = await get(`/entries/${source.id}?include=1`);
    expectShown(textOf(itemsOf(one.body.data, 'chapters')[0]));
    expectShown(textOf(one.body.data.fields.opening));
    const two = await get(`/entries/${source.id}?include=2`);
    const [chapter] = itemsOf(two.body.data, 'chapters');
    expectShown(textOf(itemsOf(chapter, 'quotes')[0]));
    for (const { id } of [target, draft])
      expect(String(one.headers['surrogate-key'])).toContain(`entry:${id}`);
  });

  it('shows it alike in lists, routes and blocks by id', async () => {
    const { data: listed } = (await get('/content/report?include=1')).body;
    const found = (listed as Block[]).find(({ _id }) => _id === source.id);
    expectShown(textOf(itemsOf(found, 'chapters')[0]));
    const { entry } = (await get('/routes?path=/source&include=1')).body.data as { entry: Block };
    const [block] = itemsOf(entry, 'chapters');
    expectShown(textOf(block));
    for (const include of [1, 2])
      expectShown(textOf((await get(`/entries/${block?._id ?? ''}?include=${include}`)).body.data));
    const stored = textOf((await get(`/entries/${block?._id ?? ''}`)).body.data);
    expect(stored).toMatchObject({ text: 'aa' });
    expect(stored).not.toHaveProperty('links');
  });

  it('shows it in GraphQL, in groups and nested blocks too', async () => {
    const text = 'text { html text links { _id _type _slug _path title } }';
    const { body } = await send(app(), {
      method: 'POST',
      path: `/api/graphql/${desk.project.slug}`,
      key: desk.project.keys.delivery,
      body: {
        query: `{ entry(id: "${source.id}") { ... on Report {
          opening { ${text} } chapters { ... on Chapter { ${text} quotes { ... on Quote { ${text} } } } } } } }`,
      },
    });
    interface Node {
      readonly text: Text & { readonly links: readonly { readonly _id: string }[] };
    }
    const shown = body.data as { entry: { opening: Node; chapters: (Node & { quotes: Node[] })[] } };
    const [chapter] = shown.entry.chapters;
    for (const node of [shown.entry.opening, chapter, chapter?.quotes[0]]) {
      const links = node?.text.links.map(({ _id, ...link }) => [_id, link]) ?? [];
      expectShown({ ...node?.text, links: Object.fromEntries(links) as object });
    }
  });

  it('changes with what it refers to', async () => {
    const html = async () =>
      textOf((await get(`/entries/${source.id}?include=1`)).body.data.fields.opening).html;
    await publish(app(), desk.project, draft.id);
    expect(await html()).toContain(`<a data-entry="${draft.id}" href="/draft">a</a>`);
    expect((await desk.post(`/entries/${draft.id}/unpublish`, {})).status).toBe(200);
    expect(await html()).not.toContain(draft.id);
  });
});
