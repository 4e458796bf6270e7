import { beforeEach, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { useApp } from '../support/desk.js';
import { createEntry, createType, publish, type TestEntry } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { onTree } from '../support/factories/tree.js';
import { verifies } from '../support/verifies.js';

verifies('delivery/rich-text-links');

const app = useApp();
let project: TestProject;

const linkTo = (attrs: object) => ({ type: 'link', attrs });
const text = (value: string, ...marks: object[]) => ({ type: 'text', text: value, marks });
const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
const doc = (...content: object[]) => ({ type: 'doc', content });
const mention = (entryId: string) => ({ type: 'entryMention', attrs: { entryId } });

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

describe('A delivered text changes at once', () => {
  let target: Page;
  let source: Page;

  beforeEach(async () => {
    target = await page('target');
    source = await page('source', {
      body: doc(paragraph(text('a', linkTo({ entryId: target.id })), mention(target.id))),
    });
  });

  const html = async () => (await bodyOf(source)).html;
  const live = (path: string, title = 'Page target') =>
    `<p><a data-entry="${target.id}" href="${path}">a</a><a data-mention="${target.id}" href="${path}">${title}</a></p>`;

  it('when what it names is renamed, moved, unpublished and published again', async () => {
    expect(await html()).toBe(live('/target'));
    await manage('PUT', `/entries/${target.id}`, { version: 1, fields: { title: 'New title' } });
    expect(await html()).toBe(live('/target'));
    await publish(app(), project, target.id);
    expect(await html()).toBe(live('/target', 'New title'));
    const parent = await page('parent');
    const move = { parentId: parent.treeNodeId, position: 0 };
    const { version } = (await onTree(app(), project, { method: 'GET', path: `/nodes/${target.treeNodeId}` }))
      .body.data as { version: number };
    const moved = await onTree(app(), project, {
      method: 'POST',
      path: `/nodes/${target.treeNodeId}/move`,
      body: { ...move, version },
    });
    expect(moved.status).toBe(200);
    expect(await html()).toBe(live('/parent/target', 'New title'));
    expect((await manage('POST', `/entries/${target.id}/unpublish`, {})).status).toBe(200);
    expect(await html()).toBe(`<p>a<span data-mention="${target.id}"></span></p>`);
    await publish(app(), project, target.id);
    expect(await html()).toBe(live('/parent/target', 'New title'));
  });

  it('in caches that purge by its keys, which name also what is not published', async () => {
    const draft = await createEntry(app(), project, { contentTypeApiName: 'page', slug: 'draft' });
    const other = await page('other', { body: doc(paragraph(text('a', linkTo({ entryId: draft.id })))) });
    const keys = async ({ id }: TestEntry) =>
      String((await read(`/entries/${id}?include=1`)).headers['surrogate-key']).split(' ');
    expect(await keys(source)).toEqual(expect.arrayContaining([`entry:${source.id}`, `entry:${target.id}`]));
    expect(await keys(other)).toContain(`entry:${draft.id}`);
  });
});
