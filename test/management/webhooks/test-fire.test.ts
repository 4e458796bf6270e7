import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { must, send } from '../../support/call.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { createWebhook, openReceiver, type Answer, type Receiver } from './receiver.js';
import { useOwnApp } from '../../support/desk.js';

const app = useOwnApp();
let project: TestProject;
let receiver: Receiver;
let answer: Answer = { status: 200, body: 'thanks' };

beforeAll(async () => {
  project = await createProject(app());
  await app().composition.jobs.deliverWebhooks();
  receiver = await openReceiver(() => answer);
});

afterAll(async () => {
  await receiver.close();
});

const post = (suffix: string, body: object) =>
  send(app(), {
    method: 'POST',
    path: `${project.management}/webhooks/${suffix}`,
    key: project.keys.management,
    body,
  });
const tell = () => app().composition.jobs.deliverWebhooks();

describe('POST webhooks/{id}/test', () => {
  it('sends one test event for concurrent requests with the same Idempotency-Key', async () => {
    const { id } = await createWebhook(app(), project, { url: receiver.url, enabled: false });
    const before = receiver.calls.length;
    const fire = () =>
      app()
        .request.post(`${project.management}/webhooks/${id}/test`)
        .set({ Authorization: `Bearer ${project.keys.management}`, 'Idempotency-Key': 'once' })
        .send({});
    const answers = await Promise.all([fire(), fire(), fire()]);
    const done = answers.filter(({ status }) => status === 200);
    for (const other of answers.filter(({ status }) => status !== 200))
      expect([other.status, (other.body as { error: string }).error]).toEqual([
        409,
        'idempotency_in_progress',
      ]);
    const again = await fire();
    expect([again.headers['idempotent-replayed'], again.body]).toEqual(['true', done[0]?.body]);
    expect(receiver.calls.length - before).toBe(1);
  });

  verifies('events/webhooks', 'events/webhook-test');

  it('sends a signed sample and returns the outcome, even for a disabled webhook', async () => {
    const { id, secret } = await createWebhook(app(), project, { url: receiver.url, enabled: false });
    const response = await post(`${id}/test`, { event: 'entry.published' });
    expect([response.status, response.body]).toEqual([
      200,
      {
        data: {
          deliveryId: expect.any(String),
          ok: true,
          statusCode: 200,
          durationMs: expect.any(Number),
          responseSnippet: 'thanks',
          error: null,
        },
      },
    ]);
    const call = receiver.calls.at(-1);
    expect(
      new StandardWebhook(secret).verify(call?.body ?? '', call?.headers as Record<string, string>),
    ).toMatchObject({ type: 'entry.published', data: { isTest: true } });
  });

  it('sends webhook.test when no event is given', async () => {
    const { id } = await createWebhook(app(), project, { url: receiver.url });
    await post(`${id}/test`, {});
    expect(receiver.calls.at(-1)?.message.type).toBe('webhook.test');
  });

  it('returns 200 when the target fails or is unreachable, without retries or a change of health', async () => {
    answer = { status: 410 };
    const { id } = await createWebhook(app(), project, { url: receiver.url });
    const failed = await post(`${id}/test`, {});
    answer = { status: 200 };
    expect([failed.status, failed.body.data]).toMatchObject([200, { ok: false, statusCode: 410 }]);
    const deaf = await createWebhook(app(), project, { url: 'http://127.0.0.1:1/' });
    expect((await post(`${deaf.id}/test`, {})).body.data).toMatchObject({
      ok: false,
      statusCode: null,
      error: 'connection_refused',
    });
    await tell();
    const rows = await app().rows(
      project.tenantId,
      'SELECT w.enabled, w.health, d.status, d.attempt_count FROM webhooks w JOIN webhook_deliveries d ON d.webhook_id = w.id WHERE w.id = ANY($1)',
      [[id, deaf.id]],
    );
    const once = { enabled: true, health: 'unknown', status: 'failed', attempt_count: 1 };
    expect(rows).toEqual([once, once]);
  });

  it('rejects an unknown event and an unknown webhook', async () => {
    const { id } = await createWebhook(app(), project, { url: receiver.url });
    expect((await post(`${id}/test`, { event: 'entry.*' })).status).toBe(422);
    expect((await post('0198c0de-0000-7000-8000-000000000000/test', {})).body.error).toBe(
      'webhook_not_found',
    );
  });
});

