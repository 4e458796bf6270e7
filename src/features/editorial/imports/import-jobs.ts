import type { ImportJob } from '../../../../contracts/editorial/imports/import-job.js';
import type { imports } from '../../../../contracts/editorial/imports/imports.contract.js';
import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { isPermittedEverywhere } from '../../../access/grants.js';
import { settled } from '../../../infrastructure/promises.js';
import { importKey, type MediaStorage } from '../../../infrastructure/storage/media-storage.js';
import { StagedFile } from '../../../infrastructure/storage/staged-file.js';
import type { RunPart, UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { exportPath, type ExportAddress } from '../../editorial/translations/index.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { fileRefusal, stageFile } from '../../media/media/index.js';
import { makingKey, withinKey } from '../../shared/key-reach.js';
import { ImportJobRepository, type StoredImport } from './import-job.repository.js';
import { importLimits } from '../../../../contracts/editorial/imports/import-job.js';

interface Services {
  readonly storage: MediaStorage;
  readonly urls: {
    /** @param signing with the key that makes the URL, which ends with it */
    signedExport(path: string, signing: { readonly expiresAt: Date; readonly keyId: string | null }): string;
  };
}

/** Losses quote the content of entries: others' jobs are for callers that may read everything. */
const isVisible = ({ scope }: UnitOfWork, { createdBy: { type, id } }: StoredImport): boolean =>
  (type === scope.actor.type && id === scope.actor.id) ||
  isPermittedEverywhere({ grants: scope.grants, environmentSlug: scope.environmentSlug }, 'entries.read');

/** @throws AppError 404 `job_not_found` */
async function findJob(work: UnitOfWork, id: string, lock: '' | 'FOR UPDATE' = ''): Promise<StoredImport> {
  const job = await work.use(ImportJobRepository).find(id, lock);
  if (!isVisible(work, job)) throw new AppError('job_not_found');
  return job;
}

function present({ id, options, progress, report, ...job }: StoredImport, url: string | null): ImportJob {
  const { contentTypeApiName: _contentTypeApiName, ...shown } = options;
  return {
    jobId: id,
    status: job.status,
    ...shown,
    size: job.size,
    ...progress,
    failed: report.failed,
    conflicts: report.conflicts,
    counts: [...report.counts],
    losses: [...report.losses],
    lossCount: report.lossCount,
    url,
    mapping: job.mapping,
    error: job.error,
    createdAt: job.createdAt.toISOString(),
    createdBy: job.createdBy,
    completedAt: job.completedAt?.toISOString() ?? null,
    expiresAt: job.expiresAt.toISOString(),
  };
}

/** @throws AppError 404 `site_not_found`, 422 `limit_reached` */
async function plan(work: UnitOfWork, siteSlug: string): Promise<{ jobId: string; tenantId: string }> {
  await work.use(ImportJobRepository).assertRoom();
  const { tenant, sites } = (await work.use(CatalogRepository).current()).data;
  if (!sites.some(({ slug }) => slug === siteSlug)) throw new AppError('site_not_found');
  return { jobId: work.newId(), tenantId: tenant.id };
}

/** Stores the file. It is read when the job runs. */
export async function startImport(
  inPart: RunPart,
  { file, mapping, system, siteSlug, contentTypeApiName, dryRun }: InputOf<typeof imports.start>,
  { storage }: Services,
): Promise<{ data: ImportJob }> {
  const options = {
    system,
    siteSlug,
    dryRun,
    fileName: file.fileName,
    contentTypeApiName: contentTypeApiName ?? null,
  };
  let staged: StagedFile | undefined;
  try {
    const { jobId, tenantId } = await inPart((work) => plan(work, siteSlug));
    staged = await StagedFile.create(storage.staging);
    const size = await stageFile(file, staged, importLimits.importFileBytes);
    const key = importKey(tenantId, jobId);
    await storage.put(key, { file: staged.path });
    const job = await inPart(async (work) => {
      await work.use(ImportJobRepository).assertRoom();
      return work.use(ImportJobRepository).insert(jobId, { options, mapping: mapping ?? null, size });
    }).catch(async (error: unknown) => {
      await settled(storage.remove(key));
      throw error;
    });
    return { data: present(job, null) };
  } catch (error) {
    throw fileRefusal(error);
  } finally {
    await staged?.discard();
  }
}

export async function listImports(work: UnitOfWork): Promise<{ data: ImportJob[] }> {
  const jobs = await work.use(ImportJobRepository).list();
  const shown = jobs.filter((job) => isVisible(work, job));
  return {
    data: shown.map((job) => present({ ...job, mapping: null, report: { ...job.report, losses: [] } }, null)),
  };
}

function lossesUrl(
  { scope, now }: UnitOfWork,
  { id, status, expiresAt, report }: StoredImport,
  { urls, projectSlug }: Services & { readonly projectSlug: string },
): string | null {
  if (status !== 'done' || report.lossCount === 0) return null;
  const end = now.getTime() + limits.signedUrlSecondsDefault * 1000;
  const signing = {
    expiresAt: withinKey(scope, new Date(Math.min(end, expiresAt.getTime()))),
    keyId: makingKey(scope),
  };
  const address: ExportAddress = { projectSlug, jobId: id, fileName: `${projectSlug}-losses.zip` };
  return urls.signedExport(exportPath(address), signing);
}

export async function getImport(
  work: UnitOfWork,
  { projectSlug, jobId }: InputOf<typeof imports.get>,
  { storage, urls }: Services,
): Promise<{ data: ImportJob }> {
  const job = await findJob(work, jobId);
  return { data: present(job, lossesUrl(work, job, { storage, urls, projectSlug })) };
}

export async function repeatImport(
  work: UnitOfWork,
  { jobId, dryRun, mapping }: InputOf<typeof imports.repeat>,
): Promise<{ data: ImportJob }> {
  const jobs = work.use(ImportJobRepository);
  const job = await findJob(work, jobId, 'FOR UPDATE');
  if (job.status === 'queued' || job.status === 'running') throw new AppError('import_running');
  await jobs.assertRoom();
  const options = { ...job.options, dryRun };
  return { data: present(await jobs.repeat(job, { options, mapping: mapping ?? job.mapping }), null) };
}

export async function cancelImport(
  work: UnitOfWork,
  { jobId }: InputOf<typeof imports.cancel>,
): Promise<{ data: ImportJob }> {
  const job = await findJob(work, jobId, 'FOR UPDATE');
  const canceled = await work.use(ImportJobRepository).cancel(job);
  if (canceled !== undefined) noteEnd(work, canceled);
  return { data: present(canceled ?? job, null) };
}

export function noteEnd(work: UnitOfWork, { id: jobId, status, options, report }: StoredImport): void {
  const { system, dryRun } = options;
  const { failed, lossCount } = report;
  work.emit({ type: 'import.finished', data: { jobId, status, system, dryRun, failed, lossCount } });
}
