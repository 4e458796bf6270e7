import { beforeAll, describe, expect, it } from '@jest/globals';
import type { BatchOutcome } from '../../../contracts/entries/entries/batch.js';
import type { EntrySnapshot, EntryVersion } from '../../../contracts/entries/entries/entry-version.js';
import type { Entry } from '../../../contracts/entries/entries/entry.js';
import { expectConsistent } from '../../support/consistency.js';
import { openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { createType } from '../../support/factories/content.js';
import { unique } from '../../support/factories/project.js';
import { sessionWith, type TestGrant } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { createdAt, sourceVersion as version, threeVersions as three } from './source-versions.js';

const app = useOwnApp();
let desk: Desk;
let importer: Desk;

const all: TestGrant = { resource: '*', action: '*' };
const mayImport: TestGrant = { resource: 'entries', action: 'import' };

const member = async (...grants: TestGrant[]): Promise<Desk> =>
  desk.as(await sessionWith(app(), desk.project, grants));

beforeAll(async () => {
  desk = await openDesk(app(), { locales: ['en', 'de'] });
  const text = (apiName: string, localized: boolean) => ({ apiName, type: 'text', localized });
  const part = [text('label', true), text('code', false)];
  await createType(app(), desk.project, { apiName: 'part', isBlock: true, fields: part });
  const parts = { apiName: 'parts', type: 'blocks', localized: false };
  const fields = [text('title', true), text('code', false), parts];
  await createType(app(), desk.project, { apiName: 'page', fields });
  importer = await member(all, mayImport);
});

async function batch(items: readonly object[], by = importer): Promise<BatchOutcome[]> {
  const { status, body } = await by.post('/entries/batch', { items });
  expect([status, body]).toEqual([200, expect.anything()]);
  return (body.data as { results: BatchOutcome[] }).results;
}

const upsert = (externalId: string, more: object = {}) => ({
  action: 'upsert',
  contentTypeApiName: 'page',
  siteId: desk.project.siteId,
  externalId,
  createdAt,
  ...more,
});

const history = (externalId: string, versions: readonly object[], more: object = {}) => ({
  action: 'history',
  contentTypeApiName: 'page',
  externalId,
  latest: versions.length,
  versions,
  ...more,
});

/** An entry that an import has written in both locales. */
async function imported(more: object = {}): Promise<{ externalId: string; id: string }> {
  const externalId = unique();
  const title = { title: 'Third' };
  const outcomes = await batch([
    upsert(externalId, { fields: {}, slug: externalId }),
    upsert(externalId, { fields: {}, slug: externalId, locale: 'de' }),
    upsert(externalId, { fields: { ...title, code: 'c' }, ...more }),
    upsert(externalId, { fields: { title: 'Drei' }, locale: 'de' }),
  ]);
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true, true]);
  return { externalId, id: outcomes[0]?.entryId ?? '' };
}

const versionsOf = async (id: string): Promise<EntryVersion[]> =>
  (await desk.get(`/entries/${id}/versions?orderBy=createdAt:asc`)).body.data as EntryVersion[];
const snapshotOf = async (id: string, number: number): Promise<EntrySnapshot> =>
  (await desk.get(`/entries/${id}/versions/${String(number)}`)).body.data as EntrySnapshot;
const read = async (id: string): Promise<Entry> => (await desk.get(`/entries/${id}`)).body.data as Entry;

