import { READ_ONLY, type DatabaseFailure } from './database-failure.js';
import type { ReadPool } from './read-pool.js';
import { settled } from '../../infrastructure/promises.js';

/** With these states a database that responds refuses to write. */
const refusals: ReadonlySet<string | undefined> = new Set([
  READ_ONLY,
  '53100', // disk full
  '53200', // out of memory
  '58030', // input or output error
]);

/** Each row fills a page, so the probe needs new pages of the table and a flush of the log. */
const PROBE = "INSERT INTO write_probes (filler) SELECT repeat('x', 7000) FROM generate_series(1, 16)";
/** Fails at once while a backup or another process uses the table; the rows then wait for the next time. */
const CLEAN_UP = 'LOCK TABLE write_probes IN ACCESS EXCLUSIVE MODE NOWAIT; TRUNCATE write_probes';

export interface WriteHealthOptions {
  /** As the service role. */
  readonly pool: Pick<ReadPool, 'execute'>;
  /** Called when writes begin to fail. */
  onFailing(failure: DatabaseFailure): void;
  onRecovered(): void;
}

/** Whether the database accepts writes: yes until it refuses one, then again after a probe has succeeded. */
export class WriteHealth {
  #isFailing = false;
  #probe: Promise<boolean> | undefined;

  constructor(private readonly options: WriteHealthOptions) {}

  /** @param failure of a transaction that writes */
  note(failure: DatabaseFailure): void {
    if (this.#isFailing || !refusals.has(failure.sqlState)) return;
    this.#isFailing = true;
    this.options.onFailing(failure);
  }

  async check(): Promise<'ok' | 'failing'> {
    if (!this.#isFailing) return 'ok';
    this.#probe ??= this.#canWrite().finally(() => {
      this.#probe = undefined;
    });
    return (await this.#probe) ? 'ok' : 'failing';
  }

  async #canWrite(): Promise<boolean> {
    try {
      await this.options.pool.execute(PROBE);
    } catch {
      return false;
    }
    this.#isFailing = false;
    this.options.onRecovered();
    void settled(this.options.pool.execute(CLEAN_UP));
    return true;
  }
}
