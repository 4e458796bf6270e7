import cluster from 'node:cluster';
import process from 'node:process';
import { readConfig } from './config.js';
import { createLogger, type Logger } from './infrastructure/logger.js';
import { readableOn } from './infrastructure/readable-log.js';
import { describeStartupFailure } from './startup-failure.js';

/** Of several processes each line says which it is of: 0 is the first, which starts the others. */
function loggerOf(level: string, base: { process: number } | null): Logger {
  const logger = createLogger(level, process.stdout.isTTY ? readableOn(process.stdout) : undefined, base);
  process.on('unhandledRejection', (reason) => {
    logger.error({ err: reason }, 'unhandled rejection');
  });
  return logger;
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  if (cluster.worker !== undefined) {
    const { serveInFleet } = await import('./fleet-member.js');
    await serveInFleet({ config, logger: loggerOf(config.logLevel, { process: cluster.worker.id }) });
    return;
  }
  if (config.processes > 1) {
    const { leadFleet } = await import('./fleet-leader.js');
    await leadFleet({ config, logger: loggerOf(config.logLevel, { process: 0 }) });
    return;
  }
  const { serveAlone } = await import('./serve-alone.js');
  await serveAlone({ config, logger: loggerOf(config.logLevel, null) });
}

main().catch((error: unknown) => {
  const reason = describeStartupFailure(error);
  // The first process says it, once for all.
  if (process.send !== undefined && cluster.isWorker) {
    process.send({ type: 'failed', reason }, () => process.exit(1));
    return;
  }
  process.stderr.write(`headwater: ${reason}\n`);
  process.exit(1);
});
