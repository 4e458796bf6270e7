import type { AppError } from '../../../../../contracts/errors.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import type { DueJob } from './stored-job.js';
import type { MediaStorage } from '../../../../infrastructure/storage/media-storage.js';
import type { RichTextConverter } from '../../../entries/entries/index.js';

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
