import cluster from 'node:cluster';
import process from 'node:process';
import { readConfig } from './process/config/config.js';
import { createLogger, type Logger, readableDestination } from './infrastructure/logger.js';
import type { ShowDemo } from './process/run/runtime.js';
import { describeStartupFailure } from './process/run/shutdown.js';

/** Each line names its process: 0 is the leader. */
function loggerOf(level: string, base: { process: number } | null): Logger {
  const logger = createLogger(
    level,
    process.stdout.isTTY ? readableDestination(process.stdout) : undefined,
    base,
  );
  process.on('unhandledRejection', (reason) => {
    logger.error({ err: reason }, 'unhandled rejection');
  });
  return logger;
}

/** Loaded only when used. */
const showDemo: ShowDemo = async (service) => (await import('./cli/demo/welcome.js')).showDemo(service);

/** For `--load`, which fills the compile cache of an image without a database. Stored code is valid for its flags. */
async function loadCode(): Promise<void> {
  await Promise.all([
    import('./process/run/single.js'),
    import('./process/run/leader.js'),
    import('./process/run/member.js'),
    import('./persistence/migrations/migrator.js'),
  ]);
  const { limitGarbage } = await import('./process/run/runtime.js');
  limitGarbage();
  await import('./surfaces/graphql/handler.js');
}

async function main(): Promise<void> {
  if (process.argv.includes('--load')) {
    await loadCode();
    return;
  }
  const config = readConfig(process.env);
  if (cluster.worker !== undefined) {
    const { serveInFleet } = await import('./process/run/member.js');
    const logger = loggerOf(config.monitoring.logLevel, { process: cluster.worker.id });
    await serveInFleet({ config, logger, showDemo });
    return;
  }
  if (config.processes.count > 1) {
    const { leadFleet } = await import('./process/run/leader.js');
    await leadFleet({ config, logger: loggerOf(config.monitoring.logLevel, { process: 0 }) });
    return;
  }
  const { serveAlone } = await import('./process/run/single.js');
  await serveAlone({ config, logger: loggerOf(config.monitoring.logLevel, null), showDemo });
}

main().catch((error: unknown) => {
  const reason = describeStartupFailure(error);
  // The leader reports it once for all.
  if (process.send !== undefined && cluster.isWorker) {
    process.send({ type: 'failed', reason }, () => process.exit(1));
    return;
  }
  process.stderr.write(`headwater: ${reason}\n`);
  process.exit(1);
});
