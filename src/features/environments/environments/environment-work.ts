import { AppError } from '../../../../contracts/errors.js';
import type { Clock } from '../../../infrastructure/clock.js';
import {
  addressOf,
  systemScope,
  type UnitOfWork,
  type UnitOfWorkFactory,
  type WorkScope,
} from '../../../persistence/work/unit-of-work.js';
import { CopySizeRepository, BranchRepository, CopyRepository } from './copy/copy.repository.js';
import { DeletionRepository, EnvironmentRepository } from './environment.repository.js';
import { EnvironmentJobRepository, type EnvironmentJob } from './environment-job.repository.js';
import { contentTables, schemaTables } from './copy/environment-tables.js';
import { awaitedLater, settled } from '../../../infrastructure/promises.js';

/**
 * Runs a copy whose snapshot is taken while writers of the project are locked out, for as long as that takes. What is
 * written after the snapshot is journaled, and nothing else.
 */
class Branching {
  constructor(
    private readonly units: UnitOfWorkFactory,
    private readonly scope: WorkScope,
    private readonly copiesContent: boolean,
  ) {}

  /** @param copy calls its parameter once, when it has its snapshot and if it is the one that copies */
  async run<T>(copy: (open: (baseId: string) => Promise<void>) => Promise<T>): Promise<T> {
    const asked = Promise.withResolvers<string | undefined>();
    const opened = Promise.withResolvers<undefined>();
    void awaitedLater(opened.promise);
    let isAsked = false;
    const open = async (baseId: string): Promise<void> => {
      // A repeated transaction has a later snapshot, taken without the lock.
      if (isAsked) throw new Error('The copy must be started again');
      isAsked = true;
      asked.resolve(baseId);
      await opened.promise;
    };
    let copied: Promise<T> | undefined;
    const request = { scope: this.scope, isReadOnly: false, lock: 'schema' } as const;
    try {
      await this.units.run(request, async (work) => {
        copied ??= copy(open);
        copied.then(
          () => asked.resolve(undefined),
          () => asked.resolve(undefined),
        );
        const baseId = await asked.promise;
        if (baseId !== undefined) await work.use(BranchRepository).open(baseId, this.copiesContent);
      });
      opened.resolve(undefined);
    } catch (error) {
      opened.reject(error);
      await settled(copied);
      throw error;
    }
    if (copied === undefined) throw new Error('The copy was not started');
    return copied;
  }
}

interface CopyOptions {
  readonly copiesContent: boolean;
  /** Journals the base from the moment of the copy on; once only. */
  open(baseId: string): Promise<void>;
  /** Told in another transaction, since nothing of this one is visible before its end. */
  onProgress(done: number, total: number): Promise<void>;
}

/**
 * Copies the base of the environment as it is at the first statement of the unit of work, which needs a snapshot.
 * Nothing is visible before the commit; after a crash the job starts again.
 * @returns false if another process has the job
 */
async function copyEnvironment(work: UnitOfWork, options: CopyOptions): Promise<boolean> {
  if (!(await work.use(EnvironmentJobRepository).claim())) return false;
  const copies = work.use(CopyRepository);
  const source = await copies.begin();
  if (source === undefined) return true;
  await options.open(source.baseId);
  const tables = options.copiesContent ? [...schemaTables, ...contentTables] : schemaTables;
  const columns = await copies.columns(tables);
  for (const [index, table] of tables.entries()) {
    await options.onProgress(index, tables.length);
    await copies.copy(table, columns.get(table) ?? [], source);
  }
  await work.use(BranchRepository).copyBases(source.baseId, options.copiesContent);
  await copies.journal();
  const { environmentId, environmentSlug } = work.scope;
  await work.use(EnvironmentRepository).setStatus(environmentId ?? '', 'ready');
  work.emit({ type: 'environment.created', data: { environmentId, slug: environmentSlug } });
  return true;
}

export type OnProgress = (done: number, total: number) => Promise<void>;

/** Runs the jobs of another feature. */
export interface JobRunner {
  /** The effect and the end of the job are one transaction. */
  run(job: EnvironmentJob, scope: WorkScope, onProgress: OnProgress): Promise<void>;
  /** Ends a job that failed for good. */
  giveUp(work: UnitOfWork, job: EnvironmentJob, error: unknown): Promise<void>;
}

interface WorkParts {
  readonly units: UnitOfWorkFactory;
  readonly clock: Clock;
  /** Runs promotions and rollbacks. */
  readonly promotions: JobRunner;
  newId(): string;
  /** Receives failures; the job is tried again. */
  onError(error: unknown): void;
}

const LIST = 20;
/** Whether another attempt would fail, too: what a caller asked for is refused. */
const isFinal = ({ kind }: EnvironmentJob, error: unknown): boolean =>
  (kind === 'promote' || kind === 'rollback') && error instanceof AppError;

