import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/infrastructure/postgres/embedded-postgres.js';
import { migrateUp } from '../../src/persistence/migrations/migrator.js';
import {
  changingEntry,
  changingKey,
  changingPage,
  changingRule,
  Client,
  type Change,
  type Subject,
} from './coherence-subjects.js';
import { loadAverage, type Measured } from './processes.js';
import { makeProject, withOperations } from './seed/open-service.js';
import { startService } from './service.js';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    /** Cuts the connections that hear of changes, at random. */
    cut: { type: 'boolean', default: false },
  },
});
const seconds = Number(flags.seconds);

/** What the checker saw. Times are in ms after the acknowledgement. */
const seen = {
  changes: new Map<string, number>(),
  reads: 0,
  staleHere: [] as string[],
  /** Until an answer that showed the change was there. */
  shownElsewhere: [] as number[],
  /** When the last read began that did not show it; 0 where the first one did. */
  staleElsewhere: [] as number[],
  staleLater: [] as string[],
  cuts: 0,
};

/** Longer than this nothing may be out of date anywhere. */
const GIVEN_UP_MS = 5000;
/** Between two looks for one change, and between two changes of one writer, on average. */
const LOOK_MS = 10;
const WRITE_MS = 200;
/** Between two reads of what has been changed before, which keep both processes remembering. */
const READ_MS = 5;

async function look(change: Change, base: string): Promise<string> {
  seen.reads += 1;
  return change.look(base);
}

async function waitFor(change: Change, base: string): Promise<void> {
  const { expected, kind } = change;
  const acknowledged = performance.now();
  let stale = 0;
  for (;;) {
    const begun = performance.now() - acknowledged;
    if ((await look(change, base)) === expected) break;
    stale = begun;
    if (begun > GIVEN_UP_MS) {
      seen.staleLater.push(`${kind}: never`);
      return;
    }
    await delay(LOOK_MS);
  }
  seen.shownElsewhere.push(performance.now() - acknowledged);
  seen.staleElsewhere.push(stale);
  for (let again = 0; again < 3; again += 1) {
    await delay(LOOK_MS);
    const now = await look(change, base);
    if (now !== expected) seen.staleLater.push(`${kind}: ${now}, not ${expected}`);
  }
}

async function check(change: Change, here: string, elsewhere: string): Promise<void> {
  const { kind, expected } = change;
  seen.changes.set(kind, (seen.changes.get(kind) ?? 0) + 1);
  const [now] = await Promise.all([look(change, here), waitFor(change, elsewhere)]);
  if (now !== expected) seen.staleHere.push(`${kind}: ${now}, not ${expected}`);
}

/** What was changed last by each writer: readers read it. */
const latest = new Map<Subject, readonly Change[]>();

async function write(subject: Subject, pair: readonly string[], until: number): Promise<void> {
  for (let turn = 0; performance.now() < until; turn += 1) {
    const [here = '', elsewhere = ''] = Math.random() < 0.5 ? pair : [...pair].reverse();
    const changes = await subject(here, turn);
    await Promise.all(changes.map((change) => check(change, here, elsewhere)));
    latest.set(subject, changes);
    await delay(Math.random() * 2 * WRITE_MS);
  }
}

const oneOf = <T>(all: readonly T[]): T | undefined => all[Math.floor(Math.random() * all.length)];

/** Reads on both processes, whatever is written meanwhile; what it finds is looked at by those who wrote. */
async function readAtRandom(pair: readonly string[], until: number): Promise<void> {
  while (performance.now() < until) {
    const change = oneOf(oneOf([...latest.values()]) ?? []);
    if (change !== undefined) await look(change, oneOf(pair) ?? '');
    await delay(READ_MS);
  }
}

/** Ends the connections that hear of changes, now one, now all. */
async function cutAtRandom(url: string, until: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  while (performance.now() < until) {
    await delay(500 + Math.random() * 2000);
    const { rowCount } = await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'headwater_listener' AND datname = current_database() AND random() < 0.7`,
    );
    seen.cuts += rowCount ?? 0;
  }
  await client.end();
}

const types = [
  { apiName: 'note', name: 'Note', isPage: false, fields: [{ apiName: 'title', type: 'text' }] },
  { apiName: 'page', name: 'Page', isPage: true, fields: [{ apiName: 'title', type: 'text' }] },
] as const;

const makeProjects = (url: string): Promise<readonly [Client, Client]> =>
  withOperations(url, async (operations) => {
    const make = async (slug: string) => {
      const { keys, siteId } = await makeProject(operations, slug, types);
      return new Client(slug, keys, siteId);
    };
    return [await make('open'), await make('guarded')];
  });

const startServer = (url: string): Promise<Measured> =>
  startService(url, { LOG_LEVEL: 'error', RATE_LIMITS: '0' });

/** How much later than it wanted this process did what it did. */
const lag = monitorEventLoopDelay({ resolution: 2 });

function distribution(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(0);
  return `${at(0.5)} ms (p50), ${at(0.99)} ms (p99), ${at(0.99999)} ms at most`;
}

async function report(): Promise<void> {
  const lines = [...seen.changes].map(([kind, count]) => `  ${kind}: ${count}`);
  process.stdout.write(
    `Changes checked, each on both processes:\n${lines.sort().join('\n')}\n` +
      `Reads a second: ${(seen.reads / seconds).toFixed(0)}. Connections cut: ${seen.cuts}.\n` +
      `Reads after an acknowledged write on the same process that did not show it: ${seen.staleHere.length}.\n` +
      `Until the other process had shown it: ${distribution(seen.shownElsewhere)}.\n` +
      `Last read of the other process that began and did not show it: ${distribution(seen.staleElsewhere)}.\n` +
      `Reads that showed the old state after that: ${seen.staleLater.length}.\n` +
      `This checker was late by ${(lag.percentile(99) / 1e6).toFixed(0)} ms (p99); load ${await loadAverage()}.\n` +
      [...seen.staleHere, ...seen.staleLater].slice(0, 20).join('\n'),
  );
}

async function run(url: string): Promise<void> {
  await migrateUp({ url });
  const [open, guarded] = await makeProjects(url);
  const servers = [await startServer(url), await startServer(url)];
  const pair = servers.map((server) => server.url);
  try {
    const until = performance.now() + seconds * 1000;
    const subjects = [
      ...Array.from({ length: 6 }, (_, n) => changingEntry(open, `note${n}`)),
      ...Array.from({ length: 2 }, (_, n) => changingPage(open, `page${n}`)),
      changingKey(open),
      changingRule(guarded),
    ];
    const cutting = flags.cut ? [cutAtRandom(url, until)] : [];
    const reading = [readAtRandom(pair, until), readAtRandom(pair, until)];
    lag.enable();
    await Promise.all([...subjects.map((subject) => write(subject, pair, until)), ...reading, ...cutting]);
    await report();
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

const directory = await mkdtemp(path.join(tmpdir(), 'headwater-coherence-'));
const { ownerUrl, stop } = await startEmbeddedPostgres({ dataDirectory: directory, log: () => undefined });
try {
  await run(ownerUrl);
} finally {
  await stop();
  await rm(directory, { recursive: true, force: true });
}
process.exit(seen.staleHere.length + seen.staleLater.length === 0 ? 0 : 1);
