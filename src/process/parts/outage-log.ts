import type { Logger } from '../../infrastructure/logger.js';
import { toDatabaseFailure } from '../../persistence/work/unit-of-work.js';

/** The queue reports failures as plain objects. */
function isDatabaseAway(error: unknown): boolean {
  const { kind } = toDatabaseFailure(error) ?? (Object(error) as { kind?: unknown });
  return kind === 'unavailable';
}

/** Failures of background work. Those of a database that is unavailable are one line per outage, not one per attempt. */
export class OutageLog {
  #isOut = false;

  constructor(private readonly logger: Pick<Logger, 'info' | 'error'>) {}

  readonly failed = (error: unknown): void => {
    if (!isDatabaseAway(error)) {
      this.logger.error({ err: error }, 'running jobs failed');
      return;
    }
    if (this.#isOut) return;
    this.#isOut = true;
    this.logger.error({ err: error }, 'jobs wait for the database');
  };

  /** Called after work that certainly needs the database. */
  readonly succeeded = (): void => {
    if (!this.#isOut) return;
    this.#isOut = false;
    this.logger.info('jobs run again');
  };
}
