import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { limits } from '../../../contracts/limits.js';
import type { TranslationOptions } from '../parts/services.js';
import { compose, type Composition } from '../compose.js';
import { version, type Config } from '../config/config.js';
import { newId } from '../../infrastructure/ids.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { Telemetry } from '../../infrastructure/open-telemetry.js';
import { withNotice } from '../../infrastructure/readiness.js';
import { databaseAt } from '../../persistence/migrations/owner-connection.js';
import { mediaPlace } from '../parts/media.js';
import { bringUpToDate, openDatabase, startWait, type OpenOptions } from '../parts/database.js';
import { mediaUrlSecrets, previewSecrets, sealingKeys, tokenSettings } from '../config/secrets.js';
import { listen, type RunningServer } from '../../infrastructure/http-server.js';
import type { Metrics } from '../../infrastructure/metrics.js';
import { metricsListener } from '../../surfaces/http/probes.js';

/** Undefined with port 0 until it listens. */
const baseUrlOf = ({ http: { publicBaseUrl, host, port } }: Config): string | undefined =>
  publicBaseUrl ??
  (port === 0 ? undefined : `http://${host.includes(':') ? `[${host}]` : host}:${String(port)}`);

const translationOf = ({ translation: { url, key } }: Config): TranslationOptions['translation'] =>
  url === undefined ? undefined : { url, key, maximumBytes: limits.xliffImportBytes };

export interface Runtime {
  readonly composition: Composition;
  close(): Promise<void>;
}

/** Loads the demo and prints what to open; returns the keys for the documentation pages. */
export type ShowDemo = (service: {
  readonly composition: Composition;
  readonly dataDirectory: string;
  readonly baseUrl: string;
}) => Promise<{ readonly project: string; readonly reference: string; readonly explorer: string }>;

export interface ServeOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly showDemo: ShowDemo;
}

interface RuntimeOptions extends OpenOptions {
  /** Whether another process has migrated the database. */
  readonly isUpToDate?: boolean;
  /** Exports telemetry, if there is a collector; commands do not. */
  readonly isWatched?: boolean;
}

/** Its packages are loaded only if there is a collector. */
async function telemetryOf({ config, logger, isWatched }: RuntimeOptions): Promise<Telemetry | undefined> {
  const { exports: settings } = config.telemetry;
  if (settings === undefined || isWatched !== true) return undefined;
  const { openTelemetry } = await import('../../infrastructure/open-telemetry.js');
  return openTelemetry(settings, { logger, version, newId });
}

/**
 * Opens and migrates the database and wires the process.
 * @throws Error, in one line that says what to do
 */
export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { config, logger } = options;
  const database = await openDatabase(options);
  try {
    if (options.isUpToDate !== true) await bringUpToDate(database.ownerUrl, options);
    const [tokens, telemetry] = await Promise.all([tokenSettings(config), telemetryOf(options)]);
    const composing = compose({
      ...config.http,
      ...config.database,
      ...config.cache,
      ...config.rates,
      ...config.monitoring,
      role: config.processes.role,
      queryLimits: config.queries,
      retention: config.retention,
      serviceUrl: database.serviceUrl,
      readUrl: database.readUrl,
      listenUrl: database.listenUrl,
      baseUrl: baseUrlOf(config),
      publicBaseUrl: config.http.publicBaseUrl,
      tokens,
      previewSecrets: await previewSecrets(config, tokens),
      webhooks: { ...config.webhooks, sealingKeys: await sealingKeys(config, tokens) },
      smtp: config.mail.smtp,
      media: { ...config.media, ...mediaPlace(config), secrets: await mediaUrlSecrets(config, tokens) },
      search: config.search,
      translation: translationOf(config),
      logger,
      tracer: telemetry?.tracer,
    });
    const location = (): string => databaseAt(database.serviceUrl);
    const composition = await withNotice(startWait(options), location, composing);
    telemetry?.watch(composition.metrics);
    return {
      composition,
      close: async () => {
        await composition.close();
        await telemetry?.close();
        await database.stop();
      },
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** Once a process serves. */
const STORE_CODE_MS = 5000;

/**
 * By default, V8 lets garbage grow to three times the size of the live heap. On the command line, this flag would
 * invalidate the code cache of Node's built-in modules, which would then be compiled at each start.
 */
export function limitGarbage(): void {
  setFlagsFromString('--heap-growing-percent=100');
}

/** A process that is killed later leaves compiled code for the next start, as one that ends in order does. */
export function endStart(): void {
  limitGarbage();
  setTimeout(flushCompileCache, STORE_CODE_MS).unref();
}

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
