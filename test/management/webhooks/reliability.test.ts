import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { compose, type Composition } from '../../../src/process/compose.js';
import { startTestApp, testSecret, type TestApp } from '../../support/app.js';
import { watchedLogger } from '../../support/log-lines.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { createWebhook, openReceiver, type ReceivedCall, type Receiver } from './receiver.js';
import { testMedia } from '../../support/test-media.js';

const retrySeconds = [0, ...Array.from({ length: 9 }, () => 0.01)];
const webhooks = { allowLoopback: true, retrySeconds, pollMilliseconds: 50 };

let app: TestApp;
let project: TestProject;
let receiver: Receiver | undefined;
const others: Composition[] = [];

beforeAll(async () => {
  app = await startTestApp({ webhooks });
  project = await createProject(app);
  await app.composition.jobs.deliverWebhooks();
});

afterEach(async () => {
  await receiver?.close();
  await app.rows(project.tenantId, 'DELETE FROM webhooks');
});

afterAll(async () => {
  await Promise.all(others.map((other) => other.close()));
  await app.close();
});

/** Another process over the same database, with its clock ahead. */
async function anotherProcess(aheadSeconds = 0): Promise<Composition> {
  const other = await compose({
    serviceUrl: app.databaseUrl,
    readUrl: app.databaseUrl,
    poolSize: 8,
    tokens: { algorithm: 'HS256', issuer: 'headwater', audience: 'headwater', secret: testSecret },
    logger: watchedLogger(),
    mcpAllowedOrigins: [],
    media: testMedia(),
    queryLimits: { maxQueryDepth: 10, maxComplexity: 1000, maxReferenceDepth: 3 },
    clock: () => new Date(Date.now() + aheadSeconds * 1000),
    webhooks,
  });
  others.push(other);
  return other;
}

/** Writes events to the outbox, as operations do. */
async function emit(count: number): Promise<string[]> {
  const rows = await app.rows<{ id: string }>(
    project.tenantId,
    `INSERT INTO outbox_events (id, tenant_id, project_id, environment_id, type, payload, created_at)
     SELECT gen_random_uuid(), $1, $2, h.environment_id, 'site.updated', jsonb_build_object(
       'project', jsonb_build_object('slug', $3::text), 'environment', h.environment_slug, 'timestamp', now(),
       'actor', jsonb_build_object('type', 'user', 'id', NULL, 'name', 'Ada'), 'data', jsonb_build_object('number', n)), now()
     FROM environment_heads h, generate_series(1, $4::int) AS n WHERE h.project_id = $2 RETURNING id`,
    [project.tenantId, project.projectId, project.slug, count],
  );
  return rows.map(({ id }) => id).sort();
}

const idsOf = (calls: readonly ReceivedCall[]): string[] =>
  calls.map(({ headers }) => String(headers['webhook-id']));
const distinct = (ids: readonly string[]): string[] => [...new Set(ids)].sort();

function statuses(): Promise<{ status: string; count: number; tries: number }[]> {
  return app.rows(
    project.tenantId,
    `SELECT d.status, count(*)::int AS count, sum(attempt_count)::int AS tries FROM webhook_deliveries d
     JOIN webhooks w ON w.id = d.webhook_id GROUP BY 1`,
  );
}

describe('A thousand events', () => {
  verifies('events/delivery-at-least-once', 'events/delivery-retries', 'events/delivery-signed');

  it('delivers a thousand events to a receiver that fails three calls in ten, with stable ids and valid signatures', async () => {
    const tries = new Map<string, number>();
    const taken: ReceivedCall[] = [];
    let failures = 0;
    receiver = await openReceiver((call) => {
      const { id, data } = call.message;
      const made = tries.get(id) ?? 0;
      tries.set(id, made + 1);
      if ((Number(data.number) + made) % 10 < 3) {
        failures += 1;
        return { status: 503 };
      }
      taken.push(call);
      return { status: 200 };
    });
    const { secret } = await createWebhook(app, project, { url: receiver.url });
    const ids = await emit(1000);
    while (taken.length < ids.length) await app.composition.jobs.deliverWebhooks();
    expect(idsOf(taken).sort()).toEqual(ids);
    expect(distinct(idsOf(receiver.calls))).toEqual(ids);
    expect(failures).toBeGreaterThanOrEqual(300);
    const verifier = new StandardWebhook(secret);
    for (const { body, headers } of receiver.calls) verifier.verify(body, headers as Record<string, string>);
    expect(await statuses()).toEqual([{ status: 'succeeded', count: 1000, tries: 1000 + failures }]);
    expect(await app.rows(project.tenantId, 'SELECT id FROM outbox_events')).toEqual([]);
  });
});

describe('Two processes', () => {
  verifies('events/delivery-at-least-once');

  it('makes each attempt once with two processes', async () => {
    receiver = await openReceiver();
    await createWebhook(app, project, { url: receiver.url });
    const ids = await emit(300);
    const other = await anotherProcess();
    await Promise.all([app.composition.jobs.deliverWebhooks(), other.jobs.deliverWebhooks()]);
    await app.composition.jobs.deliverWebhooks();
    expect(idsOf(receiver.calls).sort()).toEqual(ids);
    expect(await statuses()).toEqual([{ status: 'succeeded', count: 300, tries: 300 }]);
  });

  it('loses no event when one of two processes dies during its calls', async () => {
    const hanging: (() => void)[] = [];
    let isFirst = true;
    receiver = await openReceiver(async () => {
      if (isFirst) await new Promise<void>((resolve) => hanging.push(resolve));
      return { status: 200 };
    });
    await createWebhook(app, project, { url: receiver.url });
    const ids = await emit(50);
    const dying = app.composition.jobs.deliverWebhooks();
    while (hanging.length < 10) await new Promise((resolve) => setImmediate(resolve));
    isFirst = false;
    const begun = idsOf(receiver.calls);
    // During the lease no other process repeats the attempt.
    const other = await anotherProcess();
    await other.jobs.deliverWebhooks();
    expect(idsOf(receiver.calls).filter((id) => begun.includes(id))).toHaveLength(10);
    const later = await anotherProcess(31);
    await later.jobs.deliverWebhooks();
    expect(distinct(idsOf(receiver.calls))).toEqual(ids);
    expect(idsOf(receiver.calls).filter((id) => begun.includes(id))).toHaveLength(20);
    for (const release of hanging) release();
    await dying;
    // What the first process learns too late is not recorded.
    expect(await statuses()).toEqual([{ status: 'succeeded', count: 50, tries: 50 }]);
  });
});

describe('A running process', () => {
  verifies('events/delivery-at-least-once');

  it('delivers events committed by this and by another process', async () => {
    const waiting = new Map<string, () => void>();
    receiver = await openReceiver(({ message }) => {
      waiting.get(String((message.data.number as number | undefined) ?? message.type))?.();
      return { status: 200 };
    });
    const arrival = (what: string) => new Promise<void>((resolve) => waiting.set(what, resolve));
    const own = arrival('api_key.created');
    const foreign = arrival('1');
    const other = await anotherProcess();
    await other.jobs.start();
    await createWebhook(app, project, { url: receiver.url });
    await emit(1);
    await foreign;
    await app.composition.jobs.start();
    await app.request
      .post(`${project.management}/api-keys`)
      .set('Authorization', `Bearer ${project.keys.management}`)
      .send({ name: 'New', type: 'delivery' })
      .expect(201);
    await own;
    expect(receiver.calls.length).toBeGreaterThanOrEqual(2);
  });
});