describe('POST webhooks/{id}/rotate-secret', () => {
  verifies('events/delivery-signed', 'events/webhook-secrets');

  const verifiesWith = (secret: string): boolean => {
    const call = receiver.calls.at(-1);
    try {
      new StandardWebhook(secret).verify(call?.body ?? '', call?.headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };

  it('signs with both secrets until the overlap ends, then with the new one only', async () => {
    const first = await createWebhook(app(), project, { url: receiver.url });
    const rotated = await post(`${first.id}/rotate-secret`, { overlapSeconds: 3600 });
    const second = rotated.body as { data: { secret: string; secretPreview: string } };
    expect(rotated.status).toBe(200);
    expect(second.data.secret).not.toBe(first.secret);
    expect(second.data.secretPreview).not.toBe(first.secretPreview);
    await post(`${first.id}/test`, {});
    expect([verifiesWith(first.secret), verifiesWith(second.data.secret)]).toEqual([true, true]);
    const third = (await post(`${first.id}/rotate-secret`, { overlapSeconds: 0 })).body as typeof second;
    await post(`${first.id}/test`, {});
    expect([first.secret, second.data.secret, third.data.secret].map(verifiesWith)).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe('The log of a webhook', () => {
  verifies('events/delivery-log', 'lists/pages');

  interface Page {
    data: { id: string; eventType: string; eventIds: string[]; status: string; createdAt: string }[];
    meta: { limit: number; nextCursor: string | null };
  }
  const page = async (id: string, query: string): Promise<Page> =>
    (
      await send(app(), {
        method: 'GET',
        path: `${project.management}/webhooks/${id}/deliveries?${query}`,
        key: project.keys.management,
      })
    ).body as Page;

  it('pages through deliveries, the latest first', async () => {
    const { id } = await createWebhook(app(), project, { url: receiver.url });
    const made: string[] = [];
    for (let index = 0; index < 3; index += 1)
      made.push(((await post(`${id}/test`, {})).body as { data: { deliveryId: string } }).data.deliveryId);
    const first = await page(id, 'limit=2');
    const second = await page(id, `limit=2&cursor=${String(first.meta.nextCursor)}`);
    expect([...first.data, ...second.data].map((delivery) => delivery.id)).toEqual([...made].reverse());
    expect(second.meta).toEqual({ limit: 2, nextCursor: null });
    expect((await page(id, 'status=failed')).data).toEqual([]);
    expect(((await page(id, 'cursor=nonsense')) as unknown as { error: string }).error).toBe(
      'validation_failed',
    );
  });

  it('is filtered by event and time, and finds events in batches', async () => {
    const { id } = await createWebhook(app(), project, { url: receiver.url });
    const [own, other] = ['entry.published', 'site.created'];
    for (const event of [own, other]) await post(`${id}/test`, { event });
    const [later] = (await page(id, `event=${other}`)).data;
    const batched = (await page(id, `event=${own}`)).data[0];
    expect([later?.eventType, batched?.eventType]).toEqual([other, own]);
    await app().rows(
      project.tenantId,
      "UPDATE webhook_deliveries SET event_type = 'webhook.batch' WHERE id = $1",
      [batched?.id],
    );
    expect((await page(id, `event=${own}`)).data.map((one) => one.id)).toEqual([batched?.id]);
    await app().rows(
      project.tenantId,
      "UPDATE webhook_deliveries SET created_at = created_at - interval '24 hours' WHERE id = $1",
      [later?.id],
    );
    const at = String(batched?.createdAt);
    expect((await page(id, `to=${at}`)).data.map((one) => one.id)).toEqual([later?.id]);
    expect((await page(id, `from=${at}`)).data.map((one) => one.id)).toEqual([batched?.id]);
    expect(((await page(id, 'event=entry.publshed')) as unknown as { error: string }).error).toBe(
      'validation_failed',
    );
  });

  it('redelivers under the same event id', async () => {
    const { id } = await createWebhook(app(), project, { url: receiver.url, events: ['site.created'] });
    const body = { slug: 'second', name: 'Second' };
    await must(app(), {
      method: 'POST',
      path: `${project.management}/sites`,
      key: project.keys.management,
      body,
    });
    await tell();
    const told = receiver.calls.at(-1);
    const [former] = (await page(id, '')).data;
    const again = await post(`${id}/deliveries/${former?.id ?? ''}/redeliver`, {});
    expect([again.status, again.body.data]).toMatchObject([
      200,
      { status: 'pending', eventIds: former?.eventIds, attemptCount: 0 },
    ]);
    await tell();
    const repeated = receiver.calls.at(-1);
    expect(repeated).not.toBe(told);
    expect([repeated?.headers['webhook-id'], repeated?.body]).toEqual([
      told?.headers['webhook-id'],
      told?.body,
    ]);
    expect((await page(id, 'status=succeeded')).data).toHaveLength(2);
    const missing = await post(`${id}/deliveries/0198c0de-0000-7000-8000-000000000000/redeliver`, {});
    expect([missing.status, missing.body.error]).toEqual([404, 'delivery_not_found']);
  });
});
