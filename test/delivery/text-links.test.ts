import { beforeEach, describe, expect, it } from '@jest/globals';
import { must, send } from '../support/call.js';
import { useApp } from '../support/desk.js';
import { createEntry, createType, publish, type TestEntry } from '../support/factories/content.js';
import { uploadAsset } from '../support/factories/media.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';

verifies('delivery/rich-text-links');

const app = useApp();
let project: TestProject;

const linkTo = (attrs: object) => ({ type: 'link', attrs });
const text = (value: string, ...marks: object[]) => ({ type: 'text', text: value, marks });
const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
const doc = (...content: object[]) => ({ type: 'doc', content });
const mention = (entryId: string) => ({ type: 'entryMention', attrs: { entryId } });
const entryEmbed = (entryId: string) => ({ type: 'entryEmbed', attrs: { entryId } });

interface Text {
  readonly raw: object;
  readonly html: string;
  readonly text: string;
  readonly links?: Record<string, object>;
}

beforeEach(async () => {
  project = await createProject(app(), { locales: ['en', { code: 'de', fallbackCode: 'en' }] });
  await createType(app(), project, {
    apiName: 'page',
    isPage: true,
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'body', type: 'richText' },
      { apiName: 'notes', type: 'richText', isList: true },
      { apiName: 'next', type: 'reference' },
    ],
  });
  await createType(app(), project, { apiName: 'author', fields: [{ apiName: 'name', type: 'text' }] });
});

const manage = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object) =>
  send(app(), { method, path: `${project.management}${path}`, key: project.keys.management, body });

type Page = TestEntry & { readonly treeNodeId: string };

async function page(slug: string, fields: object = {}, rest: object = {}): Promise<Page> {
  const made = await createEntry(app(), project, {
    contentTypeApiName: 'page',
    slug,
    fields: { title: `Page ${slug}`, ...fields },
    ...rest,
  });
  await publish(app(), project, made.id);
  return made as Page;
}

const read = (path: string) => send(app(), { method: 'GET', path: `${project.delivery}${path}` });
const bodyOf = async ({ id }: TestEntry, query = 'include=1'): Promise<Text> =>
  ((await read(`/entries/${id}?${query}`)).body as { data: { fields: { body: Text } } }).data.fields.body;

