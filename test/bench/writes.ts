import process from 'node:process';
import { parseArgs } from 'node:util';
import { leaveServerCore, loadAverage, pinning } from './processes.js';
import { makeProject, withOperations } from './seed/open-service.js';
import { withDatabase, type Scratch } from './scratch-database.js';
import { startService } from './service.js';
import { compareBlocks } from './writes/blocks.js';
import { compareBulk } from './writes/bulk.js';
import { LOCALES } from './writes/content.js';
import { METRICS_TOKEN, WriteClient } from './writes/client.js';
import { compareEntries } from './writes/entries.js';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    locales: { type: 'string', default: '30' },
    entries: { type: 'string', default: '50' },
  },
});
const rounds = Number(flags.rounds);
const locales = LOCALES.slice(0, Number(flags.locales));
const entries = Number(flags.entries);

async function bench({ url, media }: Scratch): Promise<void> {
  const text = { apiName: 'text', type: 'richText', localized: true } as const;
  const title = { apiName: 'title', type: 'text', localized: true } as const;
  const sections = {
    apiName: 'sections',
    type: 'blocks',
    settings: { contentTypes: ['section'] },
  } as const;
  const { siteId, keys } = await withOperations(url, (client) =>
    makeProject(client, { slug: 'bench', locales }, [
      { apiName: 'section', name: 'Section', isBlock: true, fields: [text] },
      { apiName: 'page', name: 'Page', fields: [title, text, sections] },
    ]),
  );
  const service = await startService(url, {
    HEADWATER_DATA_DIR: media,
    METRICS_TOKEN,
    RATE_LIMITS: '0',
    RESPONSE_CACHE_MB: '0',
  });
  const { management: key, delivery: readKey } = keys;
  const client = new WriteClient({ service, siteId, key, readKey, databaseUrl: url });
  try {
    await compareEntries(client, { rounds, locales });
    await compareBlocks(client, { rounds });
    await compareBulk(client, { entries, locales });
  } finally {
    await client.close();
    await service.stop();
  }
}

leaveServerCore();
await withDatabase(bench);
console.log(`\n${pinning}; load ${await loadAverage()}.`);
process.exit(0);
