import { beforeAll, describe, expect, it } from '@jest/globals';
import { checkHealth } from '../../../src/features/insight/reports/index.js';
import { EnvironmentListRepository } from '../../../src/features/environments/catalog/index.js';
import { addressOf, systemScope } from '../../../src/persistence/work/unit-of-work.js';
import { startBeside } from '../../support/app.js';
import { Desk, openDesk, useOwnApp } from '../../support/desk.js';
import { branch } from '../../support/factories/branch.js';
import { uploadAsset } from '../../support/factories/media.js';
import { platform } from '../../support/platform.js';
import { verifies } from '../../support/verifies.js';
import { createHealthTypes } from './health-world.js';
import { notes, readHealth, recounted, reported } from './read-health.js';

const app = useOwnApp();
const missing = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5aff';

let desk: Desk;
const ids: Record<string, string> = {};

const assess = (): Promise<number> => app().composition.jobs.assessHealth();
const ok = async (response: Promise<{ status: number; text: string }>): Promise<void> => {
  const { status, text } = await response;
  if (status >= 300) throw new Error(text);
};

async function make(name: string, contentTypeApiName: string, fields: object): Promise<void> {
  const made = await desk.post('/entries', { contentTypeApiName, siteId: desk.project.siteId, fields });
  if (made.status !== 201) throw new Error(made.text);
  ids[name] = (made.body as { data: { id: string } }).data.id;
}

async function update(name: string, body: object): Promise<void> {
  const path = `/entries/${ids[name]!}`;
  const { version } = (await desk.get(path)).body.data as { version: number };
  await ok(desk.put(path, { version, ...body }));
}

const stored = async (): Promise<number> => {
  const [row] = await app().rows<{ issues: number }>(
    desk.project.tenantId,
    'SELECT count(*)::int AS issues FROM health_issues',
  );
  return row?.issues ?? -1;
};

/** What differs between stored issues and the content. */
async function differences(): Promise<unknown[]> {
  const { units } = app().composition.services;
  const all = { scope: systemScope({ command: 'test' }), isReadOnly: true, lock: 'none' } as const;
  const heads = await units.run(all, (work) => work.use(EnvironmentListRepository).all());
  const head = heads.find(({ projectSlug }) => projectSlug === desk.project.slug)!;
  const scope = systemScope({ command: 'test', address: addressOf(head) });
  return units.run({ ...all, scope }, (work) => checkHealth(work, 10));
}

beforeAll(async () => {
  desk = await openDesk(app(), { locales: ['en', { code: 'de', fallbackCode: 'en' }, 'fr'] });
  await createHealthTypes(desk);
  ids.picture = (await uploadAsset(app(), desk.project)).id;
  await make('note', 'note', { title: 'Lock' });
  await make('part', 'part', { title: 'Part' });
  await make('page', 'page', { title: 'Page' });
  await make('story', 'story', {
    title: 'Gate',
    cover: { _ref: ids.picture },
    links: [{ _ref: ids.note }, { _ref: missing }],
    parts: [{ _ref: ids.part }],
  });
  await update('story', { locale: 'fr', fields: { title: 'Porte', cover: { _ref: ids.picture } } });
});

const describeImage = (altText: string | null) => desk.put(`/media/${ids.picture!}/locales/en`, { altText });
const fallBack = async (fr: object): Promise<void> => {
  const locales = ['en', { code: 'de', fallbackCode: 'en' }, { code: 'fr', ...fr }];
  await ok(platform(app(), `PUT /tenants/${desk.project.tenantSlug}`, { locales }));
};

/** Changes that concern other entries than those written, and what they do to the number of issues. */
const changes: readonly (readonly [string, () => Promise<unknown>, -1 | 0 | 1])[] = [
  ['an asset gains a text', () => ok(describeImage('A lock')), -1],
  ['a locale gains a fallback', () => fallBack({ fallbackCode: 'en' }), -1],
  ['a locale loses its fallback', () => fallBack({ fallbackCode: null }), 1],
  ['an asset loses its text', () => ok(describeImage(null)), 1],
  ['an entry that is linked to is deleted', () => ok(desk.delete(`/entries/${ids.note!}`)), 0],
  ['and restored', () => ok(desk.post(`/entries/${ids.note!}/undelete`)), 0],
  ['an entry of another type takes a slug', () => update('story', { slug: 'lock' }), 1],
  ['and another one', () => update('story', { slug: 'gate' }), -1],
  ['a block is no longer held', () => update('story', { fields: { parts: [] } }), 1],
  ['and held again', () => update('story', { fields: { parts: [{ _ref: ids.part }] } }), -1],
  ['the entry that holds a block is deleted', () => ok(desk.delete(`/entries/${ids.story!}`)), -1],
  ['and restored, too', () => ok(desk.post(`/entries/${ids.story!}/undelete`)), 1],
  ['a page leaves its tree', () => leaveTree(), 1],
  ['a field is required', () => requireField(), 1],
  ['a field is optional', () => ok(desk.put('/content-types/note/fields/summary', { required: false })), -1],
  ['a field is deleted', () => ok(desk.delete('/content-types/story/fields/sku')), -1],
];