describe('A delivered text', () => {
  it('links to pages where they are, mentions them by title and shows embeds', async () => {
    const about = await page('about');
    const team = await page('our-team', {}, { treeParentId: about.treeNodeId });
    const raw = doc(
      paragraph(
        text('Meet ', linkTo({ entryId: team.id, anchor: 'hours', target: '_blank' })),
        text('us', linkTo({ entryId: team.id, anchor: 'hours', target: '_blank' }), { type: 'bold' }),
        text(' or '),
        mention(about.id),
      ),
      entryEmbed(team.id),
    );
    const source = await page('source', { body: raw });
    const href = 'href="/about/our-team#hours" target="_blank" rel="noopener noreferrer"';
    expect(await bodyOf(source)).toEqual({
      raw,
      html:
        `<p><a data-entry="${team.id}" data-anchor="hours" ${href}>Meet <strong>us</strong></a> or ` +
        `<a data-mention="${about.id}" href="/about">Page about</a></p>` +
        `<figure data-entry="${team.id}"><a href="/about/our-team">Page our-team</a></figure>`,
      text: 'Meet us or Page about\n\nPage our-team',
      links: {
        [team.id]: { _type: 'page', _slug: 'our-team', _path: '/about/our-team', title: 'Page our-team' },
        [about.id]: { _type: 'page', _slug: 'about', _path: '/about', title: 'Page about' },
      },
    });
  });

  it('has ids and no links at include=0, and an empty map where it names nothing', async () => {
    const target = await page('target');
    const body = doc(paragraph(text('a', linkTo({ entryId: target.id }))));
    const source = await page('source', {
      body,
      notes: [doc(paragraph(text('b'))), body],
      next: { _ref: target.id },
    });
    expect(await bodyOf(source, 'include=0')).toEqual({
      raw: body,
      html: `<p><a data-entry="${target.id}">a</a></p>`,
      text: 'a',
    });
    const plain = await page('plain', { body: doc(paragraph(text('"},"links":'))) });
    expect((await bodyOf(plain)).links).toEqual({});
    const { data } = (await read(`/entries/${source.id}?include=1`)).body;
    const notes = data.fields.notes as Text[];
    expect(notes.map(({ links = {} }) => Object.keys(links))).toEqual([[], [target.id]]);
    expect(data.fields.next.fields).toMatchObject({ body: null, notes: [], next: null });
  });

  it('is the same in lists, routes and search, and in what it refers to', async () => {
    const target = await page('target');
    const body = doc(paragraph(text('findable', linkTo({ entryId: target.id }))));
    const source = await page('source', { body });
    const outer = await page('outer', { next: { _ref: source.id } });
    const wanted = await bodyOf(source);
    expect(wanted.html).toBe(`<p><a data-entry="${target.id}" href="/target">findable</a></p>`);
    const { data: listed } = (await read('/content/page?include=1&limit=100')).body;
    expect(
      (listed as { _id: string; fields: object }[]).find(({ _id }) => _id === source.id)?.fields,
    ).toMatchObject({ body: wanted });
    const { data: route } = (await read('/routes?path=/source&include=1')).body;
    expect(route.entry.fields.body).toEqual(wanted);
    const nested = (await read(`/entries/${outer.id}?include=2`)).body.data.fields.next.fields.body;
    expect(nested).toEqual(wanted);
    const last = (await read(`/entries/${outer.id}?include=1`)).body.data.fields.next.fields.body;
    expect(last).toEqual(wanted);
  });

  it('keeps the text of a link to what is not live, or has no page', async () => {
    const draft = await createEntry(app(), project, {
      contentTypeApiName: 'page',
      slug: 'secret',
      fields: { title: 'Secret title' },
    });
    const author = await createEntry(app(), project, {
      contentTypeApiName: 'author',
      slug: 'ada',
      fields: { name: 'Ada <b>' },
    });
    await publish(app(), project, author.id);
    const source = await page('source', {
      body: doc(
        paragraph(
          text('draft', linkTo({ entryId: draft.id })),
          mention(draft.id),
          text(' by ', linkTo({ entryId: author.id })),
          mention(author.id),
        ),
        entryEmbed(draft.id),
        entryEmbed(author.id),
      ),
    });
    const shown = await bodyOf(source);
    expect(shown).toMatchObject({
      html:
        `<p>draft<span data-mention="${draft.id}"></span> by <span data-mention="${author.id}">Ada &lt;b&gt;</span></p>` +
        `<figure data-entry="${draft.id}"></figure><figure data-entry="${author.id}">Ada &lt;b&gt;</figure>`,
      text: 'draft by Ada <b>\n\nAda <b>',
      links: { [author.id]: { _type: 'author', _slug: 'ada', _path: null, title: 'Ada <b>' } },
    });
    expect(JSON.stringify(shown)).not.toContain('Secret title');
    const preview = await send(app(), {
      method: 'GET',
      path: `${project.delivery}/entries/${source.id}?include=1`,
      key: project.keys.preview,
    });
    expect(preview.body.data.fields.body.html).toContain(
      `<a data-entry="${draft.id}" href="/secret">draft</a>`,
    );
  });

  it('links to the path of the requested locale', async () => {
    const target = await page('target');
    const body = doc(paragraph(text('a', linkTo({ entryId: target.id }))));
    const source = await page('source', { body });
    await manage('PUT', `/entries/${target.id}`, {
      version: 1,
      locale: 'de',
      slug: 'ziel',
      fields: { title: 'Ziel' },
    });
    await publish(app(), project, target.id, 'de');
    const german = await bodyOf(source, 'include=1&locale=de');
    expect(german.html).toBe(`<p><a data-entry="${target.id}" href="/ziel">a</a></p>`);
    expect(german.links?.[target.id]).toMatchObject({ _path: '/ziel', title: 'Ziel' });
    await manage('PUT', '/sites/main', { localePathStrategy: 'prefix' });
    expect((await bodyOf(source, 'include=1&locale=de')).html).toContain('href="/de/ziel"');
  });

  it('links to URLs where links=absolute asks for them, and to those of another site', async () => {
    await manage('PUT', '/sites/main', { baseUrl: 'https://www.example.com/' });
    const other = await must<{ id: string }>(app(), {
      method: 'POST',
      path: `${project.management}/sites`,
      key: project.keys.management,
      body: { slug: 'shop', name: 'Shop', domain: 'shop.example.com' },
    });
    const target = await page('größe');
    const elsewhere = await page('offer', {}, { siteId: other.id });
    const source = await page('source', {
      body: doc(
        paragraph(text('a', linkTo({ entryId: target.id })), text('b', linkTo({ entryId: elsewhere.id }))),
      ),
    });
    const hrefs = async (query: string) =>
      [...(await bodyOf(source, query)).html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    const path = '/gr%C3%B6%C3%9Fe';
    expect(await hrefs('include=1')).toEqual([path, 'https://shop.example.com/offer']);
    expect(await hrefs('include=1&links=absolute')).toEqual([
      `https://www.example.com${path}`,
      'https://shop.example.com/offer',
    ]);
    expect((await read(`/entries/${source.id}?include=1&links=other`)).status).toBe(422);
  });

  it('links to files and shows pictures with their own texts', async () => {
    const picture = await uploadAsset(app(), project, { altText: 'A harbour' });
    const gone = '01a20000-0000-7000-8000-0000000000ff';
    const source = await page('source', {
      body: doc(paragraph(text('plan', linkTo({ assetId: picture.id, anchor: 'page=2' }))), {
        type: 'assetEmbed',
        attrs: { assetId: picture.id, alt: 'Boats "at" dawn', align: 'left' },
      }),
    });
    const { html, links } = await bodyOf(source);
    expect(html).toContain(
      `<p><a data-asset="${picture.id}" data-anchor="page=2" href="${picture.url}#page=2">plan</a></p>`,
    );
    expect(html).toContain(
      `<figure data-asset="${picture.id}" data-alt="Boats &quot;at&quot; dawn" data-align="left"><img src="${picture.url}" alt="Boats &quot;at&quot; dawn"`,
    );
    expect(links).toEqual({
      [picture.id]: { _type: 'MediaAsset', _slug: null, _path: picture.url, title: picture.fileName },
    });
    const bad = await createEntry(app(), project, {
      contentTypeApiName: 'page',
      fields: { body: doc(paragraph(text('plan', linkTo({ assetId: gone })))) },
    });
    const preview = await send(app(), {
      method: 'GET',
      path: `${project.delivery}/entries/${bad.id}?include=1`,
      key: project.keys.preview,
    });
    expect(preview.body.data.fields.body).toMatchObject({ html: '<p>plan</p>', links: {} });
  });

  it('costs one statement for what it names and one for the paths, whatever their number', async () => {
    const targets = [await page('one'), await page('two'), await page('three')];
    const body = doc(paragraph(...targets.map(({ id }) => text('a', linkTo({ entryId: id })))));
    const source = await page('source', { body });
    const { statements } = await app().recordStatements(() => bodyOf(source));
    expect(statements).toHaveLength(3);
  });
});
