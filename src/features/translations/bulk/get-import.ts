import type { translations } from '../../../../contracts/management/translations.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { TranslationImportJob } from '../../../../contracts/resources/translation-job.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { findJob } from './find-job.js';
import { JobFileRepository } from './job-file.repository.js';
import type { ImportOptions } from './stored-job.js';
import { presentImport } from './translation-job.presenter.js';

export async function getImport(
  work: UnitOfWork,
  { jobId }: InputOf<typeof translations.getImport>,
): Promise<{ data: TranslationImportJob }> {
  const job = await findJob(work, jobId, 'import');
  const files = await work.use(JobFileRepository).list(job.id);
  return { data: presentImport(job, { options: job.options as ImportOptions, files }) };
}
