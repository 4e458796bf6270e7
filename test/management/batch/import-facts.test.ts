import { beforeAll, describe, expect, it } from '@jest/globals';
import type { BatchOutcome } from '../../../contracts/entries/entries/batch.js';
import type { Entry } from '../../../contracts/entries/entries/entry.js';
import { send } from '../../support/call.js';
import { expectConsistent } from '../../support/consistency.js';
import { issues, openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { createType } from '../../support/factories/content.js';
import { unique } from '../../support/factories/project.js';
import { sessionWith, type TestGrant } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';

const app = useOwnApp();
let desk: Desk;
let importer: Desk;

const all: TestGrant = { resource: '*', action: '*' };

beforeAll(async () => {
  desk = await openDesk(app());
  const fields = [{ apiName: 'title', type: 'text' }];
  await createType(app(), desk.project, { apiName: 'leaf', isPage: true, fields });
  importer = await member(all, { resource: 'entries', action: 'import' });
});

const member = async (...grants: TestGrant[]): Promise<Desk> =>
  desk.as(await sessionWith(app(), desk.project, grants));

const facts = {
  createdAt: '2011-05-01 08:30Z',
  updatedAt: '2012-06-01T10:00+02:00',
  createdByName: 'Ada Lovelace',
};
const kept = { createdAt: '2011-05-01T08:30:00.000Z', updatedAt: '2012-06-01T08:00:00.000Z' };

const item = (more: object = {}) => ({
  action: 'upsert',
  contentTypeApiName: 'article',
  siteId: desk.project.siteId,
  externalId: unique(),
  fields: { title: 'Imported' },
  ...more,
});

async function batch(items: readonly object[], by = importer): Promise<BatchOutcome[]> {
  const { status, body } = await by.post('/entries/batch', { items });
  expect([status, body]).toEqual([200, expect.anything()]);
  return (body.data as { results: BatchOutcome[] }).results;
}

const read = async (id: string | null | undefined): Promise<Entry> =>
  (await desk.get(`/entries/${id ?? ''}`)).body.data as Entry;

describe('Facts of the source of an import', () => {
  verifies('entries/import');

  it('are kept by a new entry, whose record and version have the true time and actor', async () => {
    const made = await importer.post('/entries', { ...item(), action: undefined, ...facts });
    expect(outcome(made)).toEqual([201, undefined]);
    const entry = made.body.data as Entry;
    expect(entry).toMatchObject({ ...kept, createdBy: { type: 'user', name: 'Ada Lovelace' } });
    expect(await read(entry.id)).toEqual(entry);
    const [record] = await app().rows<{ at: Date; actor: { name: string } }>(
      desk.project.tenantId,
      "SELECT at, actor FROM audit_events WHERE target ->> 'id' = $1",
      [entry.id],
    );
    expect(record?.at.getTime()).toBeGreaterThan(Date.now() - 600_000);
    expect(record?.actor.name).not.toBe('Ada Lovelace');
    const [version] = (await desk.get(`/entries/${entry.id}/versions`)).body.data as { createdAt: string }[];
    expect(Date.parse(version?.createdAt ?? '')).toBeGreaterThan(Date.now() - 600_000);
  });

  it.each(['article', 'leaf'])('are kept by a batch of the type %s, in delivery too', async (type) => {
    const own = { contentTypeApiName: type, ...facts, publishedAt: '2011-05-02', publish: true };
    const given = [item(own), item({ ...own, publishedAt: '2011-05-03T10:00:00.5Z' })];
    const made = await batch(given);
    expect(made.map(({ status }) => status)).toEqual(['published', 'published']);
    const entry = await read(made[0]?.entryId);
    expect(entry).toMatchObject({ ...kept, createdBy: { name: 'Ada Lovelace' } });
    expect(entry.locales[0]?.publishedAt).toBe('2011-05-02T00:00:00.000Z');
    const rows = await app().rows<{ at: Date; first: Date; created: Date }>(
      desk.project.tenantId,
      'SELECT published_at AS at, first_published_at AS first, created_at AS created FROM published_entries WHERE entry_id = ANY($1) ORDER BY 1',
      [made.map(({ entryId }) => entryId)],
    );
    expect(
      rows.map(({ at, first, created }) => [at, first, created].map((one) => one.toISOString())),
    ).toEqual([
      ['2011-05-02T00:00:00.000Z', '2011-05-02T00:00:00.000Z', kept.createdAt],
      ['2011-05-03T10:00:00.500Z', '2011-05-03T10:00:00.500Z', kept.createdAt],
    ]);
    const again = await batch(given);
    expect(again.map(({ version, created }) => [version, created])).toEqual([
      [1, false],
      [1, false],
    ]);
    expect(await read(made[0]?.entryId)).toEqual(entry);
  });

  it('are in delivery and the sitemap, which a rebuild leaves as they are', async () => {
    const own = { contentTypeApiName: 'leaf', slug: unique(), publishedAt: '2011-05-02', publish: true };
    const [made] = await batch([item(own)]);
    const { delivery, keys } = desk.project;
    const path = (rest: string) => `${delivery}/${rest}`;
    const document = await send(app(), {
      method: 'GET',
      path: path(`entries/${made?.entryId ?? ''}`),
      key: keys.delivery,
    });
    expect(document.body.data).toMatchObject({ _publishedAt: '2011-05-02T00:00:00.000Z' });
    const { body } = await send(app(), { method: 'GET', path: path('sitemap?format=json') });
    const pages = body.data as { entryId: string; lastModified: string }[];
    expect(pages.find(({ entryId }) => entryId === made?.entryId)?.lastModified).toBe(
      '2011-05-02T00:00:00.000Z',
    );
    await expectConsistent(app(), desk.project);
  });

  it('decide the order of lists', async () => {
    const marks = ['2001-01-01', '2003-01-01', '2002-01-01'];
    const code = unique();
    const made = await batch(
      marks.map((createdAt, index) => item({ createdAt, fields: { title: `${code} ${String(index)}` } })),
    );
    const listed = await desk.get(`/entries?q=${code}&orderBy=createdAt:asc`);
    const ids = made.map(({ entryId }) => entryId);
    expect((listed.body.data as Entry[]).map(({ id }) => id)).toEqual([ids[0], ids[2], ids[1]]);
  });

  it('are of the change where an entry exists already', async () => {
    const given = item();
    const [made] = await batch([given]);
    const before = await read(made?.entryId);
    await batch([{ ...given, ...facts, fields: { title: 'Changed' } }]);
    const after = await read(made?.entryId);
    expect([after.version, after.createdAt, after.createdBy]).toEqual([
      2,
      before.createdAt,
      before.createdBy,
    ]);
    expect(Date.parse(after.updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.updatedAt));
  });

  it.each(['createdAt', 'updatedAt', 'createdByName', 'publishedAt'])(
    'need the permission for %s',
    async (key) => {
      const value = key === 'createdByName' ? 'Ada' : '2011-05-01T00:00:00Z';
      const given = item({ [key]: value, publish: true });
      const refused = {
        error: 'permission_denied',
        details: { resource: 'entries', action: 'import', path: [key] },
      };
      const elsewhere: TestGrant = {
        resource: 'entries',
        action: 'import',
        scope: { contentTypes: ['author'] },
      };
      for (const by of [desk, await member(all), await member(all, elsewhere)])
        expect((await batch([given], by))[0]).toMatchObject(refused);
      await batch([{ ...given, [key]: undefined }]);
      expect((await batch([given], desk))[0]).toMatchObject(refused);
    },
  );

  it.each([
    ['2999-01-01T00:00:00Z', 'too_late'],
    ['1969-12-31T23:59:59Z', 'invalid_format'],
    ['2011-05-01T08:30', 'invalid_format'],
    ['2011-02-30T08:30Z', 'invalid_format'],
    ['2011-05-01T25:30Z', 'invalid_format'],
    ['yesterday', 'invalid_format'],
  ])('refuse the time %s', async (createdAt, code) => {
    expect(issues(await importer.post('/entries', { ...item({ createdAt }), action: undefined }))).toEqual([
      ['createdAt', code],
    ]);
  });

  it('refuse publishedAt where nothing is published', async () => {
    const refused = await importer.post('/entries/batch', { items: [item({ publishedAt: '2011-05-01' })] });
    expect(issues(refused)).toEqual([['items.0.publish', 'required']]);
  });

  it('cannot be permitted by keys', async () => {
    const role = (await desk.post('/roles', { name: unique(), slug: unique() })).body.data as { id: string };
    const grant = { resource: 'entries', action: 'import' };
    expect(outcome(await desk.post(`/roles/${role.id}/permissions`, grant))).toEqual([
      403,
      'privilege_escalation',
    ]);
  });
});
