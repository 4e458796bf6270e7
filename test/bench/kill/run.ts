import { randomInt } from 'node:crypto';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { prepareTemplate } from '../../support/prepare-template.js';
import { runCommand, ServiceProcess } from '../../support/service-process.js';
import { createTestDatabase } from '../../support/test-postgres.js';
import { compare, duplicates, waitForDeliveries } from './checks.js';
import { KillClient } from './client.js';
import { asSuperuser, killRepeatedly, reportCounts } from './kills.js';
import { Ledger } from './ledger.js';
import { preparePlace } from './place.js';
import { Receiver } from './receiver.js';
import { Seeded } from './seeded.js';
import { Writer } from './writer.js';

const { values: flags } = parseArgs({
  options: { seed: { type: 'string' }, kills: { type: 'string' }, writers: { type: 'string' } },
});
const seed = Number(flags.seed ?? randomInt(2 ** 31));
const kills = Number(flags.kills ?? 20);
const writerCount = Number(flags.writers ?? 16);
const random = new Seeded(seed);

const settings = { WEBHOOK_ALLOW_LOOPBACK: '1', LOG_LEVEL: 'info', SHUTDOWN_DELAY_SECONDS: '0' };
/** Rule limits/overload: committed events are delivered within this time after the restart. */
const DELIVERY_SECONDS = 60;

/** The worker seals audit records every ten seconds. */
async function waitUntilSealed(client: KillClient, management: string): Promise<void> {
  for (let look = 0; look < 120; look += 1) {
    const path = `${management}/audit-events/verify`;
    if ((await client.must<{ unsealed: number }>({ method: 'GET', path })).unsealed === 0) return;
    await delay(250);
  }
}

/** Returns error counts, which must be zero, and a summary. */
async function runKills(databaseUrl: string): Promise<{ wrong: Record<string, number>; summary: string[] }> {
  const [client, ledger, receiver] = [new KillClient(), new Ledger(), new Receiver()];
  const hook = await receiver.open();
  client.service = await ServiceProcess.start(databaseUrl, settings);
  const place = await preparePlace(client, databaseUrl);
  const webhook = { name: 'All', url: hook, events: ['entry.*'], payload: 'thin' };
  await client.must({ method: 'POST', path: `${place.management}/webhooks`, body: webhook });
  client.key = place.key;
  const writers = Array.from({ length: writerCount }, (_none, index) => {
    const own = new Seeded(seed + index + 1);
    return new Writer({ client, ledger, random: own, ...place, name: `w${String(index)}` });
  });
  const work = Promise.all(writers.map((writer) => writer.run()));
  const { times, longest } = await killRepeatedly(client, {
    kills,
    random,
    start: () => ServiceProcess.start(databaseUrl, settings),
  });
  await delay(1000);
  for (const writer of writers) writer.stop();
  await work;
  const database = await asSuperuser(databaseUrl);
  try {
    const evidence = { database, ledger, receiver };
    const missing = await waitForDeliveries(evidence, DELIVERY_SECONDS);
    const wrong = { ...(await compare(evidence)), 'events never delivered': missing };
    await waitUntilSealed(client, place.management);
    await client.service?.kill('SIGTERM');
    const chain = await runCommand(databaseUrl, ['audit', '--verify']);
    const models = await runCommand(databaseUrl, ['rebuild', '--check']);
    return {
      wrong: {
        ...wrong,
        'unexpected responses': ledger.unexpected.length,
        'broken audit chains': chain.code,
        'different read models': models.code,
      },
      summary: [
        `${ledger.acknowledged.length} writes acknowledged, ${ledger.unanswered} interrupted by a kill`,
        `${receiver.deliveries.size} events delivered, ${duplicates(receiver)} of them more than once`,
        `killed ${String(times)} times; longest downtime ${String(longest)} ms`,
        ...chain.output.trim().split('\n'),
        ...ledger.unexpected.slice(0, 5),
      ],
    };
  } finally {
    await database.end();
    receiver.close();
    await client.service?.kill('SIGKILL');
  }
}

const startedAt = Date.now();
console.log(`seed ${String(seed)}: ${String(kills)} kills, ${String(writerCount)} writers`);
const template = await prepareTemplate();
Object.assign(process.env, template.environment);
const database = await createTestDatabase();
try {
  const { wrong, summary } = await runKills(database.url);
  for (const line of summary) console.log(line);
  reportCounts(wrong);
  console.log(`${String(Math.round((Date.now() - startedAt) / 1000))} s`);
} finally {
  await database.drop();
  await template.dispose();
}
