import { describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';
import { createLivePage, createPageType } from '../../support/factories/tree.js';
import { verifies } from '../../support/verifies.js';

const app = useOwnApp();

/** A page published at `/locks`. */
async function withLocks() {
  const desk = await openDesk(app());
  await createPageType(app(), desk.project);
  return { desk, page: await createLivePage(app(), desk.project, { slug: 'locks' }) };
}
const leave = (desk: Desk, id: string, redirectTo: string, more: object = {}) =>
  desk.post(`/entries/${id}/unpublish`, { redirectTo, ...more });
const visit = async ({ project }: Desk, path: string) => {
  const route = `${project.delivery}/routes?path=${encodeURIComponent(path)}`;
  const { status, body } = await send(app(), { method: 'GET', path: route });
  return [status, body.data?.target ?? body.data?.kind];
};
const wrong = (response: Awaited<ReturnType<typeof leave>>) => [
  ...outcome(response),
  response.body.details.issues[0].path,
  response.body.details.issues[0].code,
];

describe('POST entries/{id}/unpublish with redirectTo', () => {
  verifies('publication/unpublish-redirect');

  it('redirects the path, with a record of the redirect, until the page is published again', async () => {
    const { desk, page } = await withLocks();
    expect((await leave(desk, page.id, '/waterways/')).status).toBe(200);
    expect(await visit(desk, '/locks')).toEqual([200, '/waterways']);
    const { data } = (await desk.get('/redirects')).body;
    expect(data).toMatchObject([{ source: '/locks', target: '/waterways', locale: 'en', origin: 'auto' }]);
    const records = await app().rows(
      desk.project.tenantId,
      "SELECT action, actor ->> 'type' AS actor FROM audit_events WHERE target ->> 'id' = $1",
      [data[0].id],
    );
    expect(records).toEqual([{ action: 'redirect.create', actor: 'api_key' }]);
    await publish(app(), desk.project, page.id);
    expect(await visit(desk, '/locks')).toEqual([200, 'entry']);
  });

  it('changes nothing for a page that is not published, however often it is called', async () => {
    const { desk, page } = await withLocks();
    await leave(desk, page.id, '/waterways');
    expect((await leave(desk, page.id, '/elsewhere')).status).toBe(200);
    expect(await visit(desk, '/locks')).toEqual([200, '/waterways']);
  });

  it('creates the redirect when a scheduled unpublication runs', async () => {
    const { desk, page } = await withLocks();
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    expect((await leave(desk, page.id, '/waterways', { scheduledAt })).status).toBe(202);
    expect(await visit(desk, '/locks')).toEqual([200, 'entry']);
    await app().rows(
      desk.project.tenantId,
      "UPDATE scheduled_jobs SET next_attempt_at = now() - interval '1 s'",
    );
    await app().composition.jobs.runDue();
    expect(await visit(desk, '/locks')).toEqual([200, '/waterways']);
  });

  it('rejects an invalid path, the page’s own path and an entry without a path, and keeps the page published', async () => {
    const { desk, page } = await withLocks();
    const issue = [422, 'validation_failed', ['redirectTo']];
    expect(wrong(await leave(desk, page.id, 'http://elsewhere.example/'))).toEqual([
      ...issue,
      'invalid_target',
    ]);
    expect(wrong(await leave(desk, page.id, '/locks'))).toEqual([...issue, 'same_as_source']);
    const loose = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'N' },
    });
    await publish(app(), desk.project, loose.id);
    expect(wrong(await leave(desk, loose.id, '/x'))).toEqual([...issue, 'no_path']);
    expect(await visit(desk, '/locks')).toEqual([200, 'entry']);
  });

  it('rejects replacing a manual redirect and creating a loop', async () => {
    const { desk, page } = await withLocks();
    const write = (source: string, target: string, locale: string | null) =>
      desk.post('/redirects', { siteId: desk.project.siteId, source, target, locale });
    await write('/waterways', '/locks', null);
    expect(outcome(await leave(desk, page.id, '/waterways'))).toEqual([409, 'redirect_loop']);
    await write('/locks', '/written', 'en');
    expect(outcome(await leave(desk, page.id, '/other'))).toEqual([409, 'redirect_conflict']);
    const [{ id }] = (await desk.get('/redirects?q=/written')).body.data;
    await desk.put(`/redirects/${id}`, { isActive: false });
    expect(outcome(await leave(desk, page.id, '/other'))).toEqual([409, 'redirect_conflict']);
    expect(await visit(desk, '/locks')).toEqual([200, 'entry']);
  });
});
