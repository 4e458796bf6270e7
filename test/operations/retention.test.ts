import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../src/process/config/config.js';
import { article, postOnce } from '../idempotency/desk.js';
import { createWebhook, openReceiver, type Receiver } from '../management/webhooks/receiver.js';
import { startBeside, startTestApp, type TestApp } from '../support/app.js';
import { openDesk, type Desk } from '../support/desk.js';
import { unique } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';

const required = {
  DATABASE_URL: 'postgres://127.0.0.1/headwater',
  SESSION_JWT_SECRET: 'a secret of settings, more than thirty-two bytes long',
};
const longer = { AUDIT_RETENTION_DAYS: '800', WEBHOOK_RETENTION_DAYS: '60', IDEMPOTENCY_HOURS: '48' };
const retentionOf = (settings: object) => readConfig({ ...required, ...settings }).retention;

/** A service that keeps everything longer, and one with the defaults on its database. */
let lasting: TestApp;
let usual: TestApp;
let receiver: Receiver;
let desk: Desk;

/** Days, or hours, of rows on both sides of each limit. */
const ages = [1, 23, 25, 29, 31, 34, 36, 47, 49, 59, 61, 64, 66] as const;
const upTo = (limit: number): number[] => ages.filter((age) => age < limit);

const ask = <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  lasting.rows<Row>(desk.project.tenantId, sql, values);

/** Gives rows of a table one age each. */
const spread = (table: string, unit: 'days' | 'hours'): Promise<object[]> =>
  ask(
    `WITH numbered AS (SELECT id, ($2::int[])[row_number() OVER (ORDER BY created_at DESC, id)] AS age
       FROM ${table} WHERE tenant_id = $1)
     UPDATE ${table} t SET created_at = now() - make_interval(${unit} => n.age, mins => 1)
     FROM numbered n WHERE n.id = t.id AND n.age IS NOT NULL`,
    [desk.project.tenantId, [...ages]],
  );

async function agesIn(table: string, unit: 'days' | 'hours'): Promise<number[]> {
  const rows = await ask<{ age: number }>(
    `SELECT floor(extract(epoch FROM now() - created_at) / $2)::int AS age FROM ${table}
     WHERE tenant_id = $1 AND created_at < now() - interval '30 minutes' ORDER BY 1`,
    [desk.project.tenantId, unit === 'days' ? 86_400 : 3600],
  );
  return rows.map(({ age }) => age);
}

async function createEntries(): Promise<void> {
  for (const age of ages)
    expect(
      await postOnce(desk, '/entries', { key: unique(), body: article(desk, String(age)) }),
    ).toMatchObject({ status: 201 });
}

/** Prunes with longer settings, then with the defaults; returns the ages that are left after each. */
async function pruned(table: string, unit: 'days' | 'hours' = 'days'): Promise<[number[], number[]]> {
  await spread(table, unit);
  expect(await agesIn(table, unit)).toEqual(ages);
  await lasting.composition.jobs.prune();
  const kept = await agesIn(table, unit);
  await usual.composition.jobs.prune();
  return [kept, await agesIn(table, unit)];
}

beforeAll(async () => {
  lasting = await startTestApp({ retention: retentionOf(longer), webhooks: { allowLoopback: true } });
  usual = await startBeside(lasting, { retention: retentionOf({}) });
  receiver = await openReceiver();
  desk = await openDesk(lasting);
});
afterAll(async () => {
  await receiver.close();
  await usual.close();
  await lasting.close();
});

