import { AppError } from '../../../../../contracts/errors.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { reachesAll } from '../translation-filter.js';
import type { JobPlan, StoredJob, ExportOptions, ImportOptions, StoredJobFile } from './stored-job.js';
import { TranslationJobRepository, JobFileRepository } from './translation-job.repository.js';
import type {
  TranslationExportJob,
  TranslationImportJob,
  TranslationJobState,
} from '../../../../../contracts/editorial/translations/translation-job.js';
import { limits } from '../../../../../contracts/limits.js';
import type { translations } from '../../../../../contracts/editorial/translations/translations.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import { makingKey, withinKey } from '../../../shared/key-reach.js';

/**
 * A job of the caller; of others only for callers that can read every entry and translation, since it shows theirs.
 * @throws AppError 404 `job_not_found`
 */
async function findJob(work: UnitOfWork, id: string, kind: JobPlan['kind']): Promise<StoredJob> {
  const job = await work.use(TranslationJobRepository).find(id, kind);
  const { actor } = work.scope;
  const isOwn = job.createdBy.type === actor.type && job.createdBy.id === actor.id;
  if (!isOwn && !reachesAll(work.scope)) throw new AppError('job_not_found');
  return job;
}

/** Signs URLs of archives. */
interface ExportUrls {
  /** @param signing with the key that makes the URL, which ends with it */
  signedExport(path: string, signing: { readonly expiresAt: Date; readonly keyId: string | null }): string;
}

export interface ExportAddress {
  readonly projectSlug: string;
  readonly jobId: string;
  readonly fileName: string;
}

/** Below `/media/`, so that what serves files serves archives. */
export const exportPath = ({ projectSlug, jobId, fileName }: ExportAddress): string =>
  `/media/${projectSlug}/exports/${jobId}/${fileName}`;

export const presentState = (jobId: string): TranslationJobState => ({ jobId, status: 'queued' });

const presentJob = ({ id, status, total, done, failed, error, ...job }: StoredJob) => ({
  jobId: id,
  status,
  total,
  done,
  failed,
  error,
  createdBy: job.createdBy,
  createdAt: job.createdAt.toISOString(),
  completedAt: job.completedAt?.toISOString() ?? null,
  expiresAt: job.expiresAt.toISOString(),
});

function presentExport(
  job: StoredJob,
  { options, files, url }: { options: ExportOptions; files: readonly StoredJobFile[]; url: string | null },
): TranslationExportJob {
  return {
    ...presentJob(job),
    ...options,
    url,
    size: job.size,
    files: files.map(({ entryId, name, status, code, message }) => ({
      entryId: entryId ?? '',
      name,
      status,
      code,
      message,
    })),
  };
}

function presentImport(
  job: StoredJob,
  { options, files }: { options: ImportOptions; files: readonly StoredJobFile[] },
): TranslationImportJob {
  return {
    ...presentJob(job),
    ...options,
    size: job.size ?? 0,
    files: files.map(({ name, entryId, locale, status, code, message, units }) => ({
      name,
      entryId,
      locale,
      status,
      code,
      message,
      applied: units?.applied ?? 0,
      untranslated: units?.untranslated ?? 0,
      staleSource: units?.stale_source ?? 0,
      invalid: units?.invalid ?? 0,
    })),
  };
}

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

export async function getImport(
  work: UnitOfWork,
  { jobId }: InputOf<typeof translations.getImport>,
): Promise<{ data: TranslationImportJob }> {
  const job = await findJob(work, jobId, 'import');
  const files = await work.use(JobFileRepository).list(job.id);
  return { data: presentImport(job, { options: job.options as ImportOptions, files }) };
}
