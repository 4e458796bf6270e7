import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { column, openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { createEntry } from '../../support/factories/content.js';
import { createMember, systemRoleId } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { found } from '../governance/analyst.js';
import { openReceiver, type Receiver } from '../webhooks/receiver.js';

const start = new Date('2027-01-10T08:00:00.000Z');
let now = start;
const app = useOwnApp({ clock: () => now });
let desk: Desk;
let user: Desk;
let receiver: Receiver;

const after = (seconds: number) => new Date(start.getTime() + seconds * 1000).toISOString();
const runJobs = () => app().composition.jobs.runDue();
const deliver = () => app().composition.jobs.deliverWebhooks();

async function newKey(body: object = {}): Promise<{ id: string; desk: Desk }> {
  const { id, secret } = await desk.newKey({ type: 'management', ...body });
  return { id, desk: desk.as(secret) };
}

const article = async (): Promise<string> =>
  (await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields: { title: 'Lock' } })).id;

const statusOf = async (id: string) =>
  ((await desk.get(`/entries/${id}`)).body as { data: { status: string } }).data.status;

async function scheduled(by: Desk, id: string, seconds: number): Promise<string> {
  const response = await by.post(`/entries/${id}/publish`, { scheduledAt: after(seconds) });
  expect(response.status).toBe(202);
  return (response.body as { data: { jobId: string } }).data.jobId;
}

const orphaned = async (id: string) => column(await desk.get(`/entries/${id}/schedules`), 'orphaned');

beforeAll(async () => {
  desk = await openDesk(app());
  const role = await systemRoleId(app(), desk.project, 'owner');
  user = desk.as((await createMember(app(), desk.project, [role])).token);
  receiver = await openReceiver();
});

beforeEach(async () => {
  now = start;
  await deliver();
});

afterAll(() => receiver.close());

describe('A schedule that a key made', () => {
  verifies('access/key-expiry-orphans');

  it.each(['expires', 'is revoked'])(
    'does not run after the key %s, and is shown as orphaned',
    async (end) => {
      const id = await article();
      const key = await newKey(end === 'expires' ? { expiresAt: after(60) } : {});
      const jobId = await scheduled(key.desk, id, 600);
      expect(await orphaned(id)).toEqual([false]);
      if (end === 'is revoked') await desk.delete(`/api-keys/${key.id}`);
      now = new Date(after(601));
      await runJobs();
      expect([await statusOf(id), await orphaned(id)]).toEqual(['draft', [true]]);
      const { body } = await desk.get(`/calendar?from=${after(0)}&to=${after(3600)}`);
      const items = (body as { data: { id: string; orphaned: boolean }[] }).data;
      expect(items.find((item) => item.id === jobId)).toMatchObject({ orphaned: true, status: 'scheduled' });
      expect(await found(desk, 'orphaned_schedule', id)).toMatchObject({
        status: 'open',
        evidence: { jobs: [{ jobId, apiKeyId: key.id }] },
      });
    },
  );

  it('runs in the name of the user who adopted it', async () => {
    const id = await article();
    const key = await newKey({ expiresAt: after(60) });
    const jobId = await scheduled(key.desk, id, 600);
    now = new Date(after(120));
    const adopted = await user.post(`/calendar/${jobId}/adopt`);
    expect([adopted.status, adopted.body.data]).toMatchObject([
      200,
      { jobId, entryId: id, orphaned: false, createdBy: { type: 'user' }, scheduledAt: after(600) },
    ]);
    expect(
      (await desk.get(`/audit-events?targetId=${id}&action=entry.adopt_schedule`)).body.data,
    ).toHaveLength(1);
    now = new Date(after(601));
    await runJobs();
    expect(await statusOf(id)).toBe('published');
    const published = (await desk.get(`/audit-events?targetId=${id}&action=entry.publish`)).body.data;
    expect(published).toMatchObject([{ actor: { type: 'user' } }]);
  });

  it('does not change when it is adopted again or already belongs to a user', async () => {
    const id = await article();
    const jobId = await scheduled(user, id, 600);
    expect((await user.post(`/calendar/${jobId}/adopt`)).status).toBe(200);
    expect((await desk.get(`/audit-events?targetId=${id}&action=entry.adopt_schedule`)).body.data).toEqual(
      [],
    );
  });

  it('becomes the job of a user who moves it, and of a key that moves one of a user', async () => {
    const [first, second] = [await article(), await article()];
    const key = await newKey({ expiresAt: after(60) });
    const ofKey = await scheduled(key.desk, first, 600);
    const ofUser = await scheduled(user, second, 600);
    await user.post('/calendar/reschedule', { jobId: ofKey, scheduledAt: after(700) });
    await key.desk.post('/calendar/reschedule', { jobId: ofUser, scheduledAt: after(700) });
    now = new Date(after(701));
    await runJobs();
    expect([await statusOf(first), await statusOf(second)]).toEqual(['published', 'draft']);
    expect(await orphaned(second)).toEqual([true]);
  });

  it('cannot be adopted by a key, by a user without the right, or once it has ended', async () => {
    const id = await article();
    const jobId = await scheduled(desk, id, 600);
    const viewer = await createMember(app(), desk.project, [
      await systemRoleId(app(), desk.project, 'viewer'),
    ]);
    const adopt = async (by: Desk) => outcome(await by.post(`/calendar/${jobId}/adopt`));
    expect(await adopt(desk)).toEqual([403, 'permission_denied']);
    expect(await adopt(desk.as(viewer.token))).toEqual([403, 'permission_denied']);
    await desk.delete(`/entries/${id}/schedules/${jobId}`);
    expect(await adopt(user)).toEqual([409, 'job_not_reschedulable']);
  });
});