async function leaveTree(): Promise<void> {
  const { treeNodeId } = (await desk.get(`/entries/${ids.page!}`)).body.data as { treeNodeId: string };
  await ok(desk.delete(`/tree/nodes/${treeNodeId}`));
}

const requireField = (): Promise<void> =>
  ok(desk.post('/content-types/note/fields', { apiName: 'summary', type: 'text', required: true }));

describe('Stored issues of content', () => {
  verifies('reports/content-health', 'reports/content-health-stored');

  it('follow every change, before and after the job has considered it', async () => {
    await assess();
    for (const [what, change, sign] of changes) {
      const before = (await readHealth(desk)).summary.issues;
      await change();
      const wanted = await recounted(desk);
      expect([what, await notes(desk)]).not.toEqual([what, 0]);
      expect([what, await reported(desk)]).toEqual([what, wanted]);
      await assess();
      expect([what, await notes(desk)]).toEqual([what, 0]);
      expect([what, await reported(desk)]).toEqual([what, wanted]);
      const after = (await readHealth(desk)).summary.issues;
      if (sign !== 0) expect([what, Math.sign(after - before)]).toEqual([what, sign]);
    }
    expect(await differences()).toEqual([]);
  });

  it('show content as stale without a write', async () => {
    await make('old', 'note', { title: 'Weir' });
    await ok(desk.post(`/entries/${ids.old!}/publish`, { locale: 'en' }));
    await assess();
    expect(await reported(desk)).toEqual(await recounted(desk));
    const moment = `SELECT holds_from - published_at = interval '180 days' AS due FROM health_issues i
      JOIN entry_locales l USING (environment_id, entry_id, locale) WHERE i.entry_id = $1 AND code = 'stale_content'`;
    expect(await app().rows(desk.project.tenantId, moment, [ids.old])).toEqual([{ due: true }]);
    const beside = await startBeside(app(), { clock: () => new Date(Date.now() + 181 * 86_400_000) });
    const later = await readHealth(new Desk(beside, desk.project));
    expect(later.summary.byType).toMatchObject({ stale_content: 1 });
    await beside.close();
  });

  it('are those from before the change of entries that changed first, while too many wait', async () => {
    const beside = await startBeside(app(), { reports: { healthEntries: 2 } });
    const bounded = new Desk(beside, desk.project);
    const before = await readHealth(bounded);
    expect(before.summary.pending).toBe(0);
    for (const name of ['note', 'old', 'story']) await update(name, { fields: { title: ' ' } });
    const { summary, rows } = await readHealth(bounded);
    expect(summary.pending).toBe(1);
    const missingIn = rows
      .filter(({ issues }) => issues.some(({ field }) => field === 'title'))
      .map(({ entryId }) => entryId);
    expect(missingIn.sort()).toEqual([ids.old, ids.story].sort());
    expect(await reported(desk)).toEqual(await recounted(desk));
    await assess();
    expect((await readHealth(bounded)).summary.pending).toBe(0);
    expect(await reported(bounded)).toEqual(await recounted(desk));
    await beside.close();
  });

  it('go into a branch with what waits, and with a deleted environment', async () => {
    await update('note', { fields: { title: 'Lock' } });
    const slug = await branch({ app: app(), project: desk.project });
    const there = desk.in(slug);
    expect(await reported(there)).toEqual(await reported(desk));
    const waiting = await notes(desk);
    await assess();
    expect([waiting > 1, await notes(desk)]).toEqual([true, 0]);
    expect(await reported(there)).toEqual(await reported(desk));
    const own = await stored();
    expect(own % 2).toBe(0);
    await ok(desk.delete(`/environments/${slug}`));
    while ((await stored()) > own / 2) await app().composition.jobs.workOnEnvironments();
    expect(await stored()).toBe(own / 2);
  });
});

describe('A change of content', () => {
  verifies('reports/content-health-stored');

  it('notes one row for each locale and leaves the rest to the job', async () => {
    const path = `/entries/${ids.note!}`;
    const { version } = (await desk.get(path)).body.data as { version: number };
    await assess();
    const { statements } = await app().recordStatements(async () => {
      await ok(desk.put(path, { version, fields: { title: 'Sluice' } }));
      await ok(desk.post(`${path}/publish`, { locale: 'en' }));
    });
    expect(statements.filter((sql) => sql.includes('health'))).toEqual([]);
    expect(await notes(desk)).toBe(2);
  });

  it('is not read again by a report of stored issues', async () => {
    await assess();
    const { statements } = await app().recordStatements(() => readHealth(desk));
    const report = statements.filter((sql) => sql.includes('health_issues'));
    expect(report).toHaveLength(1);
    expect(report[0]).not.toContain('.fields');
    expect(report[0]).not.toContain('entry_versions');
  });
});
