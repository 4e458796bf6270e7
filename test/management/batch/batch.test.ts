import { beforeAll, describe, expect, it } from '@jest/globals';
import type { BatchOutcome } from '../../../contracts/entries/entries/batch.js';
import type { Entry } from '../../../contracts/entries/entries/entry.js';
import { must, send } from '../../support/call.js';
import { useApp } from '../../support/desk.js';
import { createType } from '../../support/factories/content.js';
import { unique } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { BulkScene, MISSING } from '../bulk/bulk-scene.js';

const app = useApp();
let scene: BulkScene;
let key: string;

beforeAll(async () => {
  scene = await BulkScene.open(app());
  key = scene.project.keys.management;
  const text = { apiName: 'text', type: 'richText' };
  await createType(app(), scene.project, { apiName: 'note', fields: [text] });
  await createType(app(), scene.project, {
    apiName: 'page',
    isPage: true,
    fields: [{ apiName: 'title', type: 'text', localized: true }],
  });
});

const call = (items: readonly object[], more: object = {}) =>
  send(app(), {
    method: 'POST',
    path: `${scene.project.management}/entries/batch`,
    key,
    body: { items, ...more },
  });

async function batch(...items: object[]): Promise<BatchOutcome[]> {
  const response = await call(items);
  expect(response.status).toBe(200);
  return (response.body as { data: { results: BatchOutcome[] } }).data.results;
}

const entry = (id: string | null, locale = 'en') =>
  must<Entry>(app(), {
    method: 'GET',
    path: `${scene.project.management}/entries/${id ?? ''}?locale=${locale}`,
    key,
  });

const article = (fields: object, more: object = {}) => ({
  action: 'upsert',
  contentTypeApiName: 'article',
  siteId: scene.project.siteId,
  externalId: unique(),
  fields,
  ...more,
});

