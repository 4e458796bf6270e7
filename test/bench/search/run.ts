import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { newLogin, openAdminSession } from '../../../src/cli/client/admin-session.js';
import type { OperationsClient } from '../../../src/cli/client/operations-client.js';
import { importPages } from '../../../src/cli/import/import-pages.js';
import { migrateUp } from '../../../src/persistence/migrations/migrator.js';
import { compose, type Composition } from '../../../src/process/compose.js';
import type { SearchOptions } from '../../../src/process/parts/search.js';
import { startOpenSearch } from '../../support/opensearch/opensearch-server.js';
import { hasOpenSearch } from '../../support/optional-servers.js';
import { scratchDatabase } from '../growth/databases.js';
import { median } from '../growth/median.js';
import { options } from '../growth/stage.js';
import { corpusFile, readQueries } from './labelled.js';
import { searchQuality } from './quality.js';

const project = 'debian-faq';
const ROUNDS = 5;
const quiet = { start: () => undefined, advance: () => undefined, stop: () => undefined };

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

async function importCorpus(composition: Composition): Promise<OperationsClient> {
  const keep = () => Promise.resolve();
  const session = await openAdminSession({ host: composition, command: 'bench', login: newLogin(), keep });
  const { client } = session;
  const startedAt = performance.now();
  await importPages({
    client,
    file: fileURLToPath(corpusFile),
    destination: { project, site: 'main' },
    isPublishing: true,
    concurrency: 6,
    progress: quiet,
  });
  const written = performance.now();
  const indexed = await composition.jobs.indexSearch();
  const seconds = (from: number, to: number): string => ((to - from) / 1000).toFixed(1);
  console.log(
    `Imported in ${seconds(startedAt, written)} s; ${String(indexed)} notes indexed in ${seconds(written, performance.now())} s.`,
  );
  return client;
}

async function measureSpeed(client: OperationsClient): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { locale, q } of await readQueries()) {
      const startedAt = performance.now();
      await client.call('search', 'find', {
        projectSlug: project,
        q,
        locale: [locale],
        facets: ['locale', 'status', 'contentType'],
      });
      if (round > 0) times.push(performance.now() - startedAt);
    }
  const slow = times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? 0;
  console.log(
    `With three facets: ${median(times).toFixed(1)} ms in the median, 95 % within ${slow.toFixed(1)} ms.`,
  );
}

/** Prints how well and how fast the labelled queries find the pages of the corpus with one provider. */
async function benchProvider(name: string, search: SearchOptions): Promise<void> {
  console.log(`${name}:`);
  const database = await scratchDatabase('search');
  try {
    await migrateUp({ url: database.url });
    const composition = await compose({ ...options(database.url), search });
    try {
      const client = await importCorpus(composition);
      const { queries, first, firstFive, missed } = await searchQuality(client, project);
      console.log(
        `${String(queries)} queries: success@1 ${percent(first)}, success@5 ${percent(firstFive)}. Not first: ${missed.join('; ')}`,
      );
      await measureSpeed(client);
    } finally {
      await composition.close();
    }
  } finally {
    await database.drop();
  }
}

async function benchOpenSearch(): Promise<void> {
  if (!hasOpenSearch) {
    console.log('OpenSearch: skipped, it is not installed (see .ci/run).');
    return;
  }
  const { url, stop } = await startOpenSearch();
  try {
    await benchProvider('OpenSearch', {
      openSearch: { url, prefix: 'bench', timeoutMilliseconds: 8000 },
    });
  } finally {
    await stop();
  }
}

/** Prints how well and how fast the labelled queries find the pages of the corpus, with every provider. */
export async function benchSearch(): Promise<void> {
  if (!existsSync(corpusFile)) {
    console.log('Skipped: shared/corpus/debian-faq.jsonl is not beside the checkout.');
    return;
  }
  await benchProvider('Database', {});
  await benchOpenSearch();
}