describe('Retention', () => {
  verifies('events/audit-retention');

  it('deletes events that were not sent after WEBHOOK_RETENTION_DAYS', async () => {
    await createEntries();
    expect(await pruned('outbox_events')).toEqual([upTo(60), upTo(30)]);
  });

  it('deletes deliveries after WEBHOOK_RETENTION_DAYS', async () => {
    await createWebhook(lasting, desk.project, { url: receiver.url, events: ['entry.created'] });
    await createEntries();
    await lasting.composition.jobs.deliverWebhooks();
    expect(await pruned('webhook_deliveries')).toEqual([upTo(60), upTo(30)]);
  });

  it('deletes the bodies of deliveries five days later', async () => {
    await createEntries();
    await lasting.composition.jobs.deliverWebhooks();
    expect(await pruned('webhook_events')).toEqual([upTo(65), upTo(35)]);
  });

  it('deletes stored responses after IDEMPOTENCY_HOURS', async () => {
    await createEntries();
    expect(await pruned('idempotent_replies', 'hours')).toEqual([upTo(48), upTo(24)]);
  });

  it('repeats a stored response for IDEMPOTENCY_HOURS', async () => {
    const key = unique();
    const repeatAfter = async (hours: number): Promise<boolean> => {
      await ask(
        `UPDATE idempotent_replies SET created_at = now() - make_interval(hours => $2)
         WHERE tenant_id = $1 AND created_at > now() - interval '47 hours 1 minute'`,
        [desk.project.tenantId, hours],
      );
      const answer = await postOnce(desk, '/entries', { key, body: article(desk) });
      expect(answer.status).toBe(201);
      return answer.headers['idempotent-replayed'] === 'true';
    };
    expect([await repeatAfter(0), await repeatAfter(47), await repeatAfter(49)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('deletes audit records after AUDIT_RETENTION_DAYS, and none before 400', async () => {
    const own = `chain_id = '${desk.project.projectId}'`;
    const { jobs } = lasting.composition;
    const change = async (table: string, sql: string) => {
      await lasting.rows(null, `ALTER TABLE ${table} DISABLE TRIGGER append_only`);
      await lasting.rows(null, sql);
      await lasting.rows(null, `ALTER TABLE ${table} ENABLE TRIGGER append_only`);
    };
    const agesOf = async (): Promise<number[]> => {
      const rows = await lasting.rows<{ age: number }>(
        null,
        `SELECT DISTINCT floor(extract(epoch FROM now() - at) / 86400)::int AS age FROM audit_events WHERE ${own} ORDER BY 1`,
      );
      return rows.map(({ age }) => age);
    };
    // Times are part of the hash: records get their age before they are sealed.
    for (const age of [801, 799, 401, 399]) {
      await postOnce(desk, '/entries', { key: unique(), body: article(desk, String(age)) });
      const then = `now() - interval '${String(age)} days 1 minute'`;
      await change(
        'audit_events',
        `UPDATE audit_events SET at = ${then} WHERE ${own} AND number > audit_sealed_to()`,
      );
      await jobs.sealAudit();
      await change(
        'audit_blocks',
        `UPDATE audit_blocks SET sealed_at = ${then} WHERE ${own} AND sealed_at > now() - interval '1 minute'`,
      );
    }
    expect(await agesOf()).toEqual([399, 401, 799, 801]);
    await jobs.prune();
    expect(await agesOf()).toEqual([399, 401, 799]);
    await usual.composition.jobs.prune();
    expect(await agesOf()).toEqual([399]);
    await lasting.rows(null, 'SELECT prune_audit(1)');
    expect(await agesOf()).toEqual([399]);
    expect((await desk.get('/audit-events/verify')).body).toMatchObject({ data: { ok: true, blocks: 1 } });
  });

  it('has bounds: a start with a shorter retention of audit records, deliveries or responses fails', () => {
    const short = { AUDIT_RETENTION_DAYS: '399', WEBHOOK_RETENTION_DAYS: '6', IDEMPOTENCY_HOURS: '23' };
    for (const [name, value] of Object.entries(short))
      expect(() => retentionOf({ [name]: value })).toThrow(`${name} must be a whole number from`);
    expect(retentionOf({})).toEqual({ auditDays: 400, webhookDays: 30, replyHours: 24 });
  });
});