describe('A batch', () => {
  verifies('entries/batch', 'entries/external-id');

  it('creates, updates and publishes entries with one outcome each, in order', async () => {
    const given = article({ title: 'One' });
    const { externalId } = given;
    const response = await call([
      given,
      { ...given, locale: 'de', fields: { title: 'Eins' }, publish: true },
      { action: 'update', contentTypeApiName: 'article', externalId, fields: { title: 'First' } },
      { action: 'publish', contentTypeApiName: 'article', externalId },
      article({ title: 'Two' }, { publish: true }),
    ]);
    const { data } = response.body as { data: { results: BatchOutcome[] } };
    expect(data).toMatchObject({ total: 5, succeeded: 5, failed: 0 });
    expect(data.results).toMatchObject([
      {
        index: 0,
        action: 'upsert',
        ok: true,
        externalId,
        locale: 'en',
        version: 1,
        status: 'draft',
        created: true,
      },
      { index: 1, locale: 'de', version: 2, status: 'published', created: false },
      { index: 2, action: 'update', locale: 'en', version: 3, status: 'draft' },
      { index: 3, action: 'publish', locale: 'en', version: 3, status: 'published' },
      { index: 4, locale: 'en', version: 1, status: 'published', created: true },
    ]);
    const [first] = data.results;
    expect(await entry(first?.entryId ?? '')).toMatchObject({
      externalId,
      version: 3,
      fields: { title: 'First' },
    });
    expect(await entry(first?.entryId ?? '', 'de')).toMatchObject({ fields: { title: 'Eins' } });
    const records = await scene.records(response);
    expect(records.map(({ action }) => action).sort()).toEqual([
      'entry.batch',
      ...['entry.create', 'entry.create'],
      ...['entry.publish', 'entry.publish', 'entry.publish'],
      ...['entry.update', 'entry.update'],
    ]);
  });

  it('finds an entry by external id or slug instead of creating a second one', async () => {
    const given = article({ title: 'Twice' });
    const [made] = await batch(given);
    const [again] = await batch({ ...given, fields: { title: 'Again' } });
    expect(again).toMatchObject({ entryId: made?.entryId, created: false, version: 2 });
    const [same] = await batch({ ...given, fields: { title: 'Again' } });
    expect(same).toMatchObject({ created: false, version: 2 });
    const path = `${scene.project.management}/sites`;
    const body = { slug: unique(), name: 'Other', baseUrl: `https://${unique()}.example.com` };
    const { id: siteId } = await must(app(), { method: 'POST', path, key, body });
    expect((await batch({ ...given, siteId }))[0]).toMatchObject({
      ok: false,
      error: 'external_id_conflict',
    });
    const slug = unique();
    const { externalId: _externalId, ...named } = article({ title: 'By slug' }, { slug });
    const [first] = await batch(named);
    const [second] = await batch({ ...named, fields: { title: 'By slug again' } });
    expect([first?.created, second?.created, second?.entryId]).toEqual([true, false, first?.entryId]);
  });

  it('refuses an item alone and undoes what it wrote', async () => {
    const taken = article({ title: 'Taken' });
    const [holder] = await batch(taken);
    const incomplete = article({}, { publish: true });
    const outcomes = await batch(
      article({ title: 'Good' }, { publish: true }),
      incomplete,
      { ...taken, action: 'create' },
      { action: 'update', id: MISSING, fields: { title: 'x' } },
      { action: 'update', id: holder?.entryId, version: 99, fields: { title: 'x' } },
      article({ title: 3 }),
      article({ title: 'x' }, { contentTypeApiName: 'nothing' }),
      { action: 'unpublish', id: MISSING },
      article({ title: 'Also good' }),
    );
    expect(outcomes.map(({ ok, error }) => (ok ? 'ok' : error))).toEqual([
      'ok',
      'entry_invalid',
      'external_id_conflict',
      'entry_not_found',
      'version_conflict',
      'validation_failed',
      'content_type_not_found',
      'entry_not_found',
      'ok',
    ]);
    const found = await must<Entry[]>(app(), {
      method: 'GET',
      path: `${scene.project.management}/entries?externalId=${incomplete.externalId}`,
      key,
    });
    expect(found).toEqual([]);
  });

  it('applies all items or none if it is atomic', async () => {
    const good = article({ title: 'Good' });
    const response = await call([good, { action: 'publish', id: MISSING }], { atomic: true });
    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({
      error: 'bulk_failed',
      details: { failed: 2, results: [{ error: 'bulk_failed' }, { error: 'entry_not_found' }] },
    });
    expect((await batch({ ...good, action: 'create' }))[0]).toMatchObject({ ok: true, created: true });
    expect(await call([article({ title: 'Alone' })], { atomic: true })).toMatchObject({ status: 200 });
  });

  it('places pages, moves them and writes their blocks as single calls do', async () => {
    const page = (fields: object, more: object = {}) =>
      article(fields, { contentTypeApiName: 'page', ...more });
    const above = page({ title: 'Above' }, { publish: true });
    const [parent] = await batch(above);
    const { treeNodeId } = await entry(parent?.entryId ?? '');
    const below = page({ title: 'Below' }, { treeParentId: treeNodeId, publish: true });
    const [child, german] = await batch(below, { ...below, locale: 'de', fields: { title: 'Unten' } });
    expect([child, german]).toMatchObject([
      { created: true, status: 'published' },
      { created: false, entryId: child?.entryId, locale: 'de', status: 'published' },
    ]);
    expect(await entry(child?.entryId ?? '')).toMatchObject({ treeParentId: treeNodeId });
    const [moved] = await batch({ action: 'update', id: child?.entryId, treeParentId: null });
    expect(moved).toMatchObject({ ok: true, version: german?.version });
    expect(await entry(child?.entryId ?? '')).toMatchObject({ treeParentId: null });
  });

  it('returns what was dropped from rich text', async () => {
    const body = {
      html: '<p>Text <a href="javascript:x()">link</a></p><iframe src="https://x.example"></iframe>',
    };
    const list = { markdown: '<p style="color:red">Text</p>' };
    const outcomes = await batch(article({ title: 'A', body }), article({ title: 'B', body: list }), {
      ...article({}, { contentTypeApiName: 'note' }),
      fields: { text: body },
    });
    const said = outcomes.map(({ warnings = [] }) => warnings.map(({ code, path }) => [code, path?.at(-1)]));
    expect(said.map((one) => one.length > 0)).toEqual([true, true, true]);
    expect(new Set(said.flat().map(([, field]) => field))).toEqual(new Set(['body', 'text']));
    expect(new Set(said.flat().map(([code]) => code)).size).toBeGreaterThan(1);
  });

  it('numbers generated slugs that items of the same batch share', async () => {
    const title = `Shared ${unique()}`;
    const outcomes = await batch(article({ title }), article({ title }), article({ title }));
    const slugs = await Promise.all(outcomes.map(async ({ entryId }) => (await entry(entryId)).slug));
    expect(new Set(slugs).size).toBe(3);
  });

  it('requires that every item names its entry', async () => {
    const response = await call([
      { action: 'publish' },
      { action: 'update', id: MISSING, externalId: 'x', fields: {} },
      { ...article({}), externalId: undefined },
    ]);
    expect(response.status).toBe(422);
    const { details } = response.body as { details: { issues: { path: unknown[] }[] } };
    expect(details.issues.map(({ path }) => path)).toEqual([
      ['items', 0, 'id'],
      ['items', 1, 'id'],
      ['items', 2, 'externalId'],
    ]);
  });

  it('writes a hundred drafts with as many statements as ten', async () => {
    const counts: number[] = [];
    for (const count of [1, 10, 100]) {
      const items = Array.from({ length: count }, (_, index) =>
        article({ title: `T${String(index)}` }, { publish: true }),
      );
      const { statements, result } = await app().recordStatements(() => call(items));
      expect(result.body).toMatchObject({ data: { succeeded: count } });
      counts.push(statements.length);
    }
    // The first call fills caches.
    expect(counts[2]).toBe(counts[1]);
  });

  it('makes one entry of simultaneous upserts', async () => {
    const shared = Array.from({ length: 5 }, () => article({ title: 'Shared' }));
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, turn) => call(turn % 2 === 0 ? shared : shared.toReversed())),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    const outcomes = responses.flatMap(
      ({ body }) => (body as { data: { results: BatchOutcome[] } }).data.results,
    );
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
    expect(outcomes.filter(({ created }) => created)).toHaveLength(shared.length);
  });
});

