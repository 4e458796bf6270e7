import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  nextAttemptAt,
  retrySeconds,
} from '../../../src/features/operations/webhooks/deliver/deliver-due.js';

import { startTestApp, type TestApp } from '../../support/app.js';
import { must } from '../../support/call.js';
import { createProject, unique, type TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { createWebhook, openReceiver, type Answer, type Receiver } from './receiver.js';

let app: TestApp;
let project: TestProject;
let receiver: Receiver;
let answer: Answer;
let now = new Date();
const HOUR = 3_600_000;

beforeAll(async () => {
  app = await startTestApp({ clock: () => now });
  project = await createProject(app);
  receiver = await openReceiver(() => answer);
});

beforeEach(() => {
  now = new Date();
  answer = { status: 500, body: 'it broke' };
});

afterEach(() => app.rows(project.tenantId, 'DELETE FROM webhooks'));

afterAll(async () => {
  await receiver.close();
  await app.close();
});

const tell = () => app.composition.jobs.deliverWebhooks();

async function createHookWithEvent(): Promise<string> {
  await tell();
  const path = `/hook/${unique()}`;
  const { id } = await createWebhook(app, project, {
    url: receiver.url.replace('/hook', path),
    events: ['site.created'],
  });
  await must(app, {
    method: 'POST',
    path: `${project.management}/sites`,
    key: project.keys.management,
    body: { slug: `s-${unique()}`, name: 'Site' },
  });
  return id;
}

interface Shown {
  id: string;
  enabled: boolean;
  health: string;
  lastDeliveryAt: string | null;
}

interface Delivery {
  id: string;
  status: string;
  attemptCount: number;
  nextAttemptAt: string | null;
  attempts: { statusCode: number | null; error: string | null; responseSnippet: string | null }[];
}

const read = <T>(suffix: string): Promise<T> =>
  must<T>(app, {
    method: 'GET',
    path: `${project.management}/webhooks${suffix}`,
    key: project.keys.management,
  });

async function stateOf(id: string): Promise<{ hook: Shown | undefined; delivery: Delivery | undefined }> {
  const hook = (await read<Shown[]>('?limit=100')).find((shown) => shown.id === id);
  return { hook, delivery: (await read<Delivery[]>(`/${id}/deliveries`))[0] };
}

describe('A delivery that fails', () => {
  verifies('events/delivery-retries');

  it('attempts a failing delivery ten times at the scheduled pauses', async () => {
    const id = await createHookWithEvent();
    for (let made = 1; made <= 10; made += 1) {
      await tell();
      const { hook, delivery } = await stateOf(id);
      expect(delivery?.attemptCount).toBe(made);
      expect(hook?.health).toBe('failing');
      if (made === 10) break;
      expect(delivery?.status).toBe('pending');
      const pause = (Date.parse(delivery?.nextAttemptAt ?? '') - now.getTime()) / 1000;
      const scheduled = retrySeconds[made] ?? NaN;
      expect(pause).toBeGreaterThanOrEqual(scheduled);
      expect(pause).toBeLessThanOrEqual(scheduled * 1.2 + 1);
      expect(await tell()).toBe(0);
      now = new Date(now.getTime() + pause * 1000);
    }
    const { delivery } = await stateOf(id);
    expect(delivery).toMatchObject({ status: 'failed', nextAttemptAt: null });
    expect(delivery?.attempts.at(-1)).toMatchObject({
      statusCode: 500,
      error: 'unexpected_status',
      responseSnippet: 'it broke',
    });
  });

  it('respects Retry-After up to a day', async () => {
    const id = await createHookWithEvent();
    answer = { status: 429, headers: { 'retry-after': '120' } };
    await tell();
    expect((await stateOf(id)).delivery?.nextAttemptAt).toBe(new Date(now.getTime() + 120_000).toISOString());
    const [rules, forever] = [{ seconds: [0, 5], random: () => 0 }, { retryAfter: '999999999' }];
    expect(nextAttemptAt(1, forever, { rules, now })).toEqual(new Date(now.getTime() + 24 * HOUR));
    const date = new Date(Math.ceil(now.getTime() / 1000) * 1000 + 60_000);
    expect(nextAttemptAt(1, { retryAfter: date.toUTCString() }, { rules, now })).toEqual(date);
    for (const retryAfter of ['soon', '-5', '1'])
      expect(nextAttemptAt(1, { retryAfter }, { rules, now })).toEqual(new Date(now.getTime() + 5000));
  });

  it('treats a redirect as a failed delivery', async () => {
    const id = await createHookWithEvent();
    answer = { status: 302, headers: { location: receiver.url } };
    const before = receiver.calls.length;
    await tell();
    expect(receiver.calls.length).toBe(before + 1);
    expect((await stateOf(id)).delivery?.attempts[0]?.error).toBe('redirect_not_followed');
  });

  it('succeeds on a retry and marks the webhook healthy', async () => {
    const id = await createHookWithEvent();
    await tell();
    answer = { status: 200 };
    now = new Date(now.getTime() + 10_000);
    await tell();
    const { hook, delivery } = await stateOf(id);
    expect(delivery).toMatchObject({ status: 'succeeded', attemptCount: 2 });
    expect(hook).toMatchObject({ health: 'healthy', lastDeliveryAt: now.toISOString() });
  });
});

describe('A webhook', () => {
  verifies('events/delivery-ended-by-gone', 'events/webhook-disabled');

  const auditOf = (id: string) =>
    app.rows<{ action: string; actor: { type: string }; after: { reason?: string } }>(
      project.tenantId,
      "SELECT action, actor, after FROM audit_events WHERE target ->> 'id' = $1 AND action = 'webhook.disable'",
      [id],
    );

  it('disables a webhook after a 410, with an audit record', async () => {
    const id = await createHookWithEvent();
    answer = { status: 410 };
    await tell();
    const { hook, delivery } = await stateOf(id);
    expect(hook).toMatchObject({ enabled: false, health: 'disabled' });
    expect(delivery?.status).toBe('failed');
    expect(await auditOf(id)).toMatchObject([{ actor: { type: 'system' }, after: { reason: 'gone' } }]);
  });

  it('ends what waits for a webhook after a 410, so that enabling it again sends nothing old', async () => {
    const id = await createHookWithEvent();
    await tell();
    expect((await stateOf(id)).delivery).toMatchObject({ status: 'pending', attemptCount: 1 });
    const site = { slug: `s-${unique()}`, name: 'Site' };
    const { management, keys } = project;
    await must(app, { method: 'POST', path: `${management}/sites`, key: keys.management, body: site });
    answer = { status: 410 };
    await tell();
    const path = `${management}/webhooks/${id}`;
    const list = await must<Delivery[]>(app, {
      method: 'GET',
      path: `${path}/deliveries`,
      key: keys.management,
    });
    expect(list.map(({ status }) => status)).toEqual(['failed', 'failed']);
    await must(app, { method: 'PUT', path, key: keys.management, body: { enabled: true } });
    answer = { status: 200 };
    const calls = receiver.calls.length;
    now = new Date(now.getTime() + 24 * HOUR);
    await tell();
    expect(receiver.calls).toHaveLength(calls);
  });

  it('disables a webhook after five days of failure, and resumes its deliveries when enabled again', async () => {
    const id = await createHookWithEvent();
    await tell();
    now = new Date(now.getTime() + 5 * 24 * HOUR - 1000);
    await tell();
    expect((await stateOf(id)).hook?.enabled).toBe(true);
    now = new Date(now.getTime() + HOUR);
    await tell();
    expect((await stateOf(id)).hook).toMatchObject({ enabled: false, health: 'disabled' });
    expect(await auditOf(id)).toMatchObject([{ after: { reason: 'five_days_of_failure' } }]);
    now = new Date(now.getTime() + 24 * HOUR);
    answer = { status: 200 };
    await tell();
    expect((await stateOf(id)).delivery).toMatchObject({ status: 'pending', attemptCount: 3 });
    const path = `${project.management}/webhooks/${id}`;
    await must(app, { method: 'PUT', path, key: project.keys.management, body: { enabled: true } });
    await tell();
    expect((await stateOf(id)).delivery?.status).toBe('succeeded');
  });
});

describe('Data past its retention', () => {
  it('deletes deliveries and their events after 30 days', async () => {
    const id = await createHookWithEvent();
    answer = { status: 200 };
    await tell();
    const count = async () =>
      app.rows(
        project.tenantId,
        `SELECT (SELECT count(*)::int FROM webhook_deliveries WHERE webhook_id = $1) AS deliveries,
           (SELECT count(*)::int FROM webhook_events) > 0 AS "hasEvents"`,
        [id],
      );
    now = new Date(now.getTime() + 29 * 24 * HOUR);
    await app.composition.jobs.prune();
    expect(await count()).toEqual([{ deliveries: 1, hasEvents: true }]);
    now = new Date(now.getTime() + 7 * 24 * HOUR);
    await app.composition.jobs.prune();
    expect(await count()).toEqual([{ deliveries: 0, hasEvents: false }]);
  });
});
