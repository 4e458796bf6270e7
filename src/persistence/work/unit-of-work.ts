import pg from 'pg';
import type { Transaction } from 'sequelize';
import type { ChangedEntry } from '../../infrastructure/entry-changes.js';
import type { SpanStart } from '../../infrastructure/work-context.js';
import { outside, traced } from '../../infrastructure/work-context.js';
import type { Address, WorkScope } from './work-scope.js';
import { ChangeLog, EnvironmentLog, type OutboxEvent, RolledBack, type Rehearsal } from './change-log.js';
import { DatabaseFailure, READ_ONLY, toDatabaseFailure } from '../connections/database-failure.js';
import type { Models } from '../models/index.js';
import { WorkConnection } from '../connections/work-connection.js';
import type { WritePool } from '../connections/write-pool.js';

export type { OutboxEvent, Snapshot } from './change-log.js';
export { Rehearsal, RolledBack } from './change-log.js';
export {
  type KeyBounds,
  type WorkActor,
  type WorkOrigin,
  type WorkScope,
  addressOf,
  projectAddressOf,
  type Address,
  type AddressRow,
  type ProjectAddress,
  systemScope,
  atAddress,
  platformWork,
} from './work-scope.js';
export { DatabaseFailure, toDatabaseFailure } from '../connections/database-failure.js';

/** A bounded cache that outlives units of work. */
export interface Memory {
  get(key: string): object | undefined;
  set(key: string, value: object): unknown;
}

/** What a repository is bound to. Use cases never see it. */
export interface BoundWork {
  readonly connection: WorkConnection;
  /** The same transaction, for models. */
  readonly transaction: Transaction;
  readonly models: Models;
  readonly scope: WorkScope;
  readonly log: ChangeLog;
  readonly now: Date;
  readonly memory: Memory;
  /** Starts at 1; transient failures run the work again. */
  readonly attempt: number;
  readonly lock: WorkLock;
  newId(): string;
}

/** One transaction as use cases see it. */
export interface UnitOfWork {
  readonly scope: WorkScope;
  /** The timestamp of every write in this unit of work. */
  readonly now: Date;
  use<R>(repository: new (bound: BoundWork) => R): R;
  newId(): string;
  /** Emitted once the transaction is committed. */
  emit(event: OutboxEvent): void;
  /** Requests a look at the due jobs at this time, after the commit. */
  wake(at: Date): void;
  /** The same transaction in another environment of the project; grants are not changed. */
  at(environment: Address['environment'], apart?: Apart): UnitOfWork;
  /** Runs a part whose failure undoes only that part. What it records was changed along with the whole. */
  part<T>(run: (work: UnitOfWork) => Promise<T>): Promise<T>;
}

/** Of an environment that exists in this transaction only. */
export interface Apart {
  /** Of every write. */
  readonly now: Date;
  /** Does not outlive the transaction. */
  readonly memory: Memory;
}

/** Runs one part of a use case in a separate transaction: none stays open during calls to other systems. */
export type RunPart = <T>(run: (work: UnitOfWork) => Promise<T>) => Promise<T>;

/** Taken before anything else, to prevent deadlocks. */
export type WorkLock = 'none' | 'content' | 'schema';

export interface WorkRequest {
  readonly scope: WorkScope;
  readonly isReadOnly: boolean;
  /**
   * `content` is shared with other writers of content; `schema` is exclusive in the project, so that no content
   * type changes while entries are checked.
   */
  readonly lock: WorkLock;
  /** A write whose statements all see the moment of the first one. */
  readonly isSnapshot?: true;
  /**
   * Use generic plans: for `any` values, or for lookups by `keys`, as the lock `content` does. A plan for specific values
   * assumes that an environment newer than the statistics is empty, and scans all of it for each row.
   */
  readonly plans?: 'any' | 'keys';
  /** Set for a dry run: rolled back, with the changes collected here. */
  readonly rehearsal?: Rehearsal | undefined;
}

