import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { must, send } from '../../support/call.js';
import { createEntry, createType, publish } from '../../support/factories/content.js';
import { createProject, unique, type TestProject } from '../../support/factories/project.js';
import { png, textFile, uploadAsset, type TestAsset } from '../../support/factories/media.js';
import { verifies } from '../../support/verifies.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let project: TestProject;
let picture: TestAsset;

const link = ({ id }: { id: string }) => ({ _ref: id, _type: 'MediaAsset' });
const embed = ({ id }: { id: string }, caption?: string) => ({
  type: 'doc',
  content: [
    { type: 'paragraph', content: [{ type: 'text', text: 'Before <figure data-asset="x">' }] },
    { type: 'assetEmbed', attrs: { assetId: id, ...(caption !== undefined && { caption }) } },
  ],
});

beforeAll(async () => {
  project = await createProject(app());
  await createType(app(), project, {
    apiName: 'page',
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'hero', type: 'media', validations: { mimeTypes: ['image/*'], minWidth: 3, maxHeight: 10 } },
      { apiName: 'gallery', type: 'media', isList: true, localized: false },
      { apiName: 'body', type: 'richText', validations: { allowedEmbeds: ['image/png'] } },
      { apiName: 'next', type: 'reference' },
    ],
  });
});

beforeEach(async () => {
  picture = await uploadAsset(app(), project, { altText: 'A harbour' });
});

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  send(app(), { method, path: `${project.management}${path}`, key: project.keys.management, body });
const deliver = (path: string) => send(app(), { method: 'GET', path: `${project.delivery}${path}` });
const page = (fields: Record<string, unknown>) =>
  createEntry(app(), project, { contentTypeApiName: 'page', fields: { title: unique(), ...fields } });
const usage = async (id: string) => (await call('GET', `/media/${id}`)).body.data.usageCount as number;
const isUnused = async (id: string): Promise<boolean> => {
  const { body } = await call('GET', '/media?unused=true&limit=100&orderBy=createdAt:desc');
  return (body as { data: TestAsset[] }).data.some((asset) => asset.id === id);
};

describe('A media field', () => {
  verifies('media/field-rules', 'content/values-of-media');

  it('is a link in drafts and at include=0, and the asset from include=1 on', async () => {
    const { id, fields } = await page({ hero: { _ref: picture.id }, gallery: [link(picture)] });
    expect(fields).toMatchObject({ hero: link(picture), gallery: [link(picture)] });
    await publish(app(), project, id);
    expect((await deliver(`/entries/${id}`)).body.data.fields.hero).toEqual(link(picture));
    const { fields: shown } = (await deliver(`/entries/${id}?include=1`)).body.data;
    const metadata = (await deliver(`/media/${picture.id}`)).body.data;
    expect(metadata).toMatchObject({ id: picture.id, altText: 'A harbour', locale: 'en', url: picture.url });
    expect(shown.hero).toEqual({ _id: picture.id, _type: 'MediaAsset', ...metadata });
    expect(shown.gallery).toEqual([shown.hero]);
  });

  it('shows the pictures of a list with one more statement, and those of references', async () => {
    const pictures = await Promise.all([1, 2, 3].map(() => uploadAsset(app(), project)));
    for (const asset of pictures) await publish(app(), project, (await page({ hero: link(asset) })).id);
    const inner = await publish(app(), project, (await page({ hero: link(picture) })).id);
    const outer = await publish(app(), project, (await page({ next: { _ref: inner.id } })).id);
    const list = await app().recordStatements(() => deliver('/content/page?include=1&limit=100'));
    expect(list.statements.filter((sql) => sql.includes('media_assets')).length).toBe(1);
    const heroes = (list.result.body.data as { fields: { hero: { url?: string } | null } }[]).map(
      ({ fields }) => fields.hero?.url,
    );
    expect(heroes).toEqual(expect.arrayContaining(pictures.map(({ url }) => url)));
    const one = (await deliver(`/entries/${outer.id}?include=1`)).body.data.fields.next.fields.hero;
    const two = (await deliver(`/entries/${outer.id}?include=2`)).body.data.fields.next.fields.hero;
    expect([one, two.url]).toEqual([link(picture), picture.url]);
  });

  it('is the asset in the page at a path, too', async () => {
    const { id, slug } = await publish(app(), project, (await page({ hero: link(picture) })).id);
    await must(app(), {
      method: 'POST',
      path: `${project.management}/tree/nodes`,
      key: project.keys.management,
      body: { entryId: id },
    });
    const heroAt = async (include: number) =>
      (await deliver(`/routes?path=/${slug}&include=${String(include)}`)).body.data.entry.fields.hero;
    expect(await heroAt(0)).toEqual(link(picture));
    expect(await heroAt(1)).toMatchObject({ _id: picture.id, url: picture.url });
  });

  it('reads no assets where none are named', async () => {
    const { id } = await publish(app(), project, (await page({})).id);
    const { statements } = await app().recordStatements(() => deliver(`/entries/${id}?include=1`));
    expect(statements.filter((sql) => sql.includes('media_assets'))).toEqual([]);
  });

  it('may name a missing asset in a draft, but not at publish', async () => {
    const missing = { _ref: '0198c0de-0000-7000-8000-000000000000', _type: 'MediaAsset' };
    const { id } = await page({ hero: missing });
    const refused = await call('POST', `/entries/${id}/publish`);
    expect(refused.body).toMatchObject({
      error: 'entry_invalid',
      details: { issues: [{ path: ['fields', 'hero'], code: 'broken_reference' }] },
    });
    const foreign = await uploadAsset(app(), await createProject(app()));
    const other = await page({ hero: link(foreign) });
    expect((await call('POST', `/entries/${other.id}/publish`)).body.details.issues[0].code).toBe(
      'broken_reference',
    );
  });

  it('checks type and dimensions at publish', async () => {
    const text = await uploadAsset(app(), project, { file: textFile() });
    const small = await uploadAsset(app(), project, {
      file: { fileName: 's.png', content: png(2, 2).toString('base64') },
    });
    const tall = await uploadAsset(app(), project, {
      file: { fileName: 't.png', content: png(3, 11).toString('base64') },
    });
    const codes = async (fields: Record<string, unknown>): Promise<unknown> => {
      const { id } = await page(fields);
      const { body } = await call('POST', `/entries/${id}/publish`);
      return (body as { details: { issues: { code: string }[] } }).details.issues.map(({ code }) => code);
    };
    expect(await codes({ hero: link(text) })).toEqual(['media_type_not_allowed', 'too_small', 'too_large']);
    expect(await codes({ hero: link(small) })).toEqual(['too_small']);
    expect(await codes({ hero: link(tall) })).toEqual(['too_large']);
    expect(await codes({ body: embed(text) })).toEqual(['embed_not_allowed']);
  });

  it('rejects values that are no links to assets', async () => {
    for (const hero of [picture.id, { _ref: 'x' }, { _ref: picture.id, _type: 'page' }, [link(picture)]]) {
      const body = { contentTypeApiName: 'page', siteId: project.siteId, fields: { hero } };
      expect((await call('POST', '/entries', body)).body).toMatchObject({ error: 'validation_failed' });
    }
  });

  it('can be filtered by asset', async () => {
    const { id } = await publish(app(), project, (await page({ hero: link(picture) })).id);
    await publish(app(), project, (await page({})).id);
    const { body } = await deliver(`/content/page?filter[hero][eq]=${picture.id}`);
    expect((body as { data: { _id: string }[] }).data.map((entry) => entry._id)).toEqual([id]);
  });
});

