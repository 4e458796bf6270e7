import process from 'node:process';
import { parseArgs } from 'node:util';
import { scratchDatabase } from './growth/databases.js';
import { prefixes } from './growth/content.js';
import { median } from './growth/median.js';
import { openStage, type Stage } from './growth/stage.js';
import { loadAverage } from './processes.js';
import { seededId } from './seed/bulk-entries.js';

const { values: flags } = parseArgs({
  options: {
    small: { type: 'string', default: '1000' },
    large: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '20' },
    /** Entries that change before a call. */
    changes: { type: 'string', default: '10' },
    publications: { type: 'string', default: '200' },
  },
});
const rounds = Number(flags.rounds);

interface Page {
  readonly data: readonly { readonly kind: string; readonly id: string }[];
  readonly meta: { readonly nextCursor: string; readonly hasMore: boolean };
}

const read = (stage: Stage, cursor: string | undefined): Promise<Page> => {
  const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  return stage.call('GET', `{site}/sync?limit=1000${query}`) as Promise<Page>;
};

interface Followed {
  readonly cursor: string;
  readonly items: number;
  readonly entries: number;
  readonly milliseconds: number;
}

async function follow(stage: Stage, from?: string): Promise<Followed> {
  const startedAt = performance.now();
  let [cursor, items, entries] = [from, 0, 0];
  for (let hasMore = true; hasMore;) {
    const { data, meta } = await read(stage, cursor);
    items += data.length;
    entries += data.filter(({ kind }) => kind === 'entry').length;
    cursor = meta.nextCursor;
    ({ hasMore } = meta);
  }
  return { cursor: cursor ?? '', items, entries, milliseconds: performance.now() - startedAt };
}

/** Publishes the first entries again, with another title. */
async function change(stage: Stage, count: number, round: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    const id = seededId(prefixes.page, number);
    const { data } = (await stage.call('GET', `{main}/entries/${id}`)) as { data: { version: number } };
    const fields = { title: `Changed ${String(round)} ${String(number)}` };
    await stage.call('PUT', `{main}/entries/${id}`, { version: data.version, fields });
    await stage.call('POST', `{main}/entries/${id}/publish`, {});
  }
}

/** All content, then calls after which nothing and something has changed. */
async function measureReads(stage: Stage): Promise<void> {
  await follow(stage);
  const before = process.cpuUsage();
  const whole = await follow(stage);
  const { user, system } = process.cpuUsage(before);
  const rate = Math.round((whole.entries / whole.milliseconds) * 1000);
  const rateOfCpu = Math.round((whole.entries / (user + system)) * 1_000_000);
  console.log(
    `${String(whole.entries)} entries, ${String(whole.items)} documents from scratch: ${(whole.milliseconds / 1000).toFixed(1)} s, ` +
      `${String(rate)} entries/s, ${String(rateOfCpu)} for a second of processor time of service and client`,
  );
  const [idle, changed]: [number[], number[]] = [[], []];
  let { cursor } = whole;
  for (let round = 0; round < rounds; round += 1) {
    await change(stage, Number(flags.changes), round);
    const after = await follow(stage, cursor);
    changed.push(after.milliseconds);
    ({ cursor } = after);
    const still = await follow(stage, cursor);
    idle.push(still.milliseconds);
    ({ cursor } = still);
  }
  console.log(
    `  a call after ${flags.changes} publications: ${median(changed).toFixed(1)} ms; after none: ${median(idle).toFixed(1)} ms`,
  );
}

/** Turns of both ways. */
const TURNS = 20;
const NOTED = ['published_entries', 'routes'];

/** With and without the triggers that note changes. */
async function setNotes(stage: Stage, isOn: boolean): Promise<void> {
  const triggers = (await stage.query(
    `SELECT tgname AS name, tgrelid::regclass::text AS on FROM pg_trigger
       WHERE tgname LIKE 'note_sync_%' AND tgrelid::regclass::text = ANY ($1)`,
    [NOTED],
  )) as { name: string; on: string }[];
  for (const { name, on } of triggers)
    await stage.query(`ALTER TABLE ${on} ${isOn ? 'ENABLE' : 'DISABLE'} TRIGGER ${name}`);
}

/** What notes cost a publication: both ways take turns. */
async function measurePublications(stage: Stage): Promise<void> {
  const times: Record<'with' | 'without', number[]> = { with: [], without: [] };
  const id = seededId(prefixes.page, 1);
  for (let turn = 0; turn < TURNS; turn += 1) {
    const way = turn % 2 === 0 ? 'with' : 'without';
    await setNotes(stage, way === 'with');
    for (let number = 0; number < Number(flags.publications) / TURNS; number += 1) {
      const startedAt = performance.now();
      await stage.call('POST', `{main}/entries/${id}/publish`, {});
      times[way].push(performance.now() - startedAt);
    }
  }
  await setNotes(stage, true);
  const [noted, bare] = [median(times.with), median(times.without)];
  console.log(
    `  a publication: ${noted.toFixed(2)} ms, without notes ${bare.toFixed(2)} ms, ratio ${(noted / bare).toFixed(3)}`,
  );
}

for (const count of [Number(flags.small), Number(flags.large)]) {
  const database = await scratchDatabase(`sync_${String(count)}`);
  try {
    const stage = await openStage(database.url, count);
    try {
      await measureReads(stage);
      await measurePublications(stage);
    } finally {
      await stage.close();
    }
  } finally {
    await database.drop();
  }
}
console.log(`\nLoad ${await loadAverage()}.`);
process.exit(0);
