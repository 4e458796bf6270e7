/** Bytes of the write-ahead log, which grow with every write of the primary. */
export type LogPosition = number;

/** What the primary says of itself. */
export interface PrimaryState {
  readonly position: LogPosition;
  /** Identifies the running server. */
  readonly server: string;
}

/** Run on the primary. What it has committed lies before this position, flushed or not. */
export const primaryStatement = `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS position,
  pg_postmaster_start_time()::text AS server`;

const PAGE_BYTES = 8192;
/** The longest header of a page of the log. A primary counts the header of the next page, a replica does not yet. */
const HEADER_BYTES = 40;

const withoutHeader = (position: LogPosition): LogPosition => {
  const inPage = position % PAGE_BYTES;
  return inPage <= HEADER_BYTES ? position - inPage : position;
};

const SAMPLES = 5000;

interface Sample {
  readonly at: number;
  readonly position: LogPosition;
}

interface Changes {
  /** Whether every change of the database arrives. */
  readonly isFresh: boolean;
  /** Of changes that have arrived. */
  readonly count: number;
  add(target: { purge(): void; purgeAll(): void }): void;
}

/**
 * The position of the log that a read needs: that of every change that this process knows of, its own included. It is
 * unknown from the arrival of a change until the primary has told its position.
 */
export class LogPositions {
  #known: (PrimaryState & { readonly count: number }) | undefined;
  readonly #samples: Sample[] = [];
  #ask: () => void = () => undefined;

  constructor(private readonly changes: Changes) {
    const onChange = (): void => {
      this.#ask();
    };
    changes.add({ purge: onChange, purgeAll: onChange });
  }

  /** Undefined: only the primary is known to have everything. */
  get needed(): PrimaryState | undefined {
    const { isFresh, count } = this.changes;
    return isFresh && this.#known?.count === count ? this.#known : undefined;
  }

  /** Changes that have arrived, to be taken before the primary is asked. */
  get count(): number {
    return this.changes.count;
  }

  /** @param ask asks the primary soon; called for each change */
  connect(ask: () => void): void {
    this.#ask = ask;
  }

  /** @param count taken before the primary was asked */
  learn({ position, server }: PrimaryState, count: number): void {
    const known = { position: withoutHeader(position), server, count };
    if (this.#known?.server !== server) this.#samples.length = 0;
    this.#known = known;
    if (known.position === this.#samples.at(-1)?.position) return;
    this.#samples.push({ at: performance.now(), position: known.position });
    if (this.#samples.length > SAMPLES) this.#samples.shift();
  }

  /** How long ago the primary had what a replica lacks, in seconds. */
  lagOf(replayed: LogPosition): number {
    const missing = this.#samples.find(({ position }) => position > replayed);
    return missing === undefined ? 0 : (performance.now() - missing.at) / 1000;
  }

  isPrimary(server: string): boolean {
    return this.#known?.server === server;
  }

  get isOutdated(): boolean {
    return this.#known?.count !== this.changes.count;
  }
}