describe('Changing an asset', () => {
  it('shows in cached responses at once, in the locale asked for, without a new publish', async () => {
    const { id } = await publish(
      app(),
      project,
      (await page({ hero: link(picture), body: embed(picture) })).id,
    );
    const read = async () => (await deliver(`/entries/${id}?include=1`)).body.data.fields;
    expect((await read()).hero.altText).toBe('A harbour');
    await read();
    await call('PUT', `/media/${picture.id}`, { altText: 'A lock' });
    expect((await read()).hero.altText).toBe('A lock');
    expect((await read()).body.html).toContain('alt="A lock"');
    await call('DELETE', `/media/${picture.id}?force=true`);
    expect((await read()).hero).toEqual(link(picture));
    expect((await deliver(`/media/${picture.id}`)).body.error).toBe('media_not_found');
  });

  it('names the asset in Surrogate-Key and keeps metadata for five minutes', async () => {
    const { headers } = await deliver(`/media/${picture.id}`);
    expect(headers['surrogate-key']).toContain(`media:${picture.id}`);
    expect(headers['cache-control']).toBe('public, max-age=300, stale-while-revalidate=3600');
  });
});

describe('An embedded asset', () => {
  verifies('content/rich-text-embeds', 'delivery/media');

  it('is rendered as a figure with the asset, and its text stays escaped', async () => {
    const { id } = await publish(
      app(),
      project,
      (await page({ body: embed(picture, 'The <b>lock</b>') })).id,
    );
    const plain = (await deliver(`/entries/${id}`)).body.data.fields.body;
    const caption = '<figcaption>The &lt;b&gt;lock&lt;/b&gt;</figcaption></figure>';
    expect(plain.html).toContain(`<figure data-asset="${picture.id}">${caption}`);
    expect(plain.text).toContain('The <b>lock</b>');
    const { html } = (await deliver(`/entries/${id}?include=1`)).body.data.fields.body;
    expect(html).toContain(
      `<figure data-asset="${picture.id}"><img src="${picture.url}" alt="A harbour" width="3" height="2">${caption}`,
    );
    expect(html).toContain('Before &lt;figure data-asset=&quot;x&quot;&gt;');
  });

  it('is rejected without a valid id', async () => {
    const body = { type: 'doc', content: [{ type: 'assetEmbed', attrs: { assetId: 'x' } }] };
    const fields = { contentTypeApiName: 'page', siteId: project.siteId, fields: { body } };
    expect((await call('POST', '/entries', fields)).status).toBe(422);
  });
});

