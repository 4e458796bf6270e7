import process from 'node:process';
import { loadDemo } from './cli/demo/load-demo.js';
import { welcome } from './cli/demo/welcome.js';
import { readConfig, type Config } from './config.js';
import { listen, type RunningServer } from './infrastructure/http-server.js';
import { createLogger, type Logger } from './infrastructure/logger.js';
import { readableOn } from './infrastructure/readable-log.js';
import { stopOnSignal } from './graceful-stop.js';
import { isSupervisor, supervise } from './processes.js';
import { openRuntime, type Runtime } from './runtime.js';
import { describeStartupFailure } from './startup-failure.js';
import { metricsListener } from './surfaces/http/metrics-endpoint.js';

/** The port that only the monitoring reaches, where one is set. */
async function listenForMetrics(runtime: Runtime, config: Config, logger: Logger): Promise<RunningServer[]> {
  const { metricsPort: port, metricsToken, host } = config;
  if (port === undefined) return [];
  const { metrics } = runtime.composition;
  try {
    return [await listen(metricsListener(metrics, metricsToken), { host, port, log: logger })];
  } catch (error) {
    throw error instanceof Error ? new Error(error.message.replace('set PORT', 'set METRICS_PORT')) : error;
  }
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger(config.logLevel, process.stdout.isTTY ? readableOn(process.stdout) : undefined);
  process.on('unhandledRejection', (reason) => {
    logger.error({ err: reason }, 'unhandled rejection');
  });
  if (isSupervisor(config)) {
    await supervise(config, logger);
    return;
  }
  const runtime = await openRuntime({ config, logger, whenInUse: 'refuse' });
  try {
    const { composition } = runtime;
    const { host, port, role } = config;
    const api = role === 'worker' ? [] : [await listen(composition.handler, { host, port, log: logger })];
    const servers = [...api, ...(await listenForMetrics(runtime, config, logger))];
    composition.metrics.watchProcess();
    stopOnSignal({ servers, runtime, config, logger });
    if (role === 'api') composition.jobs.serve();
    else await composition.jobs.start();
    const baseUrl = config.publicBaseUrl ?? api[0]?.url ?? '';
    if (!config.seedDemo) {
      logger.info(role === 'worker' ? { role } : { baseUrl }, role === 'worker' ? 'working' : 'listening');
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
