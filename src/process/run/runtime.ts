import { compose, type Composition } from '../compose.js';
import type { Config } from '../config/config.js';
import type { Logger } from '../../infrastructure/logger.js';
import { bringUpToDate, openDatabase, type OpenOptions } from '../parts/database.js';
import { previewSecrets, sealingKeys, tokenSettings } from '../config/secrets.js';

/** Where clients reach the service. With port 0 nobody knows before it listens. */
const baseUrlOf = ({ http: { publicBaseUrl, host, port } }: Config): string | undefined =>
  publicBaseUrl ??
  (port === 0 ? undefined : `http://${host.includes(':') ? `[${host}]` : host}:${String(port)}`);

/** A process with its database open and everything wired. */
export interface Runtime {
  readonly composition: Composition;
  close(): Promise<void>;
}

/** Loads the demo content into a running service and prints what to open; returns the keys that the pages offer. */
export type ShowDemo = (service: {
  readonly composition: Composition;
  readonly dataDirectory: string;
  /** Where clients reach the service. */
  readonly baseUrl: string;
}) => Promise<{ readonly reference: string; readonly explorer: string }>;

/** What every way of serving starts from. */
export interface ServeOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly showDemo: ShowDemo;
}

/** How a process opens what it works with. */
interface RuntimeOptions extends OpenOptions {
  /** Whether another process has brought the database up to date. */
  readonly isUpToDate?: boolean;
}

/**
 * Opens the database, brings it up to date and wires the process.
 * @throws Error, in one line that says what to do
 */
export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { config, logger } = options;
  const database = await openDatabase(options);
  try {
    if (options.isUpToDate !== true) await bringUpToDate(database.ownerUrl, options);
    const tokens = await tokenSettings(config);
    const composition = await compose({
      ...config.http,
      ...config.database,
      ...config.cache,
      ...config.rates,
      ...config.monitoring,
      role: config.processes.role,
      queryLimits: config.queries,
      serviceUrl: database.serviceUrl,
      readUrl: database.readUrl,
      baseUrl: baseUrlOf(config),
      tokens,
      previewSecrets: await previewSecrets(config, tokens),
      webhooks: { ...config.webhooks, sealingKeys: await sealingKeys(config, tokens) },
      logger,
    });
    return {
      composition,
      close: async () => {
        await composition.close();
        await database.stop();
      },
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}
