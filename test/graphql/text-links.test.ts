import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { useApp } from '../support/desk.js';
import { createEntry, createType, publish, type TestEntry } from '../support/factories/content.js';
import { uploadAsset, type TestAsset } from '../support/factories/media.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';

verifies('delivery/rich-text-links');

const app = useApp();
let project: TestProject;
let target: TestEntry;
let draft: TestEntry;
let picture: TestAsset;

const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
const linkTo = (attrs: object) => ({ type: 'text', text: 'a', marks: [{ type: 'link', attrs }] });
const mention = (entryId: string) => ({ type: 'entryMention', attrs: { entryId } });

const make = (contentTypeApiName: string, slug: string, fields: object) =>
  createEntry(app(), project, { contentTypeApiName, slug, fields: { ...fields } });

beforeAll(async () => {
  project = await createProject(app());
  await createType(app(), project, {
    apiName: 'page',
    isPage: true,
    displayField: 'headline',
    fields: [
      { apiName: 'intro', type: 'text' },
      { apiName: 'headline', type: 'text' },
      { apiName: 'filler', type: 'longText' },
    ],
  });
  await createType(app(), project, {
    apiName: 'story',
    fields: [
      { apiName: 'body', type: 'richText' },
      { apiName: 'notes', type: 'richText', isList: true },
    ],
  });
  // Of documents of this size a query reads only the fields that it names.
  target = await make('page', 'about', { intro: 'Intro', headline: 'About us', filler: 'x'.repeat(9000) });
  await publish(app(), project, target.id);
  draft = await make('page', 'draft', { headline: 'Secret' });
  picture = await uploadAsset(app(), project, { title: 'Harbour' });
});

async function ask<T>(query: string): Promise<T> {
  const { body } = await send(app(), {
    method: 'POST',
    path: `/api/graphql/${project.slug}`,
    key: project.keys.delivery,
    body: { query },
  });
  expect(body.errors).toBeUndefined();
  return body.data as T;
}

describe('RichText', () => {
  it('links, mentions and embeds what is live, and lists it', async () => {
    const body = {
      type: 'doc',
      content: [
        paragraph(linkTo({ entryId: target.id }), mention(target.id), linkTo({ entryId: draft.id })),
        paragraph(linkTo({ assetId: picture.id }), mention(draft.id)),
      ],
    };
    const { id } = await make('story', 'one', { body, notes: [{ type: 'doc' }] });
    await publish(app(), project, id);
    const { entry } = await ask<{ entry: { body: object; notes: object[] } }>(
      `{ entry(id: "${id}") { ... on Story { body { html text links { _id _type _slug _path title } } notes { links { _id } } } } }`,
    );
    expect(entry.body).toEqual({
      html:
        `<p><a data-entry="${target.id}" href="/about">a</a><a data-mention="${target.id}" href="/about">About us</a>a</p>` +
        `<p><a data-asset="${picture.id}" href="${picture.url}">a</a><span data-mention="${draft.id}"></span></p>`,
      text: 'aAbout usa\n\na',
      links: [
        { _id: target.id, _type: 'page', _slug: 'about', _path: '/about', title: 'About us' },
        { _id: picture.id, _type: 'MediaAsset', _slug: null, _path: picture.url, title: 'Harbour' },
      ],
    });
    expect(entry.notes).toEqual([{ links: [] }]);
  });

  it('reads what many texts name with one statement, and changes with it', async () => {
    const body = { type: 'doc', content: [paragraph(mention(target.id))] };
    for (const slug of ['two', 'three', 'four'])
      await publish(app(), project, (await make('story', slug, { body })).id);
    const texts = () =>
      ask<{ storyCollection: { items: { body: { text: string } }[] } }>(
        '{ storyCollection(limit: 3) { items { body { text } } } }',
      );
    const { statements, result } = await app().recordStatements(texts);
    expect(result.storyCollection.items.map((item) => item.body.text)).toEqual(Array(3).fill('About us'));
    // The list, its total, what the texts name, and the paths.
    expect(statements).toHaveLength(4);
    await send(app(), {
      method: 'PUT',
      path: `${project.management}/entries/${target.id}`,
      key: project.keys.management,
      body: { version: 1, fields: { headline: 'Renamed' } },
    });
    await publish(app(), project, target.id);
    const after = await texts();
    expect(after.storyCollection.items.map((item) => item.body.text)).toEqual(Array(3).fill('Renamed'));
  });
});
