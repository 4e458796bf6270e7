import process from 'node:process';
import { parseArgs } from 'node:util';
import { median } from './growth/median.js';
import { leaveServerCore, loadAverage, pinning, type Measured } from './processes.js';
import { makeProject, withOperations } from './seed/open-service.js';
import { withDatabase, type Scratch } from './scratch-database.js';
import { startService } from './service.js';

const { values: flags } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, items: { type: 'string', default: '1000' } },
});
const rounds = Number(flags.rounds);
/** Of a release, and of the bulk publications that it is compared with. */
const items = Number(flags.items);
const BATCH = 100;
/** Clients that read one entry after the other while something is published. */
const READERS = 4;

interface Place {
  readonly service: Measured;
  readonly siteId: string;
  readonly key: string;
}

async function post<T = { id: string }>(
  { service, key }: Place,
  address: string,
  body: object = {},
): Promise<T> {
  const response = await fetch(`${service.url}/api/v1/projects/bench${address}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok)
    throw new Error(`${address}: ${String(response.status)} ${(await response.text()).slice(0, 500)}`);
  return ((await response.json()) as { data: T }).data;
}

let made = 0;

/** New drafts of 2 KB. */
async function drafts(place: Place): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < items) {
    const batch = Array.from({ length: Math.min(BATCH, items - ids.length) }, () => {
      made += 1;
      const fields = { title: `Article ${String(made)}`, body: 'A sentence of the article. '.repeat(75) };
      const at = { contentTypeApiName: 'article', siteId: place.siteId, externalId: `e${String(made)}` };
      return { action: 'upsert', ...at, fields };
    });
    const { results } = await post<{ results: { entryId: string }[] }>(place, '/entries/batch', {
      items: batch,
    });
    ids.push(...results.map(({ entryId }) => entryId));
  }
  return ids;
}

interface Measurement {
  readonly seconds: number;
  /** Of delivery during the publication. */
  readonly p99Ms: number;
}

/** Reads a published entry during the work. */
async function measure(place: Place, address: string, work: () => Promise<unknown>): Promise<Measurement> {
  const latencies: number[] = [];
  let isOver = false;
  const reader = async (): Promise<void> => {
    while (!isOver) {
      const startedAt = performance.now();
      const response = await fetch(`${place.service.url}${address}`);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${address}: ${String(response.status)}`);
      latencies.push(performance.now() - startedAt);
    }
  };
  const reading = Promise.all(Array.from({ length: READERS }, reader));
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  isOver = true;
  await reading;
  latencies.sort((one, other) => one - other);
  return { seconds, p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN };
}

async function publishRelease(place: Place, address: string): Promise<Measurement & { rollback: number }> {
  const ids = await drafts(place);
  const { id } = await post(place, '/releases', { name: `Release ${String(made)}` });
  await post(place, `/releases/${id}/items`, {
    items: ids.map((entryId) => ({ kind: 'entry', entryId, locale: 'en', action: 'publish' })),
  });
  const published = await measure(place, address, () => post(place, `/releases/${id}/publish`));
  const { seconds: rollback } = await measure(place, address, () => post(place, `/releases/${id}/rollback`));
  return { ...published, rollback };
}

async function publishInBulk(place: Place, address: string): Promise<Measurement> {
  const ids = await drafts(place);
  return measure(place, address, async () => {
    for (let start = 0; start < ids.length; start += BATCH) {
      const entryIds = ids.slice(start, start + BATCH);
      const { failed } = await post<{ failed: number }>(place, '/entries/bulk', {
        action: 'publish',
        entryIds,
      });
      if (failed > 0) throw new Error('an entry was not published');
    }
  });
}

const QUIET_MS = 3000;

async function compare(place: Place): Promise<void> {
  const { id } = await post(place, '/entries', {
    contentTypeApiName: 'article',
    siteId: place.siteId,
    fields: { title: 'Read' },
  });
  await post(place, `/entries/${id}/publish`);
  const address = `/api/delivery/projects/bench/sites/main/entries/${id}`;
  await publishRelease(place, address);
  await publishInBulk(place, address);
  const quiet = await measure(
    place,
    address,
    () => new Promise((resolve) => void setTimeout(resolve, QUIET_MS)),
  );
  const releases: Awaited<ReturnType<typeof publishRelease>>[] = [];
  const bulks: Measurement[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const steps = [
      async () => void releases.push(await publishRelease(place, address)),
      async () => void bulks.push(await publishInBulk(place, address)),
    ];
    for (const step of round % 2 === 0 ? steps : steps.toReversed()) await step();
  }
  const ratio = median(releases.map(({ seconds }, index) => seconds / (bulks[index]?.seconds ?? Number.NaN)));
  const seconds = (all: readonly number[]): string => `${median(all).toFixed(2)} s`;
  const p99 = median(releases.map(({ p99Ms }) => p99Ms));
  console.log(`| ${String(items)} entries | Release | Bulk, ${String(BATCH)} each | Ratio | Target |`);
  console.log('| --- | ---: | ---: | ---: | ---: |');
  console.log(
    `| published | ${seconds(releases.map((one) => one.seconds))} | ${seconds(bulks.map((one) => one.seconds))} | ${ratio.toFixed(2)} | ≤ 1.50 |`,
  );
  console.log(`| rolled back | ${seconds(releases.map((one) => one.rollback))} | | | |`);
  console.log(
    `| delivery p99 during publication, quiet ${quiet.p99Ms.toFixed(1)} ms | ${p99.toFixed(1)} ms | ${median(bulks.map(({ p99Ms }) => p99Ms)).toFixed(1)} ms | ${(p99 / quiet.p99Ms).toFixed(2)} | ≤ 2.00 |`,
  );
}

async function bench({ url, media }: Scratch): Promise<void> {
  const fields = [
    { apiName: 'title', type: 'text', localized: true },
    { apiName: 'body', type: 'longText', localized: true },
  ] as const;
  const { siteId, keys } = await withOperations(url, (client) =>
    makeProject(client, { slug: 'bench' }, [{ apiName: 'article', name: 'Article', fields: [...fields] }]),
  );
  const service = await startService(url, {
    HEADWATER_DATA_DIR: media,
    RATE_LIMITS: '0',
  });
  try {
    await compare({ service, siteId, key: keys.management });
  } finally {
    await service.stop();
  }
}

leaveServerCore();
await withDatabase(bench);
console.log(`\nMedians of ${String(rounds)} rounds; ${pinning}; load ${await loadAverage()}.`);
process.exit(0);
