import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { storedJson } from '../../src/content/exact-json/stored-json.js';
import { writeBodies } from '../../src/features/publishing/delivery/index.js';
import { publishedBody, PublishedBody } from '../../src/features/shared/published-body.js';
import { must } from '../support/call.js';
import { openDesk, useOwnApp, type Desk } from '../support/desk.js';
import { createEntry, createType, everyField, paragraphs, publish } from '../support/factories/content.js';
import { uploadAsset } from '../support/factories/media.js';
import { fc } from '../support/properties.js';
import { waitFor } from '../support/wait-for.js';

const app = useOwnApp();

const object = fc.dictionary(fc.oneof(fc.string({ maxLength: 6 }), fc.nat().map(String)), fc.jsonValue());

describe('The text of a stored value', () => {
  it('is what JSON.stringify makes of the value that the database returns', async () => {
    const storable = (json: string) => !/\\u0000|\\ud[89a-f]/.test(json);
    const values = fc.sample(fc.oneof(object, fc.array(object), fc.double({ noNaN: true })), 300);
    const given = values.map((value) => JSON.stringify(value)).filter((json) => storable(json));
    given.push('{"10":1,"9":2,"a":3,"é":4,"zz":5,"__proto__":6,"ａ":7,"😀":8}', '[1e21,5e-324,1e-7,-0,0.1]');
    const sql =
      'SELECT value FROM unnest($1::jsonb[]) WITH ORDINALITY AS given (value, place) ORDER BY place';
    const stored = await app().rows<{ value: unknown }>(null, sql, [given]);
    const texts = given.map((json) => storedJson(JSON.parse(json)));
    expect(texts).toEqual(stored.map(({ value }) => JSON.stringify(value)));
  });

  it('has a line per field, which can be read alone', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,9}$/), fc.jsonValue()), (values) => {
        const plain = JSON.parse(JSON.stringify(values)) as Record<string, unknown>;
        const body = new PublishedBody(publishedBody(values));
        expect(body.isIntact).toBe(true);
        expect(body.values()).toEqual(plain);
        expect(body.lines).toHaveLength(Object.keys(plain).length);
        for (const [name, value] of Object.entries(plain)) expect(body.value(name)).toEqual(value);
        expect(body.value('Absent')).toBeUndefined();
      }),
    );
  });
});

