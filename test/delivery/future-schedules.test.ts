import { describe, expect, it } from '@jest/globals';
import { outcome, useOwnApp } from '../support/desk.js';
import { verifies } from '../support/verifies.js';
import { entryItem } from '../management/releases/release-desk.js';
import { differences, FutureDesk } from './future-desk.js';

const app = useOwnApp();
/** Every answer is read several times. */
const TIMEOUT_MS = 300_000;

describe('at= on delivery', () => {
  verifies('publication/future');

  it(
    'returns on every surface what is returned once the schedules until then have run',
    async () => {
      const desk = await FutureDesk.open(app());
      const { scene } = desk;
      const [coming, leaving, failing, together, last] = [
        await desk.article({ title: 'Coming new', rank: 1 }),
        await desk.article({ title: 'Leaving', rank: 2 }),
        await desk.article({ title: 'Failing', rank: 3 }),
        await desk.article({ title: 'Together', rank: 4 }),
        await desk.article({ title: 'Last', rank: 5 }),
      ];
      const page = await desk.livePage('page');
      const below = await desk.livePage('below', page);
      await scene.edit(page, { slug: 'moved' });
      desk.watch(below, '/page', '/page/below', '/moved', '/moved/below');
      await scene.publishEntry(leaving);
      const schedule = (path: string, scheduledAt: string, more: object = {}) =>
        scene.data(scene.desk.post(path, { scheduledAt, ...more }), 202);
      await schedule(`/entries/${page.id}/unpublish`, '2099-05-01T00:00:00Z', { redirectTo: '/moved/below' });
      await schedule(`/entries/${coming.id}/publish`, '2099-01-01T00:00:00Z');
      await schedule(`/entries/${leaving.id}/unpublish`, '2099-02-01T00:00:00Z');
      await schedule(`/entries/${failing.id}/publish`, '2099-02-01T00:00:00Z');
      await schedule(`/entries/${last.id}/publish`, '2099-04-01T00:00:00Z');
      await scene.edit(failing, { fields: { title: null } });
      const { id } = await scene.release([
        entryItem(together),
        entryItem(page),
        entryItem(coming, { action: 'unpublish' }),
      ]);
      await schedule(`/releases/${id}/schedule`, '2099-03-01T00:00:00Z');
      const held = await scene.release([entryItem(last), entryItem(failing)]);
      const early = await desk.get('content/article', { at: '2098-12-31T23:59:59Z' });
      expect(early.body).toMatchObject({ data: [{ _id: leaving.id }], meta: { total: 1 } });
      let former = await desk.answers();
      for (const at of ['2099-02-01T00:00:00Z', '2099-06-01T02:00:00+02:00']) {
        const preview = await desk.answers({ at });
        await runUntil(desk, at);
        const now = await desk.answers();
        expect(differences(preview, now)).toEqual({});
        expect(differences(former, now)).not.toEqual({});
        former = now;
      }
      await scene.edit(last, { fields: { title: 'Later' } });
      const [both, published] = await Promise.all([
        desk.get(`entries/${last.id}`, { release: held.id, at: '2099-07-01T00:00:00Z' }),
        desk.get(`entries/${last.id}`, { at: '2099-07-01T00:00:00Z' }),
      ]);
      expect([both.body, published.body]).toMatchObject(
        ['Later', 'Last'].map((title) => ({ data: { fields: { title } } })),
      );
    },
    TIMEOUT_MS,
  );

  it('does not run schedules of keys that have ended, and refuses to run too many', async () => {
    const desk = await FutureDesk.open(app());
    const article = await desk.article({ title: 'A' });
    const { id, secret } = await desk.scene.desk.newKey({ type: 'management' });
    const scheduledAt = '2099-01-01T00:00:00Z';
    await desk.scene.data(
      desk.scene.desk.as(secret).post(`/entries/${article.id}/publish`, { scheduledAt }),
      202,
    );
    const read = () => desk.get(`entries/${article.id}`, { at: scheduledAt });
    expect((await read()).status).toBe(200);
    await desk.scene.data(desk.scene.desk.delete(`/api-keys/${id}`));
    expect(outcome(await read())).toEqual([404, 'entry_not_found']);
    await app().rows(
      desk.project.tenantId,
      `INSERT INTO scheduled_jobs (tenant_id, project_id, environment_id, id, kind, entry_id, site_id, locale, scheduled_at, timezone,
         wall_time, options, next_attempt_at, created_at, created_by, updated_at)
       SELECT j.tenant_id, j.project_id, j.environment_id, gen_random_uuid(), j.kind, j.entry_id, j.site_id, 'l' || n, j.scheduled_at,
         j.timezone, j.wall_time, j.options, j.next_attempt_at, j.created_at, j.created_by, j.updated_at
       FROM scheduled_jobs j CROSS JOIN generate_series(1, 1001) AS n WHERE j.entry_id = $1`,
      [article.id],
    );
    expect(outcome(await read())).toEqual([422, 'limit_reached']);
  });
});

/** Runs the schedules until then, in their order. */
async function runUntil({ project }: FutureDesk, at: string): Promise<void> {
  await app().rows(
    project.tenantId,
    `UPDATE scheduled_jobs j SET next_attempt_at = now() - interval '1 second' * (1 + (
       SELECT count(*) FROM scheduled_jobs o WHERE o.status = 'scheduled' AND o.scheduled_at > j.scheduled_at))
     WHERE j.status = 'scheduled' AND j.scheduled_at <= $1::timestamptz`,
    [at],
  );
  await app().composition.jobs.runDue();
}
