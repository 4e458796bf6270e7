import type { RequestListener } from 'node:http';
import { createLogger } from '../../src/infrastructure/logger.js';
import { Metrics } from '../../src/infrastructure/metrics.js';
import { Exchange, type ExchangeSettings } from '../../src/surfaces/http/exchange.js';
import { ConcurrencyLimit } from '../../src/surfaces/http/limit-concurrency.js';
import { Pipeline, type Route } from '../../src/surfaces/http/pipeline.js';

const logger = createLogger('silent');

/** Settings without shared headers and proxies. */
export const exchangeSettings: ExchangeSettings = { logger, trustedProxies: [], sharedHeaders: [] };

/** Serves one route through the product's pipeline. */
export function listenerOf(
  route: Route,
  {
    maximum = Infinity,
    settings = exchangeSettings,
  }: { readonly maximum?: number; readonly settings?: ExchangeSettings } = {},
): RequestListener {
  const observer = { logger, metrics: new Metrics() };
  const pipeline = new Pipeline({ observer, limit: new ConcurrencyLimit(maximum), route });
  return (request, response) => {
    pipeline.handle(new Exchange(request, response, settings));
  };
}
