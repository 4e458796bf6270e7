import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { ServiceProcess } from '../../support/service-process.js';
import type { KillClient } from './client.js';
import type { Seeded } from './seeded.js';

interface Kills {
  readonly kills: number;
  readonly random: Seeded;
  start(): Promise<ServiceProcess>;
}

/** Limits the number of kills when restarts are slow. */
const KILLING_SECONDS = 240;

/** Kills and restarts the service at random moments; returns the count and the longest downtime in ms. */
export async function killRepeatedly(
  client: KillClient,
  { kills, random, start }: Kills,
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
    client.service = await start();
    longest = Math.max(longest, Date.now() - killedAt);
    process.stdout.write(`\r${String(round)} of ${String(kills)} kills`);
  }
  process.stdout.write('\n');
  return { times: round, longest };
}

export async function asSuperuser(databaseUrl: string): Promise<pg.Client> {
  const url = new URL(process.env.HEADWATER_TEST_SUPERUSER_URL ?? '');
  url.pathname = new URL(databaseUrl).pathname;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return client;
}

/** Prints every count, of which each must be zero. */
export function reportCounts(wrong: Readonly<Record<string, number>>): void {
  for (const [what, count] of Object.entries(wrong))
    console.log(`${count === 0 ? 'ok   ' : 'FAIL '} ${String(count).padStart(4)} ${what}`);
  if (Object.values(wrong).some((count) => count !== 0)) process.exitCode = 1;
}
