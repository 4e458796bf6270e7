import { AppError } from '../../../../../contracts/errors.js';
import { toAppError } from '../../../../../contracts/procedure.js';
import { systemScope } from '../../../../persistence/work/unit-of-work.js';
import { fileRefusal } from '../../../media/media/index.js';
import { archiveRefusal } from './import-file.js';
import { JobLease, LeaseLost, type LeaseParts } from './job-lease.js';
import { Stopping, type JobServices, JobRefused } from './job-services.js';
import { runExport } from './run-export.js';
import { runImport } from './run-import.js';
import { TranslationJobRepository } from './translation-job.repository.js';
import type { DueJob } from './stored-job.js';

export interface TranslationWorkParts extends LeaseParts, Omit<JobServices, 'isStopping'> {
  /** Receives failures of the service; the job is tried again. */
  onError(error: unknown): void;
}

const LIST = 20;
/** Pauses before the second, third and fourth attempt. */
const retrySeconds = [10, 60, 600] as const;

/** Exports and imports several translations. Any number of processes may: a job is claimed in the database. */
export class TranslationWork {
  #isStopping = false;

  constructor(private readonly parts: TranslationWorkParts) {}

  /** Ends running jobs after the current file; they continue elsewhere. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Runs every job that is due now, of any tenant; returns how many were tried. */
  async runDue(): Promise<number> {
    const { units, clock } = this.parts;
    const jobs = await units.run({ scope: systemScope(), isReadOnly: true, lock: 'none' }, (work) =>
      work.use(TranslationJobRepository).due(clock(), LIST),
    );
    for (const job of jobs) {
      if (this.#isStopping) break;
      await this.#run(job).catch(this.parts.onError);
    }
    return jobs.length;
  }

  async #run(job: DueJob): Promise<void> {
    const lease = new JobLease(this.parts, job);
    if (!(await lease.claim())) return;
    const services = { ...this.parts, isStopping: () => this.#isStopping };
    try {
      // A process that dies leaves no failure behind.
      if (job.attempts > retrySeconds.length) throw new JobRefused(new AppError('internal_error'));
      await (job.kind === 'export' ? runExport(lease, services) : runImport(lease, services));
    } catch (error) {
      await this.#settle(lease, archiveRefusal(fileRefusal(error)));
    }
  }

  /** Failures of content and rights are final; those of the service are tried again. */
  async #settle(lease: JobLease, error: unknown): Promise<void> {
    if (error instanceof LeaseLost) return;
    const now = this.parts.clock();
    if (error instanceof Stopping) return lease.release(now, false);
    const refusal = error instanceof JobRefused ? error.refusal : toAppError(error);
    const seconds = retrySeconds[lease.job.attempts];
    const isFinal = error instanceof JobRefused || refusal.status < 500;
    if (!isFinal) this.parts.onError(error);
    if (!isFinal && seconds !== undefined)
      return lease.release(new Date(now.getTime() + seconds * 1000), true);
    const { code, message } = refusal;
    await lease
      .run((work) => lease.end(work, { status: 'failed', error: { code, message } }))
      .catch((failure: unknown) => {
        if (!(failure instanceof LeaseLost)) throw failure;
      });
  }
}
