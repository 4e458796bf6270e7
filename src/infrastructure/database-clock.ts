import { systemClock, type Clock } from './clock.js';
import type { Logger } from './logger.js';
import type { PartState } from './readiness.js';

interface DatabaseClockOptions {
  readonly database: { execute(sql: string): Promise<{ rows: unknown[] }> };
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Of the process; unset: that of the system. */
  readonly processClock?: Clock | undefined;
}

const MEASURE = 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms';
/** Smaller differences are not corrected: times of one process stay in their order. */
const IGNORED_MS = 100;
/** Rule limits/neighbours. */
const WARN_MS = 2000;
const DEGRADED_MS = 30_000;

/** The database's time, which all processes share: the clock of the process, corrected by its measured difference. */
export class DatabaseClock {
  #offsetMs = 0;
  #hasWarned = false;
  readonly #process: Clock;

  constructor(private readonly options: DatabaseClockOptions) {
    this.#process = options.processClock ?? systemClock;
  }

  readonly now: Clock = () => {
    const at = this.#process();
    return this.#offsetMs === 0 ? at : new Date(at.getTime() + this.#offsetMs);
  };

  /** `degraded`: the clock of the process is more than 30 seconds off. */
  get state(): PartState {
    return Math.abs(this.#offsetMs) > DEGRADED_MS ? 'degraded' : 'ok';
  }

  /** Seconds that the clock of the process is ahead of the database's. */
  get aheadSeconds(): number {
    return -this.#offsetMs / 1000;
  }

  /** A failure keeps the difference that is known. */
  async measure(): Promise<void> {
    const sent = this.#process().getTime();
    const { rows } = await this.options.database.execute(MEASURE);
    const received = this.#process().getTime();
    const offset = Number((rows[0] as { ms: unknown }).ms) - (sent + received) / 2;
    const error = IGNORED_MS + (received - sent) / 2;
    if (Math.abs(offset) <= error) this.#offsetMs = 0;
    else if (Math.abs(offset - this.#offsetMs) > error) this.#offsetMs = Math.round(offset);
    this.#report();
  }

  #report(): void {
    const isOff = Math.abs(this.#offsetMs) > WARN_MS;
    if (isOff === this.#hasWarned) return;
    this.#hasWarned = isOff;
    const { logger } = this.options;
    if (isOff)
      logger.warn({ aheadSeconds: this.aheadSeconds }, 'the clock differs from that of the database');
    else logger.info('the clock agrees with that of the database again');
  }
}
