import process from 'node:process';
import { loadDemo } from './cli/demo/load-demo.js';
import { welcome } from './cli/demo/welcome.js';
import { readConfig, type Config } from './config.js';
import { listen, type RunningServer } from './infrastructure/http-server.js';
import { createLogger, type Logger } from './infrastructure/logger.js';
import { openRuntime, type Runtime } from './runtime.js';
import { describeStartupFailure } from './startup-failure.js';

/** Drains the server, then closes the database; a second signal ends the process at once. */
function stopOnSignal(
  server: RunningServer,
  runtime: Runtime,
  { config, logger }: { config: Config; logger: Logger },
): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(130);
    isStopping = true;
    logger.info({ signal }, 'stopping');
    runtime.composition.beginDrain();
    server
      .drain(config.shutdownTimeoutSeconds)
      .then(() => runtime.close())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error({ err: error }, 'the stop failed');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger(config.logLevel);
  process.on('unhandledRejection', (reason) => {
    logger.error({ err: reason }, 'unhandled rejection');
  });
  const runtime = await openRuntime({ config, logger, whenInUse: 'refuse' });
  try {
    const { composition } = runtime;
    const server = await listen(composition.handler, { host: config.host, port: config.port, log: logger });
    stopOnSignal(server, runtime, { config, logger });
    await composition.jobs.start();
    const baseUrl = config.publicBaseUrl ?? server.url;
    if (!config.seedDemo) {
      logger.info({ baseUrl }, 'listening');
      return;
    }
    const credentials = await loadDemo({ composition, dataDirectory: config.dataDirectory, baseUrl });
    const { management, preview } = credentials.keys;
    composition.offerKeys({ reference: management, explorer: preview });
    process.stdout.write(welcome(credentials));
  } catch (error) {
    await runtime.close();
    throw error;
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`headwater: ${describeStartupFailure(error)}\n`);
  process.exit(1);
});
