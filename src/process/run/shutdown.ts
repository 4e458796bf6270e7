import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { type Config, ConfigError } from '../config/config.js';
import type { RunningServer } from '../../infrastructure/http-server.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { Runtime } from './runtime.js';
import { DatabaseFailure, toDatabaseFailure } from '../../persistence/work/unit-of-work.js';

interface StopParts {
  /** The service's server first. */
  readonly servers: readonly RunningServer[];
  readonly runtime: Runtime;
  readonly config: Config;
  readonly logger: Logger;
}

/** The share of the shutdown timeout for requests; the rest is for the database. */
export const REQUESTS_SHARE = 0.7;

/**
 * Readiness fails and responses close their connections, while new ones are accepted until load balancers notice.
 * Then the listener closes, started requests finish and the database closes.
 */
async function stop({ servers, runtime, config, logger }: StopParts, signal: NodeJS.Signals): Promise<void> {
  const { shutdownTimeoutSeconds: total, shutdownDelaySeconds } = config.processes;
  logger.info({ signal }, 'stopping');
  runtime.composition.beginDrain();
  for (const server of servers) server.beginDrain();
  const delaySeconds = signal === 'SIGTERM' ? Math.min(shutdownDelaySeconds, total / 4) : 0;
  await delay(delaySeconds * 1000);
  const requestSeconds = total * REQUESTS_SHARE - delaySeconds;
  await Promise.all(servers.map((server) => server.drain(requestSeconds)));
  await runtime.close();
}

/** At SIGTERM or SIGINT, within the configured time; a second signal ends the process at once. */
export function stopOnSignal(parts: StopParts): void {
  const { config, logger } = parts;
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(130);
    isStopping = true;
    // Safe: nothing is acknowledged before it is committed.
    setTimeout(() => {
      logger.warn('shutdown timed out; remaining requests were aborted');
      process.exit(0);
    }, config.processes.shutdownTimeoutSeconds * 950).unref();
    stop(parts, signal).then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/** Advice by SQL state for a wrong DATABASE_URL. */
const advice: Readonly<Record<string, string>> = {
  '28P01': 'the password is wrong',
  '28000': 'the role may not log in',
  '3D000': 'the database does not exist: create it first',
  '25006': 'it is read-only: DATABASE_URL must name the primary',
  '42501': 'the role lacks a privilege: DATABASE_URL must name the owner of the database',
};

/** Why the database cannot be used, in a few words. */
export function databaseReason(error: unknown): string {
  const failure = error instanceof DatabaseFailure ? error : toDatabaseFailure(error);
  return advice[failure?.sqlState ?? ''] ?? 'it cannot be reached';
}

/** One line that says why the process cannot start and what to do. */
export function describeStartupFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const failure = error instanceof DatabaseFailure ? error : toDatabaseFailure(error);
  if (failure !== undefined) {
    return `The database cannot be used: ${databaseReason(failure)}. Check DATABASE_URL, or unset it to use the embedded database.`;
  }
  return error instanceof Error ? (error.message.split('\n')[0] ?? error.name) : String(error);
}
