import cluster from 'node:cluster';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import { bringUpToDate, openDatabase, type OpenDatabase } from '../parts/database.js';
import { ProcessFleet } from '../../infrastructure/fleet/process-fleet.js';
import type { RunningServer } from '../../infrastructure/http-server.js';
import type { Logger } from '../../infrastructure/logger.js';
import { metricList, Metrics, renderTogether, type RenderedMetrics } from '../../infrastructure/metrics.js';
import { listenForMetrics } from './runtime.js';
import { sessionSecretOf } from '../config/secrets.js';
import net from 'node:net';
import { emptyAcceptQueue, listenOn, urlOf, type ListenAddress } from '../../infrastructure/listeners.js';

interface SharedPort {
  readonly url: string;
  readonly port: number;
  /** Stops listening; resolves when every accepted connection has been passed on. */
  close(): Promise<void>;
}

/** How long connections are held while the accept queue is emptied. */
const MAX_HOLD_MS = 1000;

/**
 * Listens and passes on every connection unread.
 * @throws Error, in one line that names the setting to change, when it cannot listen
 */
async function openSharedPort(
  take: (socket: net.Socket) => void,
  options: ListenAddress,
): Promise<SharedPort> {
  let accepted = 0;
  let held: net.Socket[] | undefined;
  const server = net.createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    accepted += 1;
    if (held === undefined) take(socket);
    else held.push(socket);
  });
  await listenOn(server, options);
  return {
    url: urlOf(server),
    port: (server.address() as net.AddressInfo).port,
    close: async () => {
      held = [];
      await emptyAcceptQueue(() => accepted, MAX_HOLD_MS);
      server.close();
      for (const socket of held) take(socket);
    },
  };
}

interface LeaderOptions {
  readonly config: Config;
  readonly logger: Logger;
}

/** Settings that differ by process, as environment variables. */
async function environmentOf(
  config: Config,
  database: OpenDatabase,
  port: SharedPort,
): Promise<(place: number, isDemoLoaded: boolean) => NodeJS.ProcessEnv> {
  const secret = await sessionSecretOf(config);
  const { serviceUrl, readUrl } = config.database.external ?? {};
  const common = {
    PORT: String(port.port),
    PUBLIC_BASE_URL: config.http.publicBaseUrl ?? port.url,
    DATABASE_URL: database.ownerUrl,
    DATABASE_MIGRATE: '0',
    ...(serviceUrl !== undefined && { DATABASE_SERVICE_URL: serviceUrl }),
    ...(readUrl !== undefined && { DATABASE_READ_URL: readUrl }),
    ...(secret !== undefined && { SESSION_JWT_SECRET: secret }),
    // With more arenas, glibc keeps about 20 MB more that is free.
    MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '1',
  };
  return (place, isDemoLoaded) => ({
    ...common,
    HEADWATER_SEED_DEMO: place === 1 && config.database.seedDemo && !isDemoLoaded ? '1' : '0',
    // Background work is safe in several processes, but one is enough.
    HEADWATER_ROLE: config.processes.role === 'all' && place > 1 ? 'api' : config.processes.role,
  });
}

interface Fleet {
  readonly fleet: ProcessFleet;
  readonly port: SharedPort;
  readonly servers: readonly RunningServer[];
  readonly database: OpenDatabase;
}

/** As in a single process: readiness, delay, connections, requests, database. */
async function stop(parts: Fleet, { config, logger }: LeaderOptions, signal: string): Promise<void> {
  const { fleet, port, servers, database } = parts;
  logger.info({ signal }, 'stopping');
  fleet.beginDrain();
  for (const server of servers) server.beginDrain();
  const { shutdownTimeoutSeconds: total, shutdownDelaySeconds } = config.processes;
  await delay(signal === 'SIGTERM' ? Math.min(shutdownDelaySeconds, total / 4) * 1000 : 0);
  await port.close();
  const overdue = setTimeout(() => {
    fleet.kill();
  }, total * 900);
  await Promise.all([fleet.drain(), ...servers.map((server) => server.drain(1))]);
  clearTimeout(overdue);
  await database.stop();
}

function stopWhenTold(parts: Fleet, options: LeaderOptions): (reason: string) => void {
  let isStopping = false;
  const end = (signal: string, code: number): void => {
    isStopping = true;
    setTimeout(() => {
      parts.fleet.kill();
      process.exit(code);
    }, options.config.processes.shutdownTimeoutSeconds * 970).unref();
    stop(parts, options, signal).then(
      () => process.exit(code),
      (error: unknown) => {
        options.logger.error({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (isStopping) {
        parts.fleet.kill();
        process.exit(130);
      }
      end(signal, 0);
    });
  return (reason) => {
    if (isStopping) return;
    process.stderr.write(`headwater: ${reason}\n`);
    end('none', 1);
  };
}

async function openFleet(database: OpenDatabase, options: LeaderOptions): Promise<void> {
  const { config, logger } = options;
  await bringUpToDate(database.ownerUrl, options);
  const metrics = new Metrics();
  const take = (socket: Parameters<ProcessFleet['take']>[0]): void => {
    fleet.take(socket);
  };
  const port = await openSharedPort(take, { host: config.http.host, port: config.http.port, log: logger });
  const environment = await environmentOf(config, database, port);
  let isDemoLoaded = false;
  const renderAll = async (): Promise<RenderedMetrics> =>
    renderTogether([await metrics.counts(), ...(await fleet.ask())]);
  const fleet: ProcessFleet = new ProcessFleet({
    size: config.processes.count,
    logger,
    fork: (place) => cluster.fork(environment(place, isDemoLoaded)),
    onFatal: (reason) => {
      giveUp(reason);
    },
    onShared: () => {
      isDemoLoaded = true;
    },
    onAskAll: renderAll,
  });
  metrics.gauge(metricList.processes, () => ({ ready: fleet.readyCount, wanted: config.processes.count }));
  metrics.renderWith(renderAll);
  const servers = await listenForMetrics(metrics, config, logger);
  const giveUp = stopWhenTold({ fleet, port, servers, database }, options);
  await fleet.start();
  const baseUrl = config.http.publicBaseUrl ?? port.url;
  if (!config.database.seedDemo) logger.info({ baseUrl, processes: config.processes.count }, 'listening');
}

/**
 * Opens and migrates the database, accepts connections and passes them to the other processes. Serves only metrics
 * itself.
 * @throws Error, in one line that says what to do
 */
export async function leadFleet(options: LeaderOptions): Promise<void> {
  const database = await openDatabase({ ...options, whenInUse: 'refuse' });
  await openFleet(database, options).catch(async (error: unknown) => {
    await database.stop();
    throw error;
  });
}
