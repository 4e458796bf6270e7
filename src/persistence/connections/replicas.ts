import type { PartState } from '../../infrastructure/readiness.js';
import { toDatabaseFailure } from './database-failure.js';
import type { LogPosition, LogPositions, PrimaryState } from './log-positions.js';
import type { ServerTest, Statement, StatementReader } from './read-pool.js';

/** Run on a replica, or on what the replica has become. */
const replicaStatement = `SELECT pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 AS replayed,
  pg_is_in_recovery() AS "isReplica", pg_postmaster_start_time()::text AS server`;

interface ReplicaRow {
  readonly replayed: LogPosition | null;
  readonly isReplica: boolean;
  readonly server: string;
}

/** A pool of a replica, and one of a single connection for checks, which never wait behind reads. */
export interface ReplicaPools {
  readonly reads: StatementReader & {
    runIf<Row extends object>(
      test: ServerTest,
      statement: Statement,
      values: readonly unknown[],
    ): Promise<Row[] | undefined>;
  };
  readonly checks: { execute(sql: string): Promise<{ rows: unknown[] }> };
  close(): Promise<void>;
}

/** `lagging`: more than ten seconds behind; `apart`: it follows no primary and is not the primary. */
type ReplicaState = 'ok' | 'lagging' | 'away' | 'apart';

const MOST_LAG_SECONDS = 10;
const CHECK_MS = 500;
const ANSWER_MS = 1000;

const reasons: Readonly<Record<Exclude<ReplicaState, 'ok'>, string>> = {
  lagging: 'it is more than ten seconds behind the primary',
  away: 'it does not respond',
  apart: 'it follows no primary',
};

export interface ReplicaOptions {
  /** Host and port. */
  readonly name: string;
  readonly positions: LogPositions;
  /** Opens the pools; again after a failure. */
  open(): Promise<ReplicaPools>;
  onChange(change: { readonly replica: string; readonly reason: string | undefined }): void;
}

/** What a statement itself causes is the same on the primary. */
function isOwnFailure(error: unknown): boolean {
  const failure = toDatabaseFailure(error);
  if (failure === undefined) return true;
  const isQueueFull = failure.cause === undefined;
  const isTimeout = failure.sqlState === '57014';
  return failure.kind === 'invalid' || isQueueFull || isTimeout;
}

/** One replica, which is left out while it is away or too far behind. */
export class Replica {
  #pools: ReplicaPools | undefined;
  #state: ReplicaState = 'away';
  #lagSeconds: number | undefined;
  /** Reads in progress, which go to the primary when the replica is left out. */
  readonly #reads = new Set<() => void>();
  #hasBeenUsed = false;

  constructor(private readonly options: ReplicaOptions) {}

  get name(): string {
    return this.options.name;
  }

  get state(): ReplicaState {
    return this.#state;
  }

  /** Undefined while it is unknown. */
  get lagSeconds(): number | undefined {
    return this.#lagSeconds;
  }

