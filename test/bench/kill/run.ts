import { randomInt } from 'node:crypto';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { prepareTemplate } from '../../support/prepare-template.js';
import { runCommand, ServiceProcess } from '../../support/service-process.js';
import { createTestDatabase } from '../../support/test-postgres.js';
import { compare, repeated, untoldAfter } from './checks.js';
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
/** Hardening §4: every committed event is delivered within this time of the restart. */
const DELIVERY_SECONDS = 60;

/** On a machine that is busy with other work a restart takes long: then there are fewer. */
const KILLING_SECONDS = 240;

/** Kills the service at random moments and starts it again; answers how often, and the longest absence in ms. */
async function killAgainAndAgain(
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
    const gone = Date.now();
    client.service = await ServiceProcess.start(databaseUrl, settings);
    longest = Math.max(longest, Date.now() - gone);
    process.stdout.write(`\rkilled ${String(round)} of ${String(kills)} times`);
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

/** Waits until the worker has sealed what was written, which it does every ten seconds. */
async function untilSealed(client: KillClient, management: string): Promise<void> {
  for (let look = 0; look < 120; look += 1) {
    const path = `${management}/audit-events/verify`;
    if ((await client.must<{ unsealed: number }>({ method: 'GET', path })).unsealed === 0) return;
    await delay(250);
  }
}

/** Plays the whole run; answers everything that must be zero, with what was counted beside it. */
async function play(databaseUrl: string): Promise<{ wrong: Record<string, number>; told: string[] }> {
  const [client, ledger, receiver] = [new KillClient(), new Ledger(), new Receiver()];
  const hook = await receiver.open();
  client.service = await ServiceProcess.start(databaseUrl, settings);
  const place = await preparePlace(client, databaseUrl);
  const told = { name: 'All', url: hook, events: ['entry.*'], payload: 'thin' };
  await client.must({ method: 'POST', path: `${place.management}/webhooks`, body: told });
  client.key = place.key;
  const writers = Array.from({ length: writerCount }, (_none, index) => {
    const own = new Seeded(seed + index + 1);
    return new Writer({ client, ledger, random: own, ...place, name: `w${String(index)}` });
  });
  const work = Promise.all(writers.map((writer) => writer.run()));
  const { times, longest } = await killAgainAndAgain(client, databaseUrl);
  await delay(1000);
  for (const writer of writers) writer.stop();
  await work;
  const database = await asSuperuser(databaseUrl);
  try {
    const evidence = { database, ledger, receiver };
    const missing = await untoldAfter(evidence, DELIVERY_SECONDS);
    const wrong = { ...(await compare(evidence)), 'events never delivered': missing };
    await untilSealed(client, place.management);
    await client.service?.kill('SIGTERM');
    const chain = await runCommand(databaseUrl, ['audit', '--verify']);
    const models = await runCommand(databaseUrl, ['rebuild', '--check']);
    return {
      wrong: {
        ...wrong,
        'answers that nobody expected': ledger.surprises.length,
        'audit chains broken': chain.code,
        'read models that differ': models.code,
      },
      told: [
        `${ledger.acknowledged.length} writes acknowledged, ${ledger.unanswered} cut off by a kill`,
        `${receiver.told.size} events delivered, ${repeated(receiver)} of them more than once`,
        `killed ${String(times)} times; longest absence ${String(longest)} ms`,
        ...chain.output.trim().split('\n'),
        ...ledger.surprises.slice(0, 5),
      ],
    };
  } finally {
    await database.end();
    receiver.close();
    await client.service?.kill('SIGKILL');
  }
}

const begun = Date.now();
console.log(`seed ${String(seed)}: ${String(kills)} kills, ${String(writerCount)} writers`);
const template = await prepareTemplate();
Object.assign(process.env, template.environment);
const database = await createTestDatabase();
try {
  const { wrong, told } = await play(database.url);
  for (const line of told) console.log(line);
  for (const [what, count] of Object.entries(wrong))
    console.log(`${count === 0 ? 'ok   ' : 'WRONG'} ${String(count).padStart(4)} ${what}`);
  console.log(`${String(Math.round((Date.now() - begun) / 1000))} s`);
  if (Object.values(wrong).some((count) => count !== 0)) process.exitCode = 1;
} finally {
  await database.drop();
  await template.dispose();
}
