import pg from 'pg';
import type { Transaction } from 'sequelize';
import { ChangeLog, type Change, type OutboxEvent } from './change-log.js';
import { toDatabaseFailure } from '../connections/database-failure.js';
import type { Models } from '../models/index.js';
import { RolledBack, type Rehearsal } from './rehearsal.js';
import { WorkConnection } from '../connections/work-connection.js';
import type { WritePool } from '../connections/write-pool.js';
import type { WorkScope } from './work-scope.js';

export type { OutboxEvent, Snapshot } from './change-log.js';
export { Rehearsal } from './rehearsal.js';
export type { KeyBounds, WorkActor, WorkOrigin, WorkScope } from './work-scope.js';
export {
  addressOf,
  projectAddressOf,
  type Address,
  type AddressRow,
  type ProjectAddress,
} from './address.js';
export { systemScope } from './system-scope.js';
export { atAddress, platformWork } from './work-scope.js';
export { DatabaseFailure, toDatabaseFailure } from '../connections/database-failure.js';

/** What a process remembers between units of work: a bounded cache. */
export interface Memory {
  get(key: string): object | undefined;
  set(key: string, value: object): unknown;
}

/** What a repository is bound to: one transaction and its surroundings. Use cases never see it. */
export interface BoundWork {
  readonly connection: WorkConnection;
  /** The same transaction, for models. */
  readonly transaction: Transaction;
  readonly models: Models;
  readonly scope: WorkScope;
  readonly log: ChangeLog;
  readonly now: Date;
  readonly memory: Memory;
  /** 1 at first; a work that failed for a reason that passes is run again. */
  readonly attempt: number;
  readonly lock: WorkLock;
  newId(): string;
}

/** One transaction as use cases see it. */
export interface UnitOfWork {
  readonly scope: WorkScope;
  /** The time of everything that this unit of work writes. */
  readonly now: Date;
  /** A repository bound to this transaction. */
  use<R>(repository: new (bound: BoundWork) => R): R;
  newId(): string;
  /** Tells the outside of a change, once it is committed. */
  emit(event: OutboxEvent): void;
  /** Asks for a look at the due jobs at a time, once this work is committed. */
  wake(at: Date): void;
  /**
   * Runs a part of the work so that its failure undoes that part alone. Its changes are handed back,
   * for one record of the whole; its events are told with the others.
   */
  part<T>(
    run: (work: UnitOfWork) => Promise<T>,
  ): Promise<{ readonly result: T; readonly changes: readonly Change[] }>;
}

/** Locks that a unit of work takes before anything else, so that two never wait for each other crosswise. */
export type WorkLock = 'none' | 'content' | 'schema';

/** How to open a unit of work. */
export interface WorkRequest {
  readonly scope: WorkScope;
  readonly isReadOnly: boolean;
  /**
   * `content`: shared with other writers of content; `schema`: alone in the project, so that no
   * entry is checked against a content type that changes meanwhile.
   */
  readonly lock: WorkLock;
  /** Set where the work is only tried: it is rolled back, and this holds what it would have changed. */
  readonly rehearsal?: Rehearsal | undefined;
}

/** What the units of work of a process need. */
export interface WorkDependencies {
  readonly pool: WritePool;
  readonly models: Models;
  readonly memory: Memory;
  now(): Date;
  newId(): string;
  /** Sees to it that due jobs are looked at then. Only punctuality depends on it, so it may fail silently. */
  wake(at: Date): void;
  readonly changes: {
    /** A word that the database sends along when it tells of what one write changed. */
    newMark(): string;
    /** Told, before the work is acknowledged, of the tags of what it changed; separated by spaces. */
    onCommit(mark: string, tags: string): void;
  };
  /** Events have been committed. Only punctuality depends on it. */
  eventsWritten(): void;
}

const MAXIMUM_ATTEMPTS = 4;

const lockCalls: Record<WorkLock, string> = {
  none: '',
  content: 'pg_advisory_xact_lock_shared',
  schema: 'pg_advisory_xact_lock',
};

