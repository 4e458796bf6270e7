import { AppError } from '../../../../../contracts/errors.js';
import { withZip, ZipProblem, type ZipMember } from '../../../../infrastructure/archives/read-zip.js';
import { importKey, type MediaStorage } from '../../../../infrastructure/storage/media-storage.js';
import { StagedFile } from '../../../../infrastructure/storage/staged-file.js';
import { archiveBounds, archiveRefusal, applyNamedXliff, readNamedXliff } from './import-file.js';
import { JobFileRepository } from './job-file.repository.js';
import type { JobLease } from './job-lease.js';
import { Stopping, type JobServices } from './job-services.js';
import { refusalOutcome, type FileOutcome, type ImportOptions } from './stored-job.js';

interface Unpacked {
  readonly position: number;
  readonly member: ZipMember;
  read(member: ZipMember): Promise<Buffer>;
}

/** The change and its outcome are one transaction, so that a file is applied once. */
async function importFile(lease: JobLease, file: Unpacked, services: JobServices): Promise<void> {
  const { job } = lease;
  const { position, member, read } = file;
  const { applyStale } = job.options as ImportOptions;
  const about: Pick<FileOutcome, 'entryId' | 'locale'> = {};
  try {
    const named = await readNamedXliff(member, (one) =>
      read(one).catch((error: unknown) => {
        throw archiveRefusal(error);
      }),
    );
    Object.assign(about, { entryId: named.entryId, locale: named.locale });
    await services.asRequester(job, async (work) => {
      if (!(await work.use(JobFileRepository).take(job.id, position))) return;
      const application = { jobId: job.id, projectSlug: job.projectSlug, applyStale };
      const outcome = await applyNamedXliff(work, named, { ...application, converter: services.markup });
      await work.use(JobFileRepository).settle(job.id, new Map([[position, outcome]]));
      await lease.renew(work, [outcome]);
    });
  } catch (error) {
    const outcome = { ...refusalOutcome(error), ...about };
    await lease.run(async (work) => {
      if (!(await work.use(JobFileRepository).take(job.id, position))) return;
      await work.use(JobFileRepository).settle(job.id, new Map([[position, outcome]]));
      await lease.renew(work, [outcome]);
    });
  }
}

/** @throws AppError 404 `job_not_found` if the archive has been deleted */
async function fetchArchive(storage: MediaStorage, key: string): Promise<StagedFile> {
  const object = await storage.read(key);
  if (object === undefined) throw new AppError('job_not_found', undefined, 'The archive no longer exists.');
  const staged = await StagedFile.create(storage.staging);
  try {
    for await (const chunk of object.stream) await staged.write(chunk as Uint8Array);
    await staged.close();
    return staged;
  } catch (error) {
    await staged.discard();
    throw error;
  }
}

/** Imports the files that wait. After a crash it continues with those that are left. */
export async function runImport(lease: JobLease, services: JobServices): Promise<void> {
  const { storage } = services;
  const { id, tenantId } = lease.job;
  const key = importKey(tenantId, id);
  const staged = await fetchArchive(storage, key);
  try {
    const files = await lease.run((work) => work.use(JobFileRepository).list(id));
    await withZip(staged.path, archiveBounds, async ({ members, read }) => {
      for (const { position, status } of files) {
        if (services.isStopping()) throw new Stopping();
        const member = members[position];
        if (member === undefined) throw new ZipProblem('invalid_zip', 'The archive has changed.');
        if (status === 'waiting') await importFile(lease, { position, member, read }, services);
      }
    });
    await lease.run((work) => lease.end(work, { status: 'done', size: null }));
  } finally {
    await staged.discard();
  }
  // Otherwise it is swept when the job has expired.
  await storage.remove(key).catch(() => undefined);
}
