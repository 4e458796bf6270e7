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
import { startReplicated } from '../support/replication.js';
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
    /** Terminates listener connections at random. */
    cut: { type: 'boolean', default: false },
    /** Streaming replicas, which both processes read. */
    replicas: { type: 'string', default: '0' },
  },
});
const seconds = Number(flags.seconds);

/** A migrated database. */
interface Place {
  readonly url: string;
  /** Of its replicas. */
  readonly readUrl?: string;
  stop(): Promise<void>;
}

/** Observations. Times are in ms after the acknowledgement. */
const stats = {
  changes: new Map<string, number>(),
  reads: 0,
  staleHere: [] as string[],
  /** Until the end of the first read that showed the change. */
  shownElsewhere: [] as number[],
  /** Start of the last stale read; 0 without one. */
  staleElsewhere: [] as number[],
  staleLater: [] as string[],
  cuts: 0,
};

/** No read may be stale after this time. */
const TIMEOUT_MS = 5000;
/** Average pause between reads of one change, and between changes of one writer. */
const POLL_MS = 10;
const WRITE_MS = 200;
/** Pause between random reads, which keep both processes' caches filled. */
const READ_MS = 5;

async function readChange(change: Change, base: string): Promise<string> {
  stats.reads += 1;
  return change.read(base);
}

async function waitFor(change: Change, base: string): Promise<void> {
  const { expected, kind } = change;
  const acknowledged = performance.now();
  let stale = 0;
  for (;;) {
    const startedAt = performance.now() - acknowledged;
    if ((await readChange(change, base)) === expected) break;
    stale = startedAt;
    if (startedAt > TIMEOUT_MS) {
      stats.staleLater.push(`${kind}: never`);
      return;
    }
    await delay(POLL_MS);
  }
  stats.shownElsewhere.push(performance.now() - acknowledged);
  stats.staleElsewhere.push(stale);
  for (let repeat = 0; repeat < 3; repeat += 1) {
    await delay(POLL_MS);
    const now = await readChange(change, base);
    if (now !== expected) stats.staleLater.push(`${kind}: ${now}, not ${expected}`);
  }
}

async function check(change: Change, here: string, elsewhere: string): Promise<void> {
  const { kind, expected } = change;
  stats.changes.set(kind, (stats.changes.get(kind) ?? 0) + 1);
  const [now] = await Promise.all([readChange(change, here), waitFor(change, elsewhere)]);
  if (now !== expected) stats.staleHere.push(`${kind}: ${now}, not ${expected}`);
}

/** The last change of each writer, for random reads. */
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

/** Reads random recent changes on both processes; only writers check the results. */
async function readAtRandom(pair: readonly string[], until: number): Promise<void> {
  while (performance.now() < until) {
    const change = oneOf(oneOf([...latest.values()]) ?? []);
    if (change !== undefined) await readChange(change, oneOf(pair) ?? '');
    await delay(READ_MS);
  }
}

/** Terminates some or all listener connections repeatedly. */
async function cutAtRandom(url: string, until: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  while (performance.now() < until) {
    await delay(500 + Math.random() * 2000);
    const { rowCount } = await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'headwater_listener' AND datname = current_database() AND random() < 0.7`,
    );
    stats.cuts += rowCount ?? 0;
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
      const { keys, siteId } = await makeProject(operations, { slug }, types);
      return new Client(slug, keys, siteId);
    };
    return [await make('open'), await make('restricted')];
  });

const startServer = ({ url, readUrl }: Place): Promise<Measured> =>
  startService(url, {
    LOG_LEVEL: 'error',
    RATE_LIMITS: '0',
    ...(readUrl !== undefined && { DATABASE_READ_URL: readUrl }),
  });

/** Event loop delay of this process. */
const lag = monitorEventLoopDelay({ resolution: 2 });

function distribution(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(0);
  return `${at(0.5)} ms (p50), ${at(0.99)} ms (p99), ${at(0.99999)} ms (maximum)`;
}

async function report(): Promise<void> {
  const lines = [...stats.changes].map(([kind, count]) => `  ${kind}: ${count}`);
  process.stdout.write(
    `Checked changes, each on both processes:\n${lines.sort().join('\n')}\n` +
      `Reads per second: ${(stats.reads / seconds).toFixed(0)}. Connections terminated: ${stats.cuts}.\n` +
      `Stale reads after an acknowledged write on the same process: ${stats.staleHere.length}.\n` +
      `Visible on the other process after: ${distribution(stats.shownElsewhere)}.\n` +
      `Start of the last stale read on the other process: ${distribution(stats.staleElsewhere)}.\n` +
      `Stale reads after that: ${stats.staleLater.length}.\n` +
      `Event loop delay of the checker: ${(lag.percentile(99) / 1e6).toFixed(0)} ms (p99); load ${await loadAverage()}.\n` +
      [...stats.staleHere, ...stats.staleLater].slice(0, 20).join('\n'),
  );
}

async function run(place: Place): Promise<void> {
  const { url } = place;
  const [open, restricted] = await makeProjects(url);
  const servers = [await startServer(place), await startServer(place)];
  const pair = servers.map((server) => server.url);
  try {
    const until = performance.now() + seconds * 1000;
    const subjects = [
      ...Array.from({ length: 6 }, (_, n) => changingEntry(open, `note${n}`)),
      ...Array.from({ length: 2 }, (_, n) => changingPage(open, `page${n}`)),
      changingKey(open),
      changingRule(restricted),
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

async function alone(): Promise<Place> {
  const directory = await mkdtemp(path.join(tmpdir(), 'headwater-coherence-'));
  const { ownerUrl: url, stop } = await startEmbeddedPostgres({
    dataDirectory: directory,
    log: () => undefined,
  });
  await migrateUp({ url });
  return {
    url,
    stop: async () => {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function replicated(count: number): Promise<Place> {
  const { databaseUrl: url, standbys, urlOn, stop } = await startReplicated(count);
  return { url, readUrl: urlOn(...standbys.map(({ port }) => port)), stop };
}

const replicas = Number(flags.replicas);
const place = await (replicas > 0 ? replicated(replicas) : alone());
try {
  await run(place);
} finally {
  await place.stop();
}
process.exit(stats.staleHere.length + stats.staleLater.length === 0 ? 0 : 1);
