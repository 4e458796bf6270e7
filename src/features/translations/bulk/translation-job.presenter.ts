import type {
  TranslationExportJob,
  TranslationImportJob,
  TranslationJobState,
} from '../../../../contracts/resources/translation-job.js';
import type { ExportOptions, ImportOptions, StoredJob, StoredJobFile } from './stored-job.js';

export const presentState = (jobId: string): TranslationJobState => ({ jobId, status: 'queued' });

const presentJob = ({ id, status, total, done, failed, error, ...job }: StoredJob) => ({
  ...{ jobId: id, status, total, done, failed, error, createdBy: job.createdBy },
  createdAt: job.createdAt.toISOString(),
  completedAt: job.completedAt?.toISOString() ?? null,
  expiresAt: job.expiresAt.toISOString(),
});

export function presentExport(
  job: StoredJob,
  { options, files, url }: { options: ExportOptions; files: readonly StoredJobFile[]; url: string | null },
): TranslationExportJob {
  return {
    ...presentJob(job),
    ...options,
    url,
    size: job.size,
    files: files.map(({ entryId, name, status, code, message }) => ({
      ...{ entryId: entryId ?? '', name, status, code, message },
    })),
  };
}

export function presentImport(
  job: StoredJob,
  { options, files }: { options: ImportOptions; files: readonly StoredJobFile[] },
): TranslationImportJob {
  return {
    ...presentJob(job),
    ...options,
    size: job.size ?? 0,
    files: files.map(({ name, entryId, locale, status, code, message, units }) => ({
      ...{ name, entryId, locale, status, code, message },
      applied: units?.applied ?? 0,
      untranslated: units?.untranslated ?? 0,
      staleSource: units?.stale_source ?? 0,
      invalid: units?.invalid ?? 0,
    })),
  };
}
