import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { newId } from '../../src/infrastructure/ids.js';
import { compose } from '../../src/process/compose.js';
import { makeProject, withOperations } from './seed/open-service.js';
import { composeOptions } from './seed-content.js';
import { startSink } from './sink.js';
import { withDatabase } from './scratch-database.js';
import { startService } from './service.js';

/** 200 entries that are created, saved three times and published: 1,000 writes. */
const ENTRIES = 200;
const SAVES = 3;
const body = 'Some words of an article. '.repeat(80);

/** By kind: its tables, and the column with the age of their rows. */
const kinds: Readonly<Record<string, readonly (readonly [table: string, age: string])[]>> = {
  'audit records': [
    ['audit_events', 'at'],
    ['audit_blocks', 'sealed_at'],
  ],
  'stored responses': [['idempotent_replies', 'created_at']],
  'events to send': [['outbox_events', 'created_at']],
  deliveries: [
    ['webhook_deliveries', 'created_at'],
    ['webhook_events', 'created_at'],
  ],
  versions: [['entry_versions', 'created_at']],
};
const tables = Object.values(kinds).flat();

interface Amount {
  readonly written: number;
  readonly rows: number;
  readonly bytes: number;
}

/** Of each table, without space that deleted rows left. */
async function amounts(owner: pg.Client): Promise<Map<string, Amount>> {
  const found = new Map<string, Amount>();
  await owner.query("SELECT pg_stat_force_next_flush(), set_config('headwater.backup', 'on', false)");
  for (const [table] of tables) {
    await owner.query(`VACUUM FULL ${table}`);
    const { rows } = await owner.query<Amount>(
      `SELECT (SELECT count(*)::int FROM ${table}) AS rows, pg_total_relation_size('${table}')::int AS bytes,
         (SELECT n_tup_ins::int FROM pg_stat_user_tables WHERE relname = '${table}') AS written`,
    );
    if (rows[0] !== undefined) found.set(table, rows[0]);
  }
  return found;
}

type Call = (method: 'POST' | 'PUT', path: string, body: object) => Promise<{ id: string; version: number }>;

/** Calls of the management API; each POST has an `Idempotency-Key`. */
const callsOf =
  (url: string, key: string): Call =>
  async (method, place, content) => {
    const response = await fetch(`${url}/api/v1/projects/kept${place}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(method === 'POST' && { 'idempotency-key': newId() }),
      },
      body: JSON.stringify(content),
    });
    if (!response.ok) throw new Error(`${place}: ${String(response.status)} ${await response.text()}`);
    return ((await response.json()) as { data: { id: string; version: number } }).data;
  };

async function write(call: Call, siteId: string): Promise<void> {
  for (let number = 0; number < ENTRIES; number += 1) {
    const fields = { title: `Entry ${String(number)}`, body };
    const { id, version } = await call('POST', '/entries', { contentTypeApiName: 'article', siteId, fields });
    for (let save = 0; save < SAVES; save += 1) {
      const changed = { fields: { ...fields, body: `${body}${String(save)}` }, version: version + save };
      await call('PUT', `/entries/${id}`, changed);
    }
    await call('POST', `/entries/${id}/publish`, {});
  }
}

/** Until every event is delivered and every record sealed. */
async function settle(owner: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await owner.query<{ left: number }>(
      `SELECT (SELECT count(*) FROM outbox_events) + (SELECT count(*) FROM webhook_deliveries WHERE status = 'pending')
         + (SELECT count(*) FROM audit_events WHERE number > audit_sealed_to()) AS left`,
    );
    if (Number(rows[0]?.left) === 0) return;
    await delay(200);
  }
}

/** Makes every row older than any setting. */
async function age(url: string): Promise<void> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query("SELECT set_config('headwater.platform', 'on', false)");
  const { rows: tenants } = await owner.query<{ id: string }>('SELECT id FROM tenants');
  for (const [table, column] of tables) {
    await owner.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    for (const { id } of tenants) {
      await owner.query("SELECT set_config('headwater.tenant_id', $1, false)", [id]);
      await owner.query(`UPDATE ${table} SET ${column} = ${column} - interval '36501 days'`);
      // Rows of no tenant are changed once.
      await owner.query("SELECT set_config('headwater.platform', '', false)");
    }
    await owner.query("SELECT set_config('headwater.platform', 'on', false)");
    await owner.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  }
  await owner.end();
}

async function prune(url: string): Promise<void> {
  const composition = await compose(composeOptions(url));
  await composition.jobs.prune();
  await composition.close();
}

function report(steps: readonly Map<string, Amount>[]): void {
  const sum = (step: Map<string, Amount> | undefined, kind: string, of: keyof Amount): number =>
    (kinds[kind] ?? []).reduce((total, [table]) => total + (step?.get(table)?.[of] ?? 0), 0);
  const [before, after, pruned] = steps;
  const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(0);
  console.log('kind: rows written, rows left, KB left; rows and KB after the deletion');
  for (const kind of Object.keys(kinds)) {
    const gained = (step: Map<string, Amount> | undefined, of: keyof Amount): number =>
      sum(step, kind, of) - sum(before, kind, of);
    console.log(
      `${kind}: ${String(gained(after, 'written'))}, ${String(gained(after, 'rows'))}, ${kilobytes(gained(after, 'bytes'))}; ` +
        `${String(sum(pruned, kind, 'rows'))}, ${kilobytes(sum(pruned, kind, 'bytes'))}`,
    );
  }
}

async function measure(url: string): Promise<void> {
  const receiver = await startSink();
  const { siteId, keys } = await withOperations(url, async (client) => {
    const fields = [
      { apiName: 'title', type: 'text' as const },
      { apiName: 'body', type: 'longText' as const },
    ];
    return makeProject(client, { slug: 'kept' }, [
      { apiName: 'article', name: 'Article', isPage: false, fields },
    ]);
  });
  const service = await startService(url, { RATE_LIMITS: '0', WEBHOOK_ALLOW_LOOPBACK: '1' });
  const owner = new pg.Client({ connectionString: url });
  try {
    await owner.connect();
    await owner.query("SET headwater.backup = 'on'");
    const call = callsOf(service.url, keys.management);
    await call('POST', '/webhooks', { name: 'All', url: receiver.url, events: ['*'] });
    await settle(owner);
    const before = await amounts(owner);
    await write(call, siteId);
    await settle(owner);
    await service.stop();
    const after = await amounts(owner);
    await age(url);
    await prune(url);
    report([before, after, await amounts(owner)]);
  } finally {
    await Promise.all([owner.end(), service.stop()]);
    receiver.close();
  }
}

await withDatabase(({ url }) => measure(url));
process.exit(0);
