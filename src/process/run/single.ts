import { stopOnSignal } from './shutdown.js';
import { listen } from '../../infrastructure/http-server.js';
import { listenForMetrics, openRuntime, endStart, type ServeOptions } from './runtime.js';

/**
 * Serves with this process alone.
 * @throws Error, in one line that says what to do
 */
export async function serveAlone({ config, logger, showDemo }: ServeOptions): Promise<void> {
  const runtime = await openRuntime({ config, logger, whenInUse: 'refuse', isWatched: true });
  try {
    const { composition } = runtime;
    const server = await listen(composition.handler, {
      host: config.http.host,
      port: config.http.port,
      log: logger,
      shedding: composition.shedding,
    });
    const servers = [server, ...(await listenForMetrics(composition.metrics, config, logger))];
    composition.metrics.watchProcess();
    stopOnSignal({ servers, runtime, config, logger });
    await composition.jobs.start();
    endStart();
    const baseUrl = config.http.publicBaseUrl ?? server.url;
    if (!config.database.seedDemo || config.processes.role === 'worker') {
      logger.info({ baseUrl, role: config.processes.role }, 'listening');
      return;
    }
    const keys = await showDemo({ composition, dataDirectory: config.storage.directory, baseUrl });
    composition.offerKeys(keys);
  } catch (error) {
    // A signal that arrives while the demo is loaded also ends its calls; the next start completes it.
    if (runtime.composition.isStopping()) return;
    await runtime.close();
    throw error;
  }
}
