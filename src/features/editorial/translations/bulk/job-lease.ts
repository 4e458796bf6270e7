import type { AppError } from '../../../../../contracts/errors.js';
import {
  addressOf,
  systemScope,
  type UnitOfWork,
  type UnitOfWorkFactory,
  type WorkScope,
} from '../../../../persistence/work/unit-of-work.js';
import type { MediaStorage } from '../../../../infrastructure/storage/media-storage.js';
import type { Clock } from '../../../../infrastructure/clock.js';
import type { RichTextConverter } from '../../../entries/entries/index.js';
import type { DueJob, FileOutcome } from './stored-job.js';
import { TranslationJobRepository } from './translation-job.repository.js';

/** The caller of a job may not do it any more. */
export class JobRefused extends Error {
  override readonly name = 'JobRefused';

  constructor(readonly refusal: AppError) {
    super(refusal.message);
  }
}

/**
 * Runs a unit of work with the present rights of the job's caller: an export reads, an import writes.
 * @throws JobRefused if the caller has lost access; AppError of the work
 */
export type AsRequester = <T>(
  job: Pick<DueJob, 'id' | 'kind' | 'createdBy' | 'projectSlug' | 'environmentId'>,
  run: (work: UnitOfWork) => Promise<T>,
) => Promise<T>;

/** The process is stopping; another one continues the job. */
export class Stopping extends Error {}

export interface JobServices {
  readonly storage: MediaStorage;
  readonly markup: RichTextConverter;
  readonly asRequester: AsRequester;
  isStopping(): boolean;
}

export interface LeaseParts {
  readonly units: UnitOfWorkFactory;
  readonly clock: Clock;
  newId(): string;
}

/** Longer than one file and the storing of an archive take. A job of a process that died waits as long. */
const LEASE_SECONDS = 300;

/** Another process has the job. */
export class LeaseLost extends Error {}

/** The claim of a process on a job. */
export class JobLease {
  readonly #leaseId: string;
  readonly #scope: WorkScope;

  constructor(
    private readonly parts: LeaseParts,
    readonly job: DueJob,
  ) {
    this.#leaseId = parts.newId();
    const scope = systemScope({ requestId: parts.newId(), address: addressOf(job) });
    this.#scope = { ...scope, actor: job.createdBy, metadata: { jobId: job.id } };
  }

  /** In a unit of work of the service, which checks no rights. */
  run<T>(run: (work: UnitOfWork) => Promise<T>): Promise<T> {
    return this.parts.units.run({ scope: this.#scope, isReadOnly: false, lock: 'none' }, run);
  }

  claim(): Promise<boolean> {
    const until = this.#until();
    return this.run((work) => work.use(TranslationJobRepository).claim(this.job.id, this.#leaseId, until));
  }

  /**
   * Extends the lease, and counts files in the unit of work that settles them.
   * @throws LeaseLost
   */
  async renew(work: UnitOfWork, outcomes: Iterable<FileOutcome>): Promise<void> {
    let [done, failed] = [0, 0];
    for (const { status } of outcomes) {
      if (status === 'done') done += 1;
      else failed += 1;
    }
    const counts = { until: this.#until(), done, failed };
    if (!(await work.use(TranslationJobRepository).progress(this.#key(), counts))) throw new LeaseLost();
  }

  /** Leaves the job to a later attempt. */
  async release(at: Date, isAttempt: boolean): Promise<void> {
    await this.run((work) => work.use(TranslationJobRepository).release(this.#key(), { at, isAttempt }));
  }

  /** @throws LeaseLost */
  async end(work: UnitOfWork, ending: Parameters<TranslationJobRepository['end']>[1]): Promise<void> {
    const { kind } = this.job;
    const ended = await work.use(TranslationJobRepository).end({ ...this.#key(), kind }, ending);
    if (ended === undefined) throw new LeaseLost();
    const { id: jobId, status, total, done, failed } = ended;
    work.emit({ type: `translation.${kind}ed`, data: { jobId, status, total, done, failed } });
  }

  #key(): { id: string; leaseId: string } {
    return { id: this.job.id, leaseId: this.#leaseId };
  }

  #until(): Date {
    return new Date(this.parts.clock().getTime() + LEASE_SECONDS * 1000);
  }
}
