import { stat } from 'node:fs/promises';
import path from 'node:path';
import { systemClock, type Clock } from '../../infrastructure/clock.js';
import { createLogger } from '../../infrastructure/logger.js';
import { withTimeLimit } from '../../infrastructure/time-limit.js';
import { ConfigError, readConfig, settingDescriptions, type Config } from '../../process/config/config.js';
import { openDatabase } from '../../process/parts/database.js';
import { fail, ok, reasonOf, redactReports, runChecks, warn, type Check, type Report } from './check.js';
import { checkLogin, databaseChecks } from './database-checks.js';
import { certificateChecks, neighbourChecks } from './neighbour-checks.js';
import { orUndefined } from '../../infrastructure/promises.js';

export interface DoctorOptions {
  readonly env: NodeJS.ProcessEnv;
  /** For each check. */
  readonly limitMs: number;
  /** Of this machine; unset: that of the system. */
  readonly clock?: Clock;
}

const settings = settingDescriptions.map(({ name }) => name);

interface Settings {
  readonly reports: readonly Report[];
  /** Without the settings that are wrong. */
  readonly config: Config;
  readonly isDatabaseKnown: boolean;
}

/** Settings that work, but hardly as they were meant. */
function doubtsOf({ http, database, webhooks }: Config): Report[] {
  if (database.external === undefined) return [];
  const doubts = [
    http.publicBaseUrl === undefined
      ? warn('PUBLIC_BASE_URL is unset', 'set it to the URL at which clients reach the service')
      : undefined,
    webhooks.allowLoopback
      ? warn('WEBHOOK_ALLOW_LOOPBACK=1 lets tenants call this machine', 'unset it in production')
      : undefined,
  ];
  return doubts.flatMap((doubt) => (doubt === undefined ? [] : { name: 'settings', ...doubt }));
}

/** Wrong settings are left out, so that the others are checked. */
function readSettings(env: NodeJS.ProcessEnv): Settings {
  try {
    const config = readConfig(env);
    const all: Report = { name: 'settings', ...ok(`${String(settings.length)} settings are valid`) };
    return { reports: [all, ...doubtsOf(config)], config, isDatabaseKnown: true };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const wrong = settings.filter((name) => new RegExp(`\\b${name}\\b`).test(error.message));
    const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !wrong.includes(name)));
    const reports = [
      { name: 'settings', ...fail(error.message, 'see the table in src/process/README.md') },
    ] as const;
    const isDatabaseKnown = !wrong.some((name) => name.startsWith('DATABASE_') && name.endsWith('URL'));
    return { reports, config: readConfig(rest, 'operate'), isDatabaseKnown };
  }
}

async function openKnownDatabase(config: Config, limitMs: number) {
  const database = await openDatabase({ config, logger: createLogger('silent'), whenInUse: 'share' });
  try {
    await withTimeLimit(limitMs, checkLogin(database));
    return database;
  } catch (error) {
    await database.stop();
    throw error;
  }
}

const withoutDatabase = 'roles, extensions, collation, clock, replication and queues were not checked';

async function checkDatabase(
  config: Config,
  { limitMs, clock = systemClock }: DoctorOptions,
): Promise<Report[]> {
  const report = (finding: ReturnType<typeof fail>): Report[] => [{ name: 'database', ...finding }];
  const cluster = path.join(config.storage.directory, 'postgres');
  if (config.database.external === undefined && (await orUndefined(stat(cluster))) === undefined)
    return report(
      warn(`there is no embedded database yet; ${withoutDatabase}`, 'run npm start, or set DATABASE_URL'),
    );
  let database;
  try {
    database = await openKnownDatabase(config, limitMs);
  } catch (error) {
    return report(fail(`${reasonOf(error)}; ${withoutDatabase}`, 'check DATABASE_URL'));
  }
  try {
    return await runChecks(databaseChecks({ database, config, clock }), limitMs);
  } finally {
    await database.stop();
  }
}

/** Checks the installation that the settings describe. Changes nothing but one object of the storage, which it removes. */
export async function runDoctor(options: DoctorOptions): Promise<Report[]> {
  const { env, limitMs } = options;
  const { reports, config, isDatabaseKnown } = readSettings(env);
  const checks: Check[] = [...neighbourChecks(config), ...certificateChecks(env, settings)];
  const [ofDatabase, ofOthers] = await Promise.all([
    isDatabaseKnown ? checkDatabase(config, options) : [],
    runChecks(checks, limitMs),
  ]);
  return redactReports([...reports, ...ofDatabase, ...ofOthers], env);
}
