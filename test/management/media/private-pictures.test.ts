import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { must, send } from '../../support/call.js';
import { createEntry, createType, publish } from '../../support/factories/content.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import { uploadAsset, type TestAsset } from '../../support/factories/media.js';
import { verifies } from '../../support/verifies.js';
import { useApp } from '../../support/desk.js';

const app = useApp();

interface Picture extends TestAsset {
  readonly placeholder: string;
  readonly dominantColor: string;
}

let project: TestProject;
let entryId: string;
let secret: Picture;
let open: Picture;

const manage = (method: 'GET' | 'PUT' | 'POST', path: string, body?: object) =>
  must<{ id: string }>(app(), {
    method,
    path: `${project.management}${path}`,
    key: project.keys.management,
    body,
  });

const callers = (): readonly (string | undefined)[] => [
  undefined,
  project.keys.delivery,
  project.keys.preview,
  project.keys.management,
];

const graphql = (key: string | undefined, query: string) =>
  send(app(), { method: 'POST', path: `/api/graphql/${project.slug}`, key, body: { query } });

const asset = '{ id width placeholder dominantColor altText }';

/** Every way in which a reader gets assets. */
async function outlets(key: string | undefined): Promise<Response[]> {
  const read = (path: string) => send(app(), { method: 'GET', path: `${project.delivery}${path}`, key });
  const rest = [
    `/media/${secret.id}`,
    `/media/${secret.id}?locale=de`,
    `/entries/${entryId}?include=1`,
    `/entries/${entryId}?include=3`,
    '/content/page?include=1',
    '/content/page?include=1&locale=de',
    '/search?q=harbour&include=1',
    '/routes?path=/harbour',
  ];
  const queries = [
    `{ asset(id: "${secret.id}") ${asset} }`,
    `{ asset(id: "${secret.id}", locale: "de") ${asset} }`,
    `{ pageCollection { items { hero ${asset} gallery ${asset} } } }`,
    `{ entry(id: "${entryId}") { ... on Page { hero ${asset} } } }`,
  ];
  return [
    ...(await Promise.all(rest.map(read))),
    ...(key === undefined ? [] : await Promise.all(queries.map((query) => graphql(key, query)))),
  ];
}

beforeAll(async () => {
  project = await createProject(app());
  await createType(app(), project, {
    apiName: 'page',
    isPage: true,
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'hero', type: 'media' },
      { apiName: 'gallery', type: 'media', isList: true },
      { apiName: 'body', type: 'richText' },
    ],
  });
  secret = (await uploadAsset(app(), project, { visibility: 'private', altText: 'A harbour' })) as Picture;
  open = (await uploadAsset(app(), project, { altText: 'A lock' })) as Picture;
  const link = { _ref: secret.id };
  const body = { type: 'doc', content: [{ type: 'assetEmbed', attrs: { assetId: secret.id } }] };
  const page = {
    contentTypeApiName: 'page',
    slug: 'harbour',
    treeParentId: null,
    fields: { title: 'A harbour', hero: link, gallery: [link], body },
  };
  const entry = await createEntry(app(), project, page);
  entryId = (await publish(app(), project, entry.id)).id;
});

describe('A private picture', () => {
  verifies('media/private-placeholder');

  it('shows its look to management, and to no reader of delivery or GraphQL', async () => {
    expect([secret.placeholder.length, secret.dominantColor]).toEqual([
      expect.any(Number),
      expect.stringMatching(/^#/),
    ]);
    expect(await manage('GET', `/media/${secret.id}`)).toMatchObject({ placeholder: secret.placeholder });
    for (const key of callers())
      for (const { status, text } of await outlets(key)) {
        expect([status, text]).toEqual([200, expect.not.stringContaining('"errors"')]);
        expect(text).not.toContain(secret.placeholder);
        expect(text).not.toContain(secret.dominantColor);
      }
  });

  it('keeps its other metadata in delivery', async () => {
    for (const key of callers()) {
      const [first, , entry] = await outlets(key);
      const shown = { id: secret.id, width: 3, altText: 'A harbour', placeholder: null, dominantColor: null };
      expect(first!.body.data).toMatchObject(shown);
      const { hero, gallery } = entry!.body.data.fields as { hero: object; gallery: object[] };
      expect([hero, gallery[0]]).toMatchObject([
        { placeholder: null, width: 3 },
        { dominantColor: null, width: 3 },
      ]);
    }
  });

  it('is not shown by the overlay of a public asset', async () => {
    const path = `/media/${open.id}/locales/de`;
    await manage('PUT', path, { overrideStorageKey: `asset:${secret.id}` });
    const read = (locale: string) =>
      send(app(), { method: 'GET', path: `${project.delivery}/media/${open.id}?locale=${locale}` });
    expect((await read('de')).body.data).toMatchObject({ placeholder: null, dominantColor: null });
    expect((await read('en')).body.data).toMatchObject({
      placeholder: open.placeholder,
      dominantColor: open.dominantColor,
    });
  });

  it('disappears from cached answers when it becomes private, and returns when it becomes public', async () => {
    const picture = (await uploadAsset(app(), project)) as Picture;
    const read = async () => {
      const path = `${project.delivery}/media/${picture.id}`;
      return (await send(app(), { method: 'GET', path })).body.data.placeholder as string | null;
    };
    expect([await read(), await read()]).toEqual([picture.placeholder, picture.placeholder]);
    await manage('PUT', `/media/${picture.id}`, { visibility: 'private' });
    expect(await read()).toBeNull();
    await manage('PUT', `/media/${picture.id}`, { visibility: 'public' });
    expect(await read()).toBe(picture.placeholder);
  });

  it('is in none of the renditions that need no signature', async () => {
    const path = secret.url.split('?')[0]!;
    for (const query of ['', '?w=16', '?w=16&fm=webp&q=1']) {
      const answer = await app().request.get(`${path}${query}`);
      expect([answer.status, answer.body.error]).toEqual([403, 'invalid_signature']);
    }
  });
});