describe('Versions of the source of an import', () => {
  verifies('entries/import');

  it('replace those of the import, with their numbers, times and authors', async () => {
    const { externalId, id } = await imported();
    expect((await versionsOf(id)).map(({ changeType }) => changeType)).toEqual(Array(4).fill('import'));
    const [done] = await batch([history(externalId, three)]);
    expect(done).toMatchObject({ ok: true, action: 'history', entryId: id, version: 3, created: false });
    const kept = ({ versionNum, createdAt: at, createdBy, changeType, comment, locales }: EntryVersion) =>
      [versionNum, at, createdBy.name, createdBy.id, changeType, comment, locales] as const;
    expect((await versionsOf(id)).map(kept)).toEqual([
      [1, three[0]?.createdAt, 'Author 1', null, 'create', 'Change 1', ['en']],
      // The value that both locales have had differs in English as well.
      [2, three[1]?.createdAt, 'Author 2', null, 'update', 'Change 2', ['de', 'en']],
      [3, three[2]?.createdAt, 'Author 3', null, 'update', 'Change 3', ['de', 'en']],
    ]);
    const entry = await read(id);
    expect(entry).toMatchObject({
      version: 3,
      createdAt,
      updatedAt: three[2]?.createdAt,
      fields: { title: 'Third' },
    });
    expect(entry.updatedBy).toEqual({ type: 'user', id: null, name: 'Author 3' });
    expect((await snapshotOf(id, 2)).snapshot.fields).toEqual({
      en: { title: 'Second', gone: 1 },
      de: { title: 'Zwei' },
    });
    await expectConsistent(app(), desk.project);
  });

  it('have one record of their import, and no event', async () => {
    const { externalId, id } = await imported();
    const events = () => app().rows(desk.project.tenantId, 'SELECT id FROM outbox_events');
    const before = (await events()).length;
    await batch([history(externalId, three)]);
    expect((await events()).length).toBe(before);
    const records = await app().rows<{ before: object; after: object }>(
      desk.project.tenantId,
      "SELECT before, after FROM audit_events WHERE target ->> 'id' = $1 AND action = 'entry.import'",
      [id],
    );
    expect(records).toEqual([
      { before: { id, version: 4 }, after: { id, version: 3, versions: expect.arrayContaining([1, 2, 3]) } },
    ]);
  });

  it('stay as they are when they are sent again', async () => {
    const { externalId, id } = await imported();
    await batch([history(externalId, three)]);
    const before = [await versionsOf(id), await read(id)];
    const [again] = await batch([history(externalId, three)]);
    expect(again).toMatchObject({ ok: true, version: 3 });
    expect([await versionsOf(id), await read(id)]).toEqual(before);
  });

  it('are compared and restored as any others, without values of deleted fields', async () => {
    const { externalId, id } = await imported();
    await batch([history(externalId, three)]);
    const { body } = await desk.get(`/entries/${id}/versions/diff?from=1&to=3`);
    expect((body.data as { changes: object[] }).changes).toContainEqual({
      locale: 'en',
      field: 'title',
      from: 'First',
      to: 'Third',
    });
    const restored = await desk.post(`/entries/${id}/restore`, { versionNum: 2 });
    expect(outcome(restored)).toEqual([200, undefined]);
    expect(restored.body.data).toMatchObject({ version: 4, fields: { title: 'Second' } });
    expect((await versionsOf(id)).map(({ changeType }) => changeType).at(-1)).toBe('restore');
    const [late] = await batch([history(externalId, three)]);
    expect(late).toMatchObject({ ok: true, version: 4 });
  });

  it('leave what is published as it is, under the number of the source', async () => {
    const { externalId, id } = await imported({ publish: true, publishedAt: createdAt });
    await batch([upsert(externalId, { fields: { title: 'Fourth' } })]);
    const publications = [
      { locale: 'en', kind: 'publish' as const, at: createdAt, by: three[0]!.createdBy, comment: 'Go' },
    ] as EntrySnapshot['publications'];
    const four = [
      three[0]!,
      version(2, { en: { title: 'Not what is published' } }, { publications }),
      version(3, { en: { title: 'Not the draft' } }),
    ];
    const before = await app().rows(
      desk.project.tenantId,
      'SELECT fields, slug, published_at FROM published_entries WHERE entry_id = $1',
      [id],
    );
    const [refused] = await batch([history(externalId, four, { published: { en: 3 } })]);
    expect(refused).toMatchObject({
      error: 'validation_failed',
      details: { issues: [{ path: ['published', 'en'] }] },
    });
    const [done] = await batch([history(externalId, four, { published: { en: 2 } })]);
    expect(done).toMatchObject({ ok: true, version: 3 });
    const entry = await read(id);
    expect(entry.locales[0]).toMatchObject({
      status: 'changed',
      publishedVersion: 2,
      publishedAt: createdAt,
    });
    expect(entry.fields).toMatchObject({ title: 'Fourth' });
    expect((await snapshotOf(id, 3)).snapshot.fields.en).toMatchObject({ title: 'Fourth', code: 'c' });
    const live = await snapshotOf(id, 2);
    expect(live.snapshot.fields.en).toMatchObject({ title: 'Third', code: 'c' });
    expect(live.isPublished).toBe(true);
    expect(live.publications).toEqual([
      { ...publications[0], by: { type: 'user', id: null, name: 'Author 1' } },
    ]);
    expect(
      await app().rows(
        desk.project.tenantId,
        'SELECT fields, slug, published_at FROM published_entries WHERE entry_id = $1',
        [id],
      ),
    ).toEqual(before);
    await expectConsistent(app(), desk.project);
  });

  it('keep blocks with values in several locales', async () => {
    const { externalId, id } = await imported();
    const block = (label: string, more: object = {}) => ({
      _ref: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a71',
      _type: 'part',
      fields: { label, code: 'k', old: 'o', ...more },
    });
    const given = version(1, {
      en: { title: 'First', parts: [block('Upper')] },
      de: { title: 'Eins', parts: [block('Ober')] },
    });
    await batch([history(externalId, [given, three[2]!], { latest: 3 })]);
    expect((await snapshotOf(id, 1)).snapshot.fields).toEqual(given.snapshot.fields);
  });

  it('come in several calls, oldest first, with the newest at last', async () => {
    const { externalId, id } = await imported();
    const count = 1000;
    const versions = Array.from({ length: count }, (_, index) =>
      version(index + 1, { en: { title: `Number ${String(index + 1)}` } }),
    );
    for (let start = 0; start < count; start += 100) {
      const [done] = await batch([
        history(externalId, versions.slice(start, start + 100), { latest: count }),
      ]);
      expect(done).toMatchObject({ ok: true, version: count });
    }
    const [late] = await batch([history(externalId, [version(1001, {})], { latest: 1001 })]);
    expect(late?.error).toBe('version_conflict');
    const { body } = await desk.get(`/entries/${id}/versions?limit=1`);
    expect(body.meta.total).toBe(count);
    expect((await snapshotOf(id, 501)).snapshot.fields.en).toEqual({ title: 'Number 501' });
    expect((await snapshotOf(id, count)).snapshot.fields.en).toEqual({ title: 'Third', code: 'c' });
  });

  it('are not added below one that is complete', async () => {
    const { externalId, id } = await imported();
    await batch([history(externalId, [three[1]!], { latest: 3 })]);
    const [refused] = await batch([history(externalId, [three[0]!], { latest: 3 })]);
    expect(refused?.error).toBe('version_conflict');
    const [done] = await batch([history(externalId, [three[2]!], { latest: 3 })]);
    expect(done?.ok).toBe(true);
    expect((await versionsOf(id)).map(({ versionNum }) => versionNum)).toEqual([2, 3]);
  });

  it('are refused for an entry that something else has changed', async () => {
    const { externalId, id } = await imported();
    const { version: number } = await read(id);
    await importer.put(`/entries/${id}`, { version: number, fields: { title: 'By hand' } });
    const before = await versionsOf(id);
    const [refused] = await batch([history(externalId, three)]);
    expect(refused).toMatchObject({ ok: false, error: 'version_conflict' });
    const other = await imported();
    const [foreign] = await batch([history(other.externalId, three)], await member(all, mayImport));
    expect(foreign?.error).toBe('version_conflict');
    expect(await versionsOf(id)).toEqual(before);
  });

  it('need the permission entries.import for every locale', async () => {
    const { externalId } = await imported();
    const update: TestGrant = { resource: 'entries', action: '*', scope: { locales: ['en'] } };
    for (const by of [desk, await member(all), await member(update, mayImport)])
      expect((await batch([history(externalId, three)], by))[0]).toMatchObject({
        error: expect.stringMatching(/permission_denied$/),
      });
  });

  it.each([
    ['a version above the newest', [version(9, { en: {} })], 'versionNum'],
    ['versions that do not ascend', [three[1]!, three[0]!, three[2]!], 'versionNum'],
    [
      'a time in the future',
      [version(1, { en: {} }, { createdAt: '2999-01-01T00:00:00.000Z' })],
      'createdAt',
    ],
    ['no author', [{ ...version(1, { en: {} }), createdBy: undefined }], 'createdBy'],
    ['a long comment', [version(1, { en: {} }, { comment: 'x'.repeat(1001) })], 'createdAt'],
    ['another type of change', [{ ...version(1, { en: {} }), changeType: 'made' }], 'changeType'],
    [
      'a slug with a slash',
      [{ ...version(1, { en: {} }), snapshot: { slug: 'a', slugs: { en: 'a/b' }, fields: { en: {} } } }],
      'snapshot',
    ],
    ['a name of all fields', [version(1, { en: {} }, { changedFields: ['*'] })], 'changedFields'],
  ])('are refused with %s', async (_name, versions, key) => {
    const { externalId, id } = await imported();
    const before = await versionsOf(id);
    const [refused] = await batch([history(externalId, versions, { latest: 3 })]);
    expect(refused).toMatchObject({
      error: 'validation_failed',
      details: { issues: [{ path: expect.arrayContaining(['versions', key]) }] },
    });
    expect(await versionsOf(id)).toEqual(before);
  });
});
