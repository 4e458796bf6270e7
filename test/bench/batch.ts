import process from 'node:process';
import { parseArgs } from 'node:util';
import { median } from './growth/median.js';
import { leaveServerCore, type Measured } from './processes.js';
import { makeProject, withOperations } from './seed/open-service.js';
import { withDatabase, type Scratch } from './scratch-database.js';
import { startService } from './service.js';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    clients: { type: 'string', default: '8' },
    items: { type: 'string', default: '800' },
  },
});
const rounds = Number(flags.rounds);
const clients = Number(flags.clients);
/** Entries per round, written by single calls and by batches of a hundred. */
const items = Number(flags.items);
const BATCH = 100;

let made = 0;

interface Place {
  readonly service: Measured;
  readonly siteId: string;
  readonly key: string;
}

async function post({ service, key }: Place, address: string, body: object): Promise<{ data: unknown }> {
  const response = await fetch(`${service.url}/api/v1/projects/bench${address}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${String(response.status)} ${await response.text()}`);
  return (await response.json()) as { data: unknown };
}

const article = (place: Place) => {
  made += 1;
  const fields = { title: `Article ${String(made)}`, body: 'A sentence of the article. '.repeat(75) };
  return { contentTypeApiName: 'article', siteId: place.siteId, externalId: `e${String(made)}`, fields };
};

/** Runs `step` until `count` are done, by several clients at once. Entries a second. */
async function rate(count: number, size: number, step: () => Promise<void>): Promise<number> {
  let left = count / size;
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await step();
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  return count / ((performance.now() - startedAt) / 1000);
}

async function compare(place: Place): Promise<void> {
  const single = async (): Promise<void> => {
    const { data } = await post(place, '/entries', article(place));
    await post(place, `/entries/${(data as { id: string }).id}/publish`, {});
  };
  const batch = async (): Promise<void> => {
    const upserts = Array.from({ length: BATCH }, () => ({
      ...article(place),
      action: 'upsert',
      publish: true,
    }));
    const { data } = await post(place, '/entries/batch', { items: upserts });
    if ((data as { failed: number }).failed > 0) throw new Error('an item failed');
  };
  await rate(BATCH, 1, single);
  await rate(BATCH * clients, BATCH, batch);
  const rates: [number, number][] = [];
  for (let round = 0; round < rounds; round += 1)
    rates.push([await rate(items, 1, single), await rate(items, BATCH, batch)]);
  const [singly, batched] = [0, 1].map((index) => median(rates.map((pair) => pair[index] ?? 0)));
  console.log('| Entries created and published a second | Single calls | Batches of 100 | Ratio | Target |');
  console.log('| --- | ---: | ---: | ---: | ---: |');
  const ratio = (batched ?? 0) / (singly ?? 1);
  console.log(
    `| ${String(clients)} clients, 2 KB each | ${(singly ?? 0).toFixed(0)}/s | ${(batched ?? 0).toFixed(0)}/s | ${ratio.toFixed(1)} | ≥ 8.0 |`,
  );
}

async function bench({ url, media }: Scratch): Promise<void> {
  const type = { apiName: 'article', name: 'Article' };
  const fields = [
    { apiName: 'title', type: 'text', localized: true },
    { apiName: 'body', type: 'longText', localized: true },
  ] as const;
  const { siteId, keys } = await withOperations(url, (client) =>
    makeProject(client, { slug: 'bench' }, [{ ...type, fields: [...fields] }]),
  );
  const service = await startService(url, {
    HEADWATER_DATA_DIR: media,
  });
  try {
    await compare({ service, siteId, key: keys.management });
  } finally {
    await service.stop();
  }
}

leaveServerCore();
await withDatabase(bench);
process.exit(0);
