import process from 'node:process';
import { parseArgs } from 'node:util';
import { readConfig } from '../../process/config/config.js';
import { EnvironmentListRepository } from '../../features/environments/catalog/index.js';
import { createLogger } from '../../infrastructure/logger.js';
import { openRuntime } from '../../process/run/runtime.js';
import { systemScope } from '../../persistence/work/unit-of-work.js';
import { runCommand } from '../command-line.js';
import { checkEnvironment, rebuildEnvironment } from '../rebuild/visit-environment.js';

const help = `
Usage: npm run rebuild [-- --check]

Rebuilds routes, owners of blocks, workflow states, translations, lists of assets, counters, issues and the index of
delivery filters of every project.

  --check  only compare the read model with the content; exits with 1 where they differ
`;

/** `--check` compares the read model with the write model; otherwise rebuilds what is derived from content. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const runtime = await openRuntime({
    config: readConfig(process.env),
    logger: createLogger('warn'),
    whenInUse: 'share',
  });
  try {
    const { units, search } = runtime.composition.services;
    const request = { scope: systemScope({ command: 'rebuild' }), isReadOnly: true, lock: 'none' } as const;
    const heads = await units.run(request, (work) => work.use(EnvironmentListRepository).all());
    for (const head of heads) {
      const { isOk, lines } = await (values.check
        ? checkEnvironment(units, head, search.index)
        : rebuildEnvironment(units, head));
      for (const line of lines) console.log(line);
      if (!isOk) process.exitCode = 1;
    }
  } finally {
    await runtime.close();
  }
}

runCommand(help, main);
