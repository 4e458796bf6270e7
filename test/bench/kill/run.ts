import { randomInt } from 'node:crypto';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { prepareTemplate } from '../../support/prepare-template.js';
import { runCommand, ServiceProcess } from '../../support/service-process.js';
import { createTestDatabase } from '../../support/test-postgres.js';
import { compare, duplicates, waitForDeliveries } from './checks.js';
import { KillClient } from './client.js';
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
/** Hardening §4: committed events are delivered within this time after the restart. */
const DELIVERY_SECONDS = 60;

/** Limits the number of kills when restarts are slow. */
const KILLING_SECONDS = 240;

/** Kills and restarts the service at random moments; returns the count and the longest downtime in ms. */
async function killRepeatedly(
  client: KillClient,
  databaseUrl: string,
): Promise<{ times: number; longest: number }> {
  let longest = 0;
  let round = 0;
  const deadline = Date.now() + KILLING_SECONDS * 1000;
  while (round < kills && Date.now() < deadline) {
    round += 1;
    await delay(random.between(200, 2500));
    const { service } = client;
    client.service = undefined;
    await service?.kill('SIGKILL');
    const killedAt = Date.now();
    client.service = await ServiceProcess.start(databaseUrl, settings);
    longest = Math.max(longest, Date.now() - killedAt);
    process.stdout.write(`\r${String(round)} of ${String(kills)} kills`);
  }
  process.stdout.write('\n');
  return { times: round, longest };
}

async function asSuperuser(databaseUrl: string): Promise<pg.Client> {
  const url = new URL(process.env.HEADWATER_TEST_SUPERUSER_URL ?? '');
  url.pathname = new URL(databaseUrl).pathname;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return client;
}

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
  const { times, longest } = await killRepeatedly(client, databaseUrl);
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
  for (const [what, count] of Object.entries(wrong))
    console.log(`${count === 0 ? 'ok   ' : 'FAIL '} ${String(count).padStart(4)} ${what}`);
  console.log(`${String(Math.round((Date.now() - startedAt) / 1000))} s`);
  if (Object.values(wrong).some((count) => count !== 0)) process.exitCode = 1;
} finally {
  await database.drop();
  await template.dispose();
}