describe('Uses of an asset', () => {
  verifies('media/use', 'media/delete-in-use');

  it('counts a draft, and keeps the asset until it is forced', async () => {
    expect(await isUnused(picture.id)).toBe(true);
    const { id } = await page({ hero: link(picture), gallery: [link(picture)] });
    expect([await usage(picture.id), await isUnused(picture.id)]).toEqual([1, false]);
    const refused = await call('DELETE', `/media/${picture.id}`);
    expect([refused.status, refused.body.error]).toEqual([409, 'media_in_use']);
    await call('PUT', `/entries/${id}`, { version: 1, fields: { hero: null, gallery: [] } });
    expect([await usage(picture.id), await isUnused(picture.id)]).toEqual([0, true]);
    expect((await call('DELETE', `/media/${picture.id}`)).status).toBe(200);
  });

  it('counts what is published after the draft has dropped it, until the next publish', async () => {
    const { id } = await page({ body: embed(picture) });
    await publish(app(), project, id);
    await call('PUT', `/entries/${id}`, { version: 1, fields: { body: null } });
    expect([await usage(picture.id), await isUnused(picture.id)]).toEqual([1, false]);
    await publish(app(), project, id);
    expect([await usage(picture.id), await isUnused(picture.id)]).toEqual([0, true]);
  });

  it('counts published assets until the entry is unpublished', async () => {
    const { id } = await page({ hero: link(picture) });
    await publish(app(), project, id);
    await call('PUT', `/entries/${id}`, { version: 1, fields: { hero: null } });
    await call('POST', `/entries/${id}/unpublish`);
    expect(await isUnused(picture.id)).toBe(true);
  });

  it('does not count deleted entries, and counts them again when they are restored', async () => {
    const { id } = await page({ hero: link(picture) });
    await call('DELETE', `/entries/${id}`);
    expect([await usage(picture.id), await isUnused(picture.id)]).toEqual([0, true]);
    await call('POST', `/entries/${id}/undelete`);
    expect([await usage(picture.id), await isUnused(picture.id)]).toEqual([1, false]);
  });

  it('counts duplicates', async () => {
    const { id } = await page({ hero: link(picture) });
    await must(app(), {
      method: 'POST',
      path: `${project.management}/entries/${id}/duplicate`,
      key: project.keys.management,
      body: {},
    });
    expect(await usage(picture.id)).toBe(2);
  });
});

describe('GraphQL', () => {
  verifies('graphql/asset');

  const query = async (text: string, key = project.keys.delivery): Promise<Record<string, unknown>> => {
    const path = `/api/graphql/${project.slug}`;
    const { body } = await send(app(), { method: 'POST', path, key, body: { query: text } });
    return body as Record<string, unknown>;
  };

  it('reads an asset by id with its overlay, and null if it does not exist', async () => {
    const { data } = await query(
      `{ asset(id: "${picture.id}", locale: "de") { id altText url(width: 64, format: "webp") size focalPoint }
         none: asset(id: "0198c0de-0000-7000-8000-000000000000") { id } bad: asset(id: "x") { id } }`,
    );
    expect(data).toMatchObject({ asset: { id: picture.id }, none: null, bad: null });
    expect((data as { asset: { url: string } }).asset.url).toMatch(/\?(?=.*\bw=64\b)(?=.*\bfm=webp\b)/);
  });

  it('rejects transformations out of range', async () => {
    const { errors } = await query(`{ asset(id: "${picture.id}") { url(width: 0) } }`);
    expect(errors).toBeDefined();
  });

  it('reads media fields and embeds of a page in one statement', async () => {
    const own = await Promise.all([1, 2, 3].map(() => uploadAsset(app(), project)));
    for (const asset of own)
      await publish(
        app(),
        project,
        (await page({ hero: link(asset), gallery: [link(picture)], body: embed(picture) })).id,
      );
    const { result, statements } = await app().recordStatements(() =>
      query('{ pageCollection(limit: 50) { items { hero { url } gallery { altText } body { html } } } }'),
    );
    expect(statements.filter((sql) => sql.includes('media_assets')).length).toBe(1);
    const { items } = (result.data as { pageCollection: { items: object[] } }).pageCollection;
    expect(items).toEqual(
      expect.arrayContaining(
        own.map(({ url }) => ({
          hero: { url },
          gallery: [{ altText: 'A harbour' }],
          body: { html: expect.stringContaining(`<img src="${picture.url}"`) },
        })),
      ),
    );
  });
});