/**
 * A write finds its rows by their keys, whatever the values: planning it anew each time takes longer than running it, and
 * a plan for any values, which takes each branch of a tree for a large one, would read whole tables to join them.
 */
const BY_KEYS = [
  "set_config('plan_cache_mode', 'force_generic_plan', true)",
  "set_config('enable_hashjoin', 'off', true)",
  "set_config('enable_mergejoin', 'off', true)",
];

/**
 * Opens the transaction with its settings and its lock, in one piece and so in one round trip. A read sees one moment
 * of the database throughout; a write (read committed, the server's default) sees what others committed while it
 * waited for its lock.
 */
function beginSql({ scope, isReadOnly, lock }: WorkRequest, mark: string): string {
  const { tenantId, projectId, isPlatform } = scope;
  const settings = [
    `set_config('headwater.tenant_id', ${pg.escapeLiteral(tenantId ?? '')}, true)`,
    `set_config('headwater.platform', '${isPlatform ? 'on' : ''}', true)`,
  ];
  if (!isReadOnly) settings.push(`set_config('headwater.mark', ${pg.escapeLiteral(mark)}, true)`);
  // For all environments of a project, which share its sites and locales.
  const held = pg.escapeLiteral(`project:${projectId ?? tenantId ?? 'platform'}`);
  if (lock === 'content') settings.push(...BY_KEYS);
  if (lock !== 'none') settings.push(`${lockCalls[lock]}(hashtextextended(${held}, 0))`);
  const mode = isReadOnly ? ' ISOLATION LEVEL REPEATABLE READ READ ONLY' : '';
  return `BEGIN${mode}; SELECT ${settings.join(', ')}`;
}

/** Opens units of work: one transaction each, with the tenant's setting made first. */
export class UnitOfWorkFactory {
  constructor(private readonly dependencies: WorkDependencies) {}

  /**
   * Runs `work` in one transaction with its audit records and outbox rows. Serialization failures
   * and deadlocks run it again; other failures of the database come out as `DatabaseFailure`.
   */
  async run<T>(request: WorkRequest, work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(request, attempt, work);
      } catch (error) {
        if (error instanceof RolledBack) return error.answer as T;
        const failure = toDatabaseFailure(error);
        if (failure?.kind === 'retry' && attempt < MAXIMUM_ATTEMPTS) continue;
        throw failure ?? error;
      }
    }
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
    const result = await WorkConnection.transact(pool, beginSql(request, mark), async (connection) => {
      const { transaction } = connection;
      const { scope, lock, rehearsal } = request;
      const parts = { connection, transaction, models, scope, lock, log, memory, attempt, newId };
      const bound: BoundWork = { ...parts, now: now() };
      const answer = await work(createUnit(bound, wakes));
      if (request.isReadOnly) {
        await connection.commit();
        return answer;
      }
      await connection.awaitChecks();
      const noted = log.write(bound);
      if (rehearsal === undefined) [tags] = await Promise.all([noted, connection.commit()]);
      else {
        // What the commit would check is checked now.
        await Promise.all([noted, connection.run('SET CONSTRAINTS ALL IMMEDIATE'), connection.settle()]);
        rehearsal.note(log.recorded());
        throw new RolledBack(answer);
      }
      return answer;
    });
    this.dependencies.changes.onCommit(mark, tags);
    for (const at of wakes) this.dependencies.wake(new Date(at));
    if (log.hasEvents) this.dependencies.eventsWritten();
    return result;
  }
}

/** The bound work as use cases see it. */
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
    part: async (run) => {
      const { connection } = bound;
      const log = new ChangeLog();
      // What is under way belongs to the whole: its failure is no reason to undo this part alone.
      await connection.settle();
      connection.track(connection.run('SAVEPOINT part'));
      try {
        const result = await run(createUnit({ ...bound, log }, wakes));
        await connection.settle();
        await connection.run('RELEASE SAVEPOINT part');
        return { result, changes: log.moveEventsTo(bound.log) };
      } catch (error) {
        const cause = await connection.causeOf(error);
        await connection.run('ROLLBACK TO SAVEPOINT part');
        throw cause;
      }
    },
  };
}
