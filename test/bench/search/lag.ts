import { loadavg } from 'node:os';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { prefixes } from '../growth/content.js';
import { scratchDatabase } from '../growth/databases.js';
import { openStage, type Stage } from '../growth/stage.js';
import { seededIdSql } from '../seed/bulk-entries.js';

const { values: flags } = parseArgs({
  options: {
    pages: { type: 'string', default: '10000' },
    /** Changed pages a second. */
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '20' },
  },
});
const TICK_MS = 50;

/** Changes the title and text of pages at the rate, a few at each tick, and returns how many. */
async function write(client: pg.Client, { tenantId, environmentId }: Stage['place']): Promise<number> {
  await client.query("SELECT set_config('headwater.tenant_id', $1, false)", [tenantId]);
  const [pages, rate, seconds] = [flags.pages, flags.rate, flags.seconds].map(Number);
  const startedAt = performance.now();
  const due = () => Math.min(seconds ?? 0, (performance.now() - startedAt) / 1000) * (rate ?? 0);
  let written = 0;
  while (written < (rate ?? 0) * (seconds ?? 0)) {
    const { rowCount } = await client.query(
      `UPDATE entry_locales SET title = 'Page again ' || n, fields = fields || jsonb_build_object('title', 'Page again ' || n || ' of ' || random())
       FROM generate_series($2::int, $3::int) AS n
       WHERE environment_id = $1 AND entry_id = ${seededIdSql(prefixes.page, `1 + n % ${String(pages)}`)}`,
      [environmentId, written, Math.ceil(due()) - 1],
    );
    written += rowCount ?? 0;
    await delay(TICK_MS);
  }
  return written;
}

/** Seconds from the note of each change to its end, read every few milliseconds. */
class LagWatch {
  readonly lags: number[] = [];
  #waiting = new Map<string, number>();

  constructor(private readonly client: pg.Client) {}

  /** How many changes wait. */
  async look(): Promise<number> {
    const { rows } = await this.client.query<{ id: string; noted: number; now: number }>(
      `SELECT id::text, extract(epoch FROM noted_at)::float8 AS noted, extract(epoch FROM clock_timestamp())::float8 AS now
       FROM search_queue`,
    );
    const now = rows[0]?.now ?? Date.now() / 1000;
    const waiting = new Map(rows.map(({ id, noted }) => [id, noted]));
    for (const [id, noted] of this.#waiting) if (!waiting.has(id)) this.lags.push(now - noted);
    this.#waiting = waiting;
    return waiting.size;
  }
}

async function measure(stage: Stage, url: string): Promise<void> {
  const clients = [
    new pg.Client({ connectionString: url }),
    new pg.Client({ connectionString: url }),
  ] as const;
  for (const client of clients) await client.connect();
  const [writer, reader] = clients;
  const watch = new LagWatch(reader);
  await stage.composition.jobs.indexSearch();
  await stage.composition.jobs.start();
  const writing = write(writer, stage.place);
  let isWriting = true;
  const startedAt = performance.now();
  const written = writing.finally(() => (isWriting = false));
  while (isWriting || (await watch.look()) > 0) {
    await watch.look();
    await delay(TICK_MS);
  }
  const total = await written;
  const lags = watch.lags.toSorted((one, other) => one - other);
  const at = (share: number) => (lags[Math.floor((lags.length - 1) * share)] ?? 0).toFixed(2);
  const took = (performance.now() - startedAt) / 1000;
  console.log(
    `${String(total)} changes of ${flags.pages} pages, indexed after ${took.toFixed(1)} s: lag p50 ${at(0.5)} s, p99 ${at(0.99)} s, longest ${at(1)} s; load ${(loadavg()[0] ?? 0).toFixed(1)}.`,
  );
  for (const client of clients) await client.end();
}

const database = await scratchDatabase('search_lag');
try {
  const stage = await openStage(database.url, Number(flags.pages));
  try {
    await measure(stage, database.url);
  } finally {
    await stage.close();
  }
} finally {
  await database.drop();
}
process.exit(0);
