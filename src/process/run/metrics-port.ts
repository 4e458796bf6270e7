import type { Config } from '../config/config.js';
import { listen, type RunningServer } from '../../infrastructure/http-server.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { Metrics } from '../../infrastructure/metrics.js';
import { metricsListener } from '../../surfaces/http/metrics-endpoint.js';

/**
 * Opens the separate port for monitoring, if configured.
 * @throws Error, in one line that names the setting to change
 */
export async function listenForMetrics(
  metrics: Metrics,
  config: Config,
  logger: Logger,
): Promise<RunningServer[]> {
  const { metricsPort: port, metricsToken } = config.monitoring;
  const { host } = config.http;
  if (port === undefined) return [];
  try {
    return [await listen(metricsListener(metrics, metricsToken, logger), { host, port, log: logger })];
  } catch (error) {
    throw error instanceof Error ? new Error(error.message.replace('set PORT', 'set METRICS_PORT')) : error;
  }
}