describe('Entries over REST', () => {
  let desk: Desk;
  let ids: readonly string[];

  beforeAll(async () => {
    desk = await openDesk(app());
    const { project } = desk;
    const asset = await uploadAsset(app(), project);
    await createType(app(), project, {
      apiName: 'everything',
      fields: [...everyField, { apiName: 'cover', type: 'media' }],
    });
    const make = async (contentTypeApiName: string, fields: Record<string, unknown>) => {
      const { id } = await createEntry(app(), project, { contentTypeApiName, fields });
      await publish(app(), project, id);
      return id;
    };
    const ada = await make('author', { name: 'Ada "Ø" \u2028 \n' });
    const draft = await createEntry(app(), project, { contentTypeApiName: 'author', fields: { name: 'No' } });
    const article = await make('article', { title: 'Text', author: { _ref: ada } });
    const embed = { type: 'assetEmbed', attrs: { assetId: asset.id } };
    const all = await make('everything', {
      title: 'All',
      summary: 'a\nb',
      body: { type: 'doc', content: [...paragraphs('<figure data-asset="x">').content, embed] },
      ratio: 1e21,
      data: { longer: 1, 10: 2, 9: [null, { b: 1, a: 2 }], a: 1e-7 },
      related: [{ _ref: article }, { _ref: draft.id }, { _ref: article }],
      parts: [{ _ref: ada }],
      cover: { _ref: asset.id },
    });
    const own = { version: 1, fields: { related: [{ _ref: article }] } };
    await desk.put(`/entries/${article}`, { ...own, fields: { related: [{ _ref: article }] } });
    await publish(app(), project, article);
    ids = [all, article, await make('everything', { title: 'Few' })];
  });

  const bodies = (sql: string) => app().rows<{ body: string | null }>(desk.project.tenantId, sql, [[...ids]]);
  const withoutBodies = () =>
    bodies('UPDATE published_entries SET body = NULL WHERE entry_id = ANY ($1::uuid[]) RETURNING body');

  const writeAll = () => {
    const onError = (error: unknown) => {
      throw error;
    };
    return writeBodies({ units: app().composition.services.units, onError });
  };

  const questions = () => [
    ...[0, 1, 2, 3].flatMap((include) =>
      ids.map((id) => ['getEntry', `entries/${id}`, { id, include }] as const),
    ),
    ['getEntry', `entries/${ids[0] ?? ''}`, { id: ids[0], include: 1, paths: true }] as const,
    ...['everything', 'article'].flatMap((contentTypeApiName) =>
      [0, 2].flatMap((include) =>
        [undefined, ['title', 'related']].map(
          (fields) =>
            [
              'listContent',
              `content/${contentTypeApiName}`,
              { contentTypeApiName, include, fields },
            ] as const,
        ),
      ),
    ),
  ];

  /** Texts over REST, and the objects over tRPC as text. */
  async function answers(): Promise<{ texts: string[]; objects: string[]; tags: string[] }> {
    app().composition.coherence.purgeAll();
    const found = { texts: [] as string[], objects: [] as string[], tags: [] as string[] };
    for (const [verb, path, { include, ...rest }] of questions()) {
      const { paths, fields } = rest as { paths?: boolean; fields?: string[] };
      const query = `include=${String(include)}${paths ? '&paths=true' : ''}${fields ? `&fields=${fields.join(',')}` : ''}`;
      const answer = await app().request.get(`${desk.project.delivery}/${path}?${query}`);
      const input = { projectSlug: desk.project.slug, siteSlug: 'main', include, ...rest };
      const trpc = await app()
        .request.get(`/api/trpc/delivery.${verb}?input=${encodeURIComponent(JSON.stringify(input))}`)
        .set('Authorization', `Bearer ${desk.project.keys.delivery}`);
      const { result } = JSON.parse(trpc.text) as { result: { data: unknown } };
      found.texts.push(answer.text);
      found.objects.push(JSON.stringify(result.data));
      found.tags.push(answer.headers.etag ?? '');
    }
    return found;
  }

  it('are the bytes of the same entries as objects, with and without stored text', async () => {
    const withText = await answers();
    expect(withText.texts).toEqual(withText.objects);
    const byTag = new Map(withText.tags.map((tag, index) => [tag, withText.texts[index]]));
    expect(withText.tags.map((tag) => byTag.get(tag))).toEqual(withText.texts);
    expect((await withoutBodies()).map(({ body }) => body)).toEqual([null, null, null]);
    const withoutText = await answers();
    expect(withoutText.texts).toEqual(withText.texts);
    expect(withoutText.objects).toEqual(withText.texts);
    await writeAll();
    const written = await bodies('SELECT body FROM published_entries WHERE entry_id = ANY ($1::uuid[])');
    expect(written.every(({ body }) => body !== null)).toBe(true);
    expect(await answers()).toEqual(withText);
  });

  it('never have a text that differs from the values', async () => {
    const texts = () =>
      bodies('SELECT body FROM published_entries WHERE entry_id = ANY ($1::uuid[]) ORDER BY entry_id');
    const before = await texts();
    await bodies(
      `UPDATE published_entries SET body = replace(body, 'All', 'Other') WHERE entry_id = ANY ($1::uuid[])`,
    );
    const after = await texts();
    expect(after.filter(({ body }) => body === null)).toHaveLength(1);
    expect(after.filter(({ body }, index) => body === before[index]?.body)).toHaveLength(2);
    await writeAll();
    expect(await texts()).toEqual(before);
  });

  it('are purged by every write that changes them, and not by one that writes what was missing', async () => {
    const [all = ''] = ids;
    const read = () => app().request.get(`${desk.project.delivery}/entries/${all}`);
    const isKept = async () => (await app().recordStatements(read)).statements.length === 0;
    await withoutBodies();
    await waitFor('the answer is kept', isKept);
    await writeAll();
    expect(await isKept()).toBe(true);
    const later = "UPDATE published_entries SET published_at = published_at + interval '1 second'";
    await bodies(`${later} WHERE entry_id = ANY ($1::uuid[])`);
    await waitFor('the answer is purged', async () => !(await isKept()));
  });

  it('change with their values, and keep their text after a field is added', async () => {
    const before = await answers();
    await desk.post('/content-types/everything/fields', { apiName: 'later', type: 'text' });
    await desk.post('/content-types/everything/fields', { apiName: 'lists', type: 'text', isList: true });
    const { texts, objects } = await answers();
    expect(texts).toEqual(objects);
    expect(texts[0]).toContain(',"later":null,"lists":[]}');
    const none = 'SELECT body FROM published_entries WHERE entry_id = ANY ($1::uuid[]) AND body IS NULL';
    expect(await bodies(none)).toEqual([]);
    await desk.post('/content-types/everything/fields/summary/rename', { apiName: 'abstract' });
    expect((await bodies(none)).length).toBe(2);
    const renamed = await answers();
    expect(renamed.texts).toEqual(renamed.objects);
    expect(renamed.texts[0]).toContain('"abstract":"a\\nb"');
    expect(renamed.tags[0]).not.toBe(before.tags[0]);
    await writeAll();
    expect(await answers()).toMatchObject({ texts: renamed.texts });
  });

  it('have other tags when an entry that they contain changes', async () => {
    const [, article = ''] = ids;
    const before = await answers();
    const { version } = await must<{ version: number }>(app(), {
      method: 'GET',
      path: `${desk.project.management}/entries/${article}`,
      key: desk.project.keys.management,
    });
    await desk.put(`/entries/${article}`, { version, fields: { title: 'Test' } });
    await publish(app(), desk.project, article);
    const after = await answers();
    const changed = (index: number) => before.texts[index] !== after.texts[index];
    expect(before.tags.map((tag, index) => tag !== after.tags[index])).toEqual(
      before.tags.map((_, index) => changed(index)),
    );
    expect(after.texts).toEqual(after.objects);
  });

  it('leave the database with only the fields that a query names, where they are large', async () => {
    const { project } = desk;
    const make = async (summary: string) => {
      const fields = { title: 'Large', summary, data: { deep: [summary.length] }, parts: [{ _ref: ids[1] }] };
      const { id } = await createEntry(app(), project, { contentTypeApiName: 'leaflet', fields });
      await publish(app(), project, id);
      return id;
    };
    await createType(app(), project, { apiName: 'leaflet', fields: everyField });
    const [large, small] = [await make('long "text" \n'.repeat(1000)), await make('short')];
    const [place] = await app().rows<{ id: string }>(
      project.tenantId,
      'SELECT environment_id AS id FROM published_entries WHERE entry_id = $1',
      [large],
    );
    const { publishedDocuments } = app().composition.services;
    const read = async (names?: string[]) => {
      const documents = await publishedDocuments(place?.id ?? '', names).byIds([large, small], ['en']);
      return new Map(documents.map(({ id, fields }) => [id, fields]));
    };
    const [all, some, none] = [await read(), await read(['data', 'title', 'absent']), await read([])];
    expect(some.get(large)).toEqual({ title: 'Large', data: all.get(large)?.data });
    expect(none.get(large)).toEqual({});
    expect(some.get(small)).toEqual(all.get(small));
    const answer = await app()
      .request.post(`/api/graphql/${project.slug}`)
      .set('Authorization', `Bearer ${project.keys.delivery}`)
      .send({
        query: `{ leafletCollection { items { ...some parts { _id ... on Article { title } } } }
          entry(id: "${large}") { ... on Leaflet { summary } } }
          fragment some on Leaflet { _id data }`,
      });
    const parts = [{ _id: ids[1], title: expect.any(String) }];
    const item = (id: string) => ({ _id: id, data: all.get(id)?.data, parts });
    expect(answer.body.data).toEqual({
      leafletCollection: { items: [item(small), item(large)] },
      entry: { summary: all.get(large)?.summary },
    });
  });
  it('stay within their row with the values where both are short', async () => {
    const { project } = desk;
    // Bytes that cannot be compressed.
    const summary = Array.from({ length: 30 }, (_, part) =>
      createHash('sha256').update(String(part)).digest('base64'),
    ).join('');
    const fields = { title: 'Short', summary };
    await createType(app(), project, { apiName: 'note', fields: everyField });
    const { id } = await createEntry(app(), project, { contentTypeApiName: 'note', fields });
    await publish(app(), project, id);
    const sql = `SELECT octet_length(body) AS bytes, pg_column_toast_chunk_id(body) AS body, pg_column_toast_chunk_id(fields) AS fields
      FROM published_entries WHERE entry_id = $1`;
    const [row] = await app().rows<{ bytes: number }>(project.tenantId, sql, [id]);
    expect(row).toEqual({ bytes: expect.any(Number), body: null, fields: null });
    expect(row?.bytes).toBeGreaterThan(1200);
  });
});