describe('A webhook that a key made', () => {
  verifies('access/key-expiry-orphans');

  const hook = async (by: Desk, path: string): Promise<string> => {
    const made = await by.post('/webhooks', {
      name: path,
      url: `${receiver.url}/${path}`,
      events: ['entry.created'],
    });
    return (made.body as { data: { id: string } }).data.id;
  };
  const callsTo = (path: string) => receiver.calls.filter((call) => call.path === `/hook/${path}`).length;
  const isOrphaned = async (id: string) =>
    ((await desk.get(`/webhooks/${id}`)).body as { data: { orphaned: boolean } }).data.orphaned;

  it.each(['expires', 'is revoked'])(
    'receives nothing after the key %s, until a user adopts it',
    async (end) => {
      const path = end.replace(' ', '-');
      const key = await newKey(end === 'expires' ? { expiresAt: after(60) } : {});
      const id = await hook(key.desk, path);
      await article();
      await deliver();
      expect([callsTo(path), await isOrphaned(id)]).toEqual([1, false]);
      if (end === 'is revoked') await desk.delete(`/api-keys/${key.id}`);
      now = new Date(after(61));
      await article();
      await deliver();
      expect([callsTo(path), await isOrphaned(id)]).toEqual([1, true]);
      expect(await found(desk, 'orphaned_webhook', id)).toMatchObject({
        status: 'open',
        evidence: { apiKeyId: key.id },
      });
      // A new secret does not bring it back.
      const rotated = await user.post(`/webhooks/${id}/rotate-secret`);
      expect([rotated.status, rotated.body.data.orphaned]).toEqual([200, true]);
      const adopted = await user.post(`/webhooks/${id}/adopt`);
      expect([adopted.status, adopted.body.data.orphaned]).toEqual([200, false]);
      await article();
      await deliver();
      expect(callsTo(path)).toBe(2);
      expect((await found(desk, 'orphaned_webhook', id))?.status).toBe('resolved');
      expect((await desk.get(`/audit-events?targetId=${id}&action=webhook.adopt`)).body.data).toHaveLength(1);
    },
  );

  it('keeps deliveries that wait when its key ends, and sends them once it is adopted', async () => {
    const key = await newKey();
    const id = await hook(key.desk, 'waiting');
    await desk.put(`/webhooks/${id}`, { batchWindowSeconds: 30 });
    await article();
    await deliver();
    expect(callsTo('waiting')).toBe(0);
    await desk.delete(`/api-keys/${key.id}`);
    now = new Date(after(31));
    await deliver();
    expect(callsTo('waiting')).toBe(0);
    await user.post(`/webhooks/${id}/adopt`);
    await deliver();
    expect(callsTo('waiting')).toBe(1);
  });

  it('ends with a key that changed the URL of a webhook of a user, and with no other change', async () => {
    const key = await newKey({ expiresAt: after(60) });
    const [moved, renamed] = [await hook(user, 'before'), await hook(user, 'renamed')];
    await key.desk.put(`/webhooks/${moved}`, { url: `${receiver.url}/moved` });
    await key.desk.put(`/webhooks/${renamed}`, { name: 'Another' });
    now = new Date(after(61));
    await article();
    await deliver();
    expect([callsTo('moved'), callsTo('renamed')]).toEqual([0, 1]);
    expect([await isOrphaned(moved), await isOrphaned(renamed)]).toEqual([true, false]);
  });
});