describe('An external id', () => {
  verifies('entries/external-id');

  const create = (externalId: string, more: object = {}) =>
    send(app(), {
      method: 'POST',
      path: `${scene.project.management}/entries`,
      key,
      body: { ...article({ title: 'Named' }, { externalId }), action: undefined, ...more },
    });

  it('is unique within its type, and free again after a deletion', async () => {
    const externalId = unique();
    const first = (await create(externalId)).body as { data: Entry };
    expect(first.data.externalId).toBe(externalId);
    expect(await create(externalId)).toMatchObject({
      status: 409,
      body: { error: 'external_id_conflict' },
    });
    const path = `${scene.project.management}/entries/${first.data.id}`;
    await must(app(), { method: 'DELETE', path, key });
    expect((await create(externalId)).status).toBe(201);
    const undelete = await send(app(), { method: 'POST', path: `${path}/undelete`, key });
    expect(undelete).toMatchObject({ status: 409, body: { error: 'external_id_conflict' } });
  });

  it('can be given and taken away, which changes no content', async () => {
    const { id, version } = ((await create(unique())).body as { data: Entry }).data;
    const path = `${scene.project.management}/entries/${id}`;
    const put = (externalId: string | null) =>
      must<Entry>(app(), { method: 'PUT', path, key, body: { version, externalId } });
    const other = unique();
    expect(await put(other)).toMatchObject({ externalId: other, version });
    expect(await put(null)).toMatchObject({ externalId: null, version });
    expect((await create(other)).status).toBe(201);
  });
});