/** Pauses before the second, third and fourth attempt. */
const retrySeconds = [10, 60, 600] as const;

/** Works on environments in the background. Any number of processes may: each job is claimed in the database. */
export class EnvironmentWork {
  #isStopping = false;

  constructor(private readonly parts: WorkParts) {}

  /** Ends deletions after the running batch. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Runs every job that is due now, of any tenant; returns how many were tried. */
  async runDue(): Promise<number> {
    const { units, clock } = this.parts;
    const jobs = await units.run({ scope: systemScope(), isReadOnly: true, lock: 'none' }, (work) =>
      work.use(EnvironmentJobRepository).due(clock(), LIST),
    );
    for (const job of jobs) await this.run(job);
    return jobs.length;
  }

  /**
   * Runs a job that may run elsewhere. A failure is noted, and the job put off.
   * @param requestId of the request that waits for it
   */
  async run(job: EnvironmentJob, requestId = this.parts.newId()): Promise<void> {
    const scope = this.#scopeOf(job, requestId);
    try {
      await this.#runKind(scope, job);
    } catch (error) {
      if (!isFinal(job, error)) this.parts.onError(error);
      await this.#noteFailure(scope, job, error).catch(this.parts.onError);
    }
  }

  #runKind(scope: WorkScope, job: EnvironmentJob): Promise<void> {
    if (job.kind === 'copy') return this.#copy(scope, job);
    if (job.kind === 'delete') return this.#delete(scope);
    return this.parts.promotions.run(job, scope, this.#progressOf(scope));
  }

  #progressOf(scope: WorkScope): OnProgress {
    return (done, total) =>
      this.#inJob(scope, (jobs) => jobs.noteProgress(done, total)).catch(this.parts.onError);
  }

  /** A job's actor is its creator, whose permissions were checked. */
  #scopeOf(job: EnvironmentJob, requestId: string): WorkScope {
    return {
      ...systemScope({ requestId, address: addressOf(job) }),
      actor: job.createdBy,
    };
  }

  #inJob<T>(scope: WorkScope, run: (jobs: EnvironmentJobRepository) => Promise<T>): Promise<T> {
    return this.parts.units.run({ scope, isReadOnly: false, lock: 'none' }, (work) =>
      run(work.use(EnvironmentJobRepository)),
    );
  }

  async #copy(scope: WorkScope, { copiesContent }: EnvironmentJob): Promise<void> {
    const onProgress = this.#progressOf(scope);
    const request = { scope, isReadOnly: false, isSnapshot: true, lock: 'none' } as const;
    const branching = new Branching(this.parts.units, scope, copiesContent);
    const isOver = await branching.run((opened) =>
      this.parts.units.run(request, (work) =>
        copyEnvironment(work, { copiesContent, onProgress, open: (baseId) => opened(baseId) }),
      ),
    );
    if (!isOver) return;
    await this.#inJob(scope, (jobs) => jobs.end());
    await this.#analyze(scope).catch(this.parts.onError);
  }

  /** The planner assumes that an environment which is new to it is empty. */
  async #analyze(scope: WorkScope): Promise<void> {
    const request = { scope, isReadOnly: false, lock: 'none' } as const;
    await this.parts.units.run(request, async (work) => {
      const sizes = work.use(CopySizeRepository);
      if (!(await sizes.isSmall(scope.environmentId ?? ''))) await sizes.analyze();
    });
  }

  /** In batches, each in its own transaction: the rows are no longer visible to callers. */
  async #delete(scope: WorkScope): Promise<void> {
    const request = { scope, isReadOnly: false, lock: 'none' } as const;
    for (let hasMore = true; hasMore && !this.#isStopping;)
      hasMore = await this.parts.units.run(request, async (work) => {
        if (!(await work.use(EnvironmentJobRepository).claim())) return false;
        const deletions = work.use(DeletionRepository);
        if (await deletions.deleteBatch()) return true;
        await deletions.forget();
        return false;
      });
  }

  async #noteFailure(scope: WorkScope, job: EnvironmentJob, error: unknown): Promise<void> {
    const { units, clock, promotions } = this.parts;
    const { attempts, kind, environmentId } = job;
    const seconds = isFinal(job, error) ? undefined : retrySeconds[attempts];
    await units.run({ scope, isReadOnly: false, lock: 'none' }, async (work) => {
      const jobs = work.use(EnvironmentJobRepository);
      if (seconds !== undefined || kind === 'delete') {
        await jobs.putOff(new Date(clock().getTime() + (seconds ?? retrySeconds[2]) * 1000));
        return;
      }
      if (kind === 'copy') await work.use(EnvironmentRepository).setStatus(environmentId, 'failed');
      else await promotions.giveUp(work, job, error);
      await jobs.end();
    });
  }
}