export interface WorkDependencies {
  readonly pool: WritePool;
  readonly models: Models;
  readonly memory: Memory;
  now(): Date;
  newId(): string;
  /** Affects punctuality only, so it may fail silently. */
  wake(at: Date): void;
  readonly changes: {
    /** Identifies a write in its notification. */
    newMark(): string;
    /** Receives the changed tags, separated by spaces, before the work is acknowledged. */
    onCommit(mark: string, tags: string): void;
  };
  /** Affects punctuality only. */
  eventsWritten(): void;
  /** Receives what a committed unit changed, for previews. */
  entriesChanged?(changes: readonly ChangedEntry[]): void;
  /** Receives failures of units that write. */
  onWriteFailure(failure: DatabaseFailure): void;
}

const MAXIMUM_ATTEMPTS = 4;

const lockCalls: Record<WorkLock, string> = {
  none: '',
  content: 'pg_advisory_xact_lock_shared',
  schema: 'pg_advisory_xact_lock',
};

/** A setting of the transaction. */
export const FOR_ANY_VALUES = "set_config('plan_cache_mode', 'force_generic_plan', true)";

/**
 * Writes find rows by key. Planning them for each value costs more than running them, and a generic plan that
 * overestimates a tree would join whole tables.
 */
const BY_KEYS = [
  FOR_ANY_VALUES,
  "set_config('enable_hashjoin', 'off', true)",
  "set_config('enable_mergejoin', 'off', true)",
];

/**
 * Opens the transaction with its settings and lock in one round trip. A read sees one snapshot; a write (read
 * committed) sees what was committed while it waited for its lock.
 */
function beginSql(
  { scope, isReadOnly, isSnapshot, plans, lock }: WorkRequest,
  mark: string,
  transactionSettings: string,
): string {
  const { tenantId, projectId, isPlatform } = scope;
  const settings = [
    `set_config('headwater.tenant_id', ${pg.escapeLiteral(tenantId ?? '')}, true)`,
    `set_config('headwater.platform', '${isPlatform ? 'on' : ''}', true)`,
  ];
  if (!isReadOnly) settings.push(`set_config('headwater.mark', ${pg.escapeLiteral(mark)}, true)`);
  // All environments of a project share its sites and locales.
  const held = pg.escapeLiteral(`project:${projectId ?? tenantId ?? 'platform'}`);
  if (lock === 'content' || plans === 'keys') settings.push(...BY_KEYS);
  else if (plans === 'any') settings.push(FOR_ANY_VALUES);
  if (lock !== 'none') settings.push(`${lockCalls[lock]}(hashtextextended(${held}, 0))`);
  const isolation = isReadOnly || isSnapshot === true ? ' ISOLATION LEVEL REPEATABLE READ' : '';
  const mode = `${isolation}${isReadOnly ? ' READ ONLY' : ''}`;
  return `BEGIN${mode};${transactionSettings} SELECT ${settings.join(', ')}`;
}

const unitSpan = ({ isReadOnly, lock, rehearsal }: WorkRequest): SpanStart => ({
  name: 'unit of work',
  kind: 'internal',
  attributes: {
    'headwater.work.reads_only': isReadOnly,
    'headwater.work.lock': lock,
    'headwater.work.dry_run': rehearsal !== undefined,
  },
});

/** One transaction per unit of work, with the tenant set first. */
export class UnitOfWorkFactory {
  constructor(private readonly dependencies: WorkDependencies) {}

  /**
   * Writes audit records and outbox rows in the same transaction. Serialization failures and deadlocks run `work`
   * again; other database failures become `DatabaseFailure`.
   */
  run<T>(request: WorkRequest, work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    return traced(
      () => unitSpan(request),
      () => this.#run(request, work),
    );
  }