  /** @returns undefined where the replica cannot answer, or lacks a change that the process knows of */
  async read<Row extends object>(
    needed: PrimaryState,
    statement: Statement,
    values: readonly unknown[],
  ): Promise<Row[] | undefined> {
    if (this.#pools === undefined || this.#state !== 'ok') return undefined;
    const test: ServerTest = {
      test: replicaStatement,
      accepts: (row) => row !== undefined && hasReplayed(row as ReplicaRow, needed),
    };
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const give = (): void => {
      resolve(undefined);
    };
    this.#reads.add(give);
    try {
      return await Promise.race([this.#pools.reads.runIf<Row>(test, statement, values), promise]);
    } catch (error) {
      if (isOwnFailure(error)) throw error;
      return undefined;
    } finally {
      this.#reads.delete(give);
    }
  }

  async check(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<'away'>();
    const limit = setTimeout(() => {
      resolve('away');
    }, ANSWER_MS);
    const state = await Promise.race([this.#look().catch(() => 'away' as const), promise]);
    clearTimeout(limit);
    this.#become(state);
  }

  async close(): Promise<void> {
    await this.#pools?.close();
  }

  async #look(): Promise<ReplicaState> {
    const { open, positions } = this.options;
    this.#pools ??= await open();
    const { rows } = await this.#pools.checks.execute(replicaStatement);
    const row = rows[0] as ReplicaRow;
    if (!row.isReplica) {
      this.#lagSeconds = positions.isPrimary(row.server) ? 0 : undefined;
      return this.#lagSeconds === 0 ? 'ok' : 'apart';
    }
    // Some hosted replicas share the storage of their primary and replay no log.
    if (row.replayed === null) return 'apart';
    this.#lagSeconds = positions.lagOf(row.replayed);
    return this.#lagSeconds > MOST_LAG_SECONDS ? 'lagging' : 'ok';
  }

  #become(state: ReplicaState): void {
    if (state === 'away') this.#lagSeconds = undefined;
    const hasChanged = state !== this.#state;
    this.#state = state;
    if (state !== 'ok') for (const give of this.#reads) give();
    if (!hasChanged && (this.#hasBeenUsed || state === 'ok')) return;
    const isFirst = !this.#hasBeenUsed;
    this.#hasBeenUsed = true;
    if (isFirst && state === 'ok') return;
    const reason = state === 'ok' ? undefined : reasons[state];
    this.options.onChange({ replica: this.name, reason });
  }
}

const hasReplayed = ({ replayed, isReplica, server }: ReplicaRow, needed: PrimaryState): boolean =>
  isReplica ? replayed !== null && replayed >= needed.position : server === needed.server;

export interface ReplicaReport {
  readonly replica: number;
  readonly state: ReplicaState;
  readonly lagSeconds: number | null;
}

/**
 * Published reads: on a replica that has every change that this process knows of, otherwise on the primary. One replica
 * at a time serves a process, so that the reads of one request see the same.
 */
export class ReplicaReads implements StatementReader {
  readonly counts = { replica: 0, primary: 0 };
  #current: Replica | undefined;
  #turn = 0;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<unknown> | undefined;

  constructor(
    private readonly parts: {
      readonly primary: StatementReader;
      readonly replicas: readonly Replica[];
      readonly positions: LogPositions;
    },
  ) {}

  async run<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const { positions, primary } = this.parts;
    const { needed } = positions;
    const rows = needed === undefined ? undefined : await this.#current?.read<Row>(needed, statement, values);
    this.counts[rows === undefined ? 'primary' : 'replica'] += 1;
    return rows ?? primary.run<Row>(statement, values);
  }

  /** Checks the replicas from now on; resolves after the first check. */
  async start(): Promise<void> {
    if (this.parts.replicas.length === 0) return;
    await this.check();
    this.#timer = setInterval(() => {
      void this.check();
    }, CHECK_MS);
    this.#timer.unref();
  }

  check(): Promise<unknown> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  get state(): PartState {
    const { replicas } = this.parts;
    if (replicas.length === 0) return 'off';
    return replicas.every(({ state }) => state === 'ok') ? 'ok' : 'degraded';
  }

  /** In the order of the setting. */
  get report(): readonly ReplicaReport[] {
    return this.parts.replicas.map(({ state, lagSeconds }, index) => ({
      replica: index + 1,
      state,
      lagSeconds: lagSeconds === undefined ? null : Math.round(lagSeconds * 1000) / 1000,
    }));
  }

  get lags(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      this.parts.replicas.flatMap(({ name, lagSeconds }) =>
        lagSeconds === undefined ? [] : [[name, lagSeconds]],
      ),
    );
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#checking;
    await Promise.all(this.parts.replicas.map((replica) => replica.close()));
  }

  async #check(): Promise<void> {
    const { replicas } = this.parts;
    await Promise.all(replicas.map((replica) => replica.check()));
    const usable = replicas.filter(({ state }) => state === 'ok');
    this.#turn += 1;
    this.#current = usable[this.#turn % usable.length];
  }
}
