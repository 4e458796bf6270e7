import cluster, { type Worker } from 'node:cluster';
import process from 'node:process';
import type { Config } from './config.js';
import type { Logger } from './infrastructure/logger.js';
import { bringUpToDate } from './runtime.js';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** A process that ran so long is started again at once. */
const STABLE_MS = 30_000;

/** One place among the processes, held by one process after the other. */
interface Seat {
  readonly role: Config['role'];
  worker: Worker | undefined;
  pauseMs: number;
}

/** Runs several processes that share one port, and starts anew those that end by themselves. */
class Supervisor {
  readonly #seats: readonly Seat[];
  #isStopping = false;

  constructor(
    private readonly config: Config,
    private readonly logger: Logger,
  ) {
    // One of them does the jobs: they are few, and share nothing with requests but the database.
    this.#seats = Array.from({ length: config.processes }, (_, index) => ({
      role: config.role === 'all' && index > 0 ? 'api' : config.role,
      worker: undefined,
      pauseMs: FIRST_PAUSE_MS,
    }));
  }

  start(): void {
    for (const seat of this.#seats) this.#fork(seat);
    process.on('SIGTERM', this.#onSignal);
    process.on('SIGINT', this.#onSignal);
  }

  #fork(seat: Seat): void {
    const begun = Date.now();
    const worker = cluster.fork({ HEADWATER_ROLE: seat.role, DATABASE_MIGRATE: '0' });
    seat.worker = worker;
    this.logger.info({ pid: worker.process.pid, role: seat.role }, 'a process started');
    worker.once('exit', (code, signal) => {
      seat.worker = undefined;
      if (this.#isStopping) {
        this.#endIfAllEnded();
        return;
      }
      if (Date.now() - begun > STABLE_MS) seat.pauseMs = FIRST_PAUSE_MS;
      this.logger.error({ pid: worker.process.pid, code, signal, pauseMs: seat.pauseMs }, 'a process ended');
      setTimeout(() => {
        if (!this.#isStopping) this.#fork(seat);
      }, seat.pauseMs);
      seat.pauseMs = Math.min(seat.pauseMs * 2, LONGEST_PAUSE_MS);
    });
  }

  /** Each process drains by itself; a second signal ends them at once. */
  readonly #onSignal = (signal: NodeJS.Signals): void => {
    const workers = this.#seats.flatMap(({ worker }) => worker ?? []);
    for (const worker of workers) worker.process.kill(signal);
    if (!this.#isStopping) {
      this.#isStopping = true;
      setTimeout(
        () => {
          for (const worker of workers) worker.process.kill('SIGKILL');
        },
        (this.config.shutdownTimeoutSeconds + 1) * 1000,
      ).unref();
    }
    this.#endIfAllEnded();
  };

  #endIfAllEnded(): void {
    if (this.#seats.every(({ worker }) => worker === undefined)) process.exit(0);
  }
}

/** Whether this process is to start others instead of serving itself. */
export const isSupervisor = ({ processes }: Config): boolean => processes > 1 && cluster.isPrimary;

/**
 * Brings the database up to date, then runs the processes until a signal ends them.
 * @throws Error, in one line that says what to do
 */
export async function supervise(config: Config, logger: Logger): Promise<void> {
  const { database } = config;
  if (database.kind === 'external')
    await bringUpToDate(database.ownerUrl, { config, logger, whenInUse: 'refuse' });
  new Supervisor(config, logger).start();
  logger.info({ processes: config.processes }, 'processes started');
}