  async #run<T>(request: WorkRequest, work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(request, attempt, work);
      } catch (error) {
        if (error instanceof RolledBack) return error.answer as T;
        const failure = request.isReadOnly ? toDatabaseFailure(error) : this.#writeFailure(error);
        if (failure?.kind === 'retry' && attempt < MAXIMUM_ATTEMPTS) continue;
        throw failure ?? error;
      }
    }
  }

  /** A database that became read-only is unavailable for writes. */
  #writeFailure(error: unknown): DatabaseFailure | undefined {
    const failure = toDatabaseFailure(error);
    if (failure === undefined) return undefined;
    this.dependencies.onWriteFailure(failure);
    const { sqlState } = failure;
    return sqlState === READ_ONLY ? new DatabaseFailure('unavailable', failure.cause, { sqlState }) : failure;
  }

  async #attempt<T>(
    request: WorkRequest,
    attempt: number,
    work: (unit: UnitOfWork) => Promise<T>,
  ): Promise<T> {
    const { pool, models, memory, now, newId } = this.dependencies;
    const wakes = new Set<number>();
    const log = new ChangeLog();
    const mark = this.dependencies.changes.newMark();
    let tags = '';
    const begin = beginSql(request, mark, pool.transactionSettings);
    const result = await WorkConnection.transact(pool, begin, async (connection) => {
      const { transaction } = connection;
      const { scope, lock, rehearsal } = request;
      const parts = { connection, transaction, models, scope, lock, log, memory, attempt, newId };
      const bound: BoundWork = { ...parts, now: now() };
      const answer = await work(createUnit(bound, wakes));
      if (request.isReadOnly) {
        await connection.commit(request);
        return answer;
      }
      await connection.awaitChecks();
      if (log.isLong && rehearsal === undefined) await log.flush(bound);
      const noted = log.write(bound);
      if (rehearsal === undefined) [tags] = await Promise.all([noted, connection.commit(request)]);
      else {
        // A rehearsal never commits, so deferred constraints are checked now.
        await Promise.all([noted, connection.run('SET CONSTRAINTS ALL IMMEDIATE'), connection.settle()]);
        rehearsal.note(log.recorded(), log.movesPublicPaths);
        throw new RolledBack(answer);
      }
      return answer;
    });
    this.dependencies.changes.onCommit(mark, tags);
    outside(() => {
      for (const at of wakes) this.dependencies.wake(new Date(at));
      if (log.hasEvents) this.dependencies.eventsWritten();
      if (log.touched.length > 0) this.dependencies.entriesChanged?.(log.touched);
    });
    return result;
  }
}

function createUnit(bound: BoundWork, wakes: Set<number>): UnitOfWork {
  return {
    scope: bound.scope,
    now: bound.now,
    use: (repository) => new repository(bound),
    newId: bound.newId,
    emit: (event) => {
      bound.log.emit(event);
    },
    wake: (at) => void wakes.add(at.getTime()),
    at: (environment, apart) => {
      const { id: environmentId, slug: environmentSlug } = environment;
      const scope = { ...bound.scope, environmentId, environmentSlug };
      const log = new EnvironmentLog(bound.log, environment);
      return createUnit({ ...bound, ...apart, scope, log }, wakes);
    },
    part: async (run) => {
      const { connection } = bound;
      const log = new ChangeLog();
      // Statements in progress belong to the whole; their failure must not undo this part alone.
      await connection.settle();
      connection.track(connection.run('SAVEPOINT part'));
      try {
        const result = await run(createUnit({ ...bound, log }, wakes));
        await connection.settle();
        await connection.run('RELEASE SAVEPOINT part');
        log.moveTo(bound.log);
        return result;
      } catch (error) {
        const cause = await connection.causeOf(error);
        // The savepoint outlives the rollback, and would hide one of the same name around it.
        await connection.run('ROLLBACK TO SAVEPOINT part');
        await connection.run('RELEASE SAVEPOINT part');
        throw cause;
      }
    },
  };
}
