import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { issues, openDesk, outcome, useOwnApp, type Desk } from '../support/desk.js';
import { send } from '../support/call.js';
import { createEntry, publish } from '../support/factories/content.js';
import { branch } from '../support/factories/branch.js';
import { SiteMirror } from '../support/site-mirror.js';
import { verifies } from '../support/verifies.js';

const DAY_MS = 86_400_000;
let aheadMs = 0;
const app = useOwnApp({ clock: () => new Date(Date.now() + aheadMs) });
let desk: Desk;
let cursor: string;

const read = (
  given: string,
  {
    key,
    delivery = desk.project.delivery,
    environment,
  }: {
    key?: string;
    delivery?: string;
    environment?: string;
  } = {},
): Promise<Response> => {
  const path = `${delivery}/sync?cursor=${encodeURIComponent(given)}`;
  return send(app(), { method: 'GET', path, key, environment });
};

const article = async (): Promise<string> => {
  const fields = { title: 'Lake' };
  const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields });
  await publish(app(), desk.project, id);
  return id;
};

beforeEach(async () => {
  aheadMs = 0;
  desk = await openDesk(app());
  await article();
  const mirror = new SiteMirror(app(), desk.project);
  await mirror.follow();
  cursor = mirror.cursor ?? '';
});

const expectInvalid = (answer: Response): void => {
  expect([outcome(answer), issues(answer)]).toEqual([
    [422, 'validation_failed'],
    [['cursor', 'invalid_cursor']],
  ]);
};

describe('The cursor of a sync', () => {
  verifies('publication/sync-cursors');

  it('is 422 if it is forged, altered or malformed', async () => {
    const [payload = '', signature = ''] = cursor.split('.');
    const state = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { since: { at: number } };
    const later = { since: { ...state.since, at: state.since.at + 1 } };
    const forged = Buffer.from(JSON.stringify(later)).toString('base64url');
    const others = [
      `${forged}.${signature}`,
      `${payload}.${'A'.repeat(43)}`,
      payload,
      'x',
      `${cursor}A`,
      '*',
      `.${signature}`,
    ];
    for (const other of others) expectInvalid(await read(other));
    expect((await read(cursor)).status).toBe(200);
  });

  it('is 422 on another site, in another environment and for another class of key', async () => {
    const { keys, delivery } = desk.project;
    await desk.post('/sites', { slug: 'other', name: 'Other' });
    expectInvalid(await read(cursor, { delivery: delivery.replace(/main$/, 'other') }));
    expectInvalid(await read(cursor, { key: keys.preview }));
    const foreign = await openDesk(app());
    expectInvalid(await read(cursor, { delivery: foreign.project.delivery }));
    expect((await read(cursor, { key: keys.delivery })).status).toBe(200);
    const preview = new SiteMirror(app(), desk.project, { key: keys.preview });
    await preview.follow();
    const own = preview.cursor ?? '';
    expect((await read(own, { key: keys.management })).status).toBe(200);
    expectInvalid(await read(own, { key: keys.preview, environment: await branch(desk) }));
    expectInvalid(await read(own));
  });

  it('is 410 after 90 days, and valid until then, and changes are kept as long', async () => {
    const id = await article();
    aheadMs = 89 * DAY_MS;
    await app().composition.jobs.prune();
    const kept = await read(cursor);
    expect(kept.body).toMatchObject({
      data: [{ kind: 'entry', op: 'upsert', id }],
      meta: { hasMore: false },
    });
    aheadMs = 90 * DAY_MS + 60_000;
    expect(outcome(await read(cursor))).toEqual([410, 'sync_cursor_expired']);
    const count = () =>
      app().rows<{ count: number }>(null, 'SELECT count(*)::int AS count FROM sync_changes');
    expect((await count())[0]?.count).toBeGreaterThan(0);
    aheadMs = 92 * DAY_MS;
    await app().composition.jobs.prune();
    expect(await count()).toEqual([{ count: 0 }]);
    aheadMs = 0;
    const again = new SiteMirror(app(), desk.project);
    expect((await again.follow()).map((item) => item.id)).toContain(id);
  });

  it('is 410 in another history of the database, where transactions have other numbers', async () => {
    const { syncCursors } = app().composition.services;
    const { siteId, tenantId } = desk.project;
    const [head] = await app().rows<{ id: string }>(
      tenantId,
      'SELECT environment_id AS id FROM environment_heads WHERE project_slug = $1',
      [desk.project.slug],
    );
    const reader = { environmentId: head?.id ?? '', siteId, isPreview: false, locales: null };
    const state = syncCursors.read(reader, cursor);
    expect((await read(syncCursors.issue(reader, state))).status).toBe(200);
    const since = { ...state.since, cluster: 'of a backup' };
    expect(outcome(await read(syncCursors.issue(reader, { since })))).toEqual([410, 'sync_cursor_expired']);
  });

  it('leads to published content only, for preview keys too, which see inactive sites', async () => {
    const { keys, siteId } = desk.project;
    await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'Draft' },
      siteId,
    });
    await desk.put('/sites/main', { isActive: false });
    const preview = new SiteMirror(app(), desk.project, { key: keys.preview });
    const items = await preview.follow();
    expect(items.map((item) => item.document)).toMatchObject([{ fields: { title: 'Lake' } }]);
    expect(outcome(await read(cursor))).toEqual([404, 'site_not_found']);
  });
});
