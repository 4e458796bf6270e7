import { limits } from '../../../../contracts/limits.js';
import type { translations } from '../../../../contracts/management/translations.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { TranslationExportJob } from '../../../../contracts/resources/translation-job.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { makingKey, withinKey } from '../../shared/index.js';
import { exportPath, type ExportUrls } from './export-url.js';
import { findJob } from './find-job.js';
import { JobFileRepository } from './job-file.repository.js';
import type { ExportOptions } from './stored-job.js';
import { presentExport } from './translation-job.presenter.js';

export async function getExport(
  work: UnitOfWork,
  { projectSlug, jobId }: InputOf<typeof translations.getExport>,
  { urls }: { readonly urls: ExportUrls },
): Promise<{ data: TranslationExportJob }> {
  const job = await findJob(work, jobId, 'export');
  const options = job.options as ExportOptions;
  const files = await work.use(JobFileRepository).list(job.id);
  const end = work.now.getTime() + limits.signedUrlSecondsDefault * 1000;
  const expiresAt = withinKey(work.scope, new Date(Math.min(end, job.expiresAt.getTime())));
  const keyId = makingKey(work.scope);
  const path = exportPath({
    projectSlug,
    jobId: job.id,
    fileName: `${projectSlug}-${options.targetLocale}.zip`,
  });
  const url = job.status === 'done' ? urls.signedExport(path, { expiresAt, keyId }) : null;
  return { data: presentExport(job, { options, files, url }) };
}
