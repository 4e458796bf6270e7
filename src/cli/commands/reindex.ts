import process from 'node:process';
import { readConfig } from '../../process/config/config.js';
import { EnvironmentListRepository } from '../../features/environments/catalog/index.js';
import { SearchIndexer } from '../../features/insight/search/index.js';
import { createLogger } from '../../infrastructure/logger.js';
import { openRuntime } from '../../process/run/runtime.js';
import { systemScope } from '../../persistence/work/unit-of-work.js';
import { runCommand } from '../command-line.js';
import { progressOn } from '../progress.js';

const help = `
Usage: npm run reindex

Indexes every entry for search again, while the index keeps serving. What is left after an interruption is indexed by
the running service.
`;

async function main(): Promise<void> {
  const logger = createLogger('warn');
  const config = readConfig(process.env);
  const runtime = await openRuntime({ config, logger, whenInUse: 'share' });
  try {
    const { units, search } = runtime.composition.services;
    const onError = (error: unknown): void => {
      logger.error({ err: error }, 'an entry cannot be indexed');
    };
    const indexer = new SearchIndexer({
      units,
      onError,
      index: search.index,
      makesVectors: search.vectors !== undefined,
    });
    const request = { scope: systemScope({ command: 'reindex' }), isReadOnly: true, lock: 'none' } as const;
    const heads = await units.run(request, (work) => work.use(EnvironmentListRepository).all());
    for (const head of heads) {
      const progress = progressOn(process.stderr);
      const entries = await indexer.rebuild(head, progress);
      progress.stop();
      console.log(`${head.projectSlug}/${head.environmentSlug}: ${String(entries)} entries indexed.`);
    }
  } finally {
    await runtime.close();
  }
}

runCommand(help, main);
