import { stat } from 'node:fs/promises';
import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import { ZipWriter } from '../../../../infrastructure/archives/write-zip.js';
import { exportKey } from '../../../../infrastructure/storage/media-storage.js';
import { writeTranslation } from '../exchange/export-translation.js';
import { JobFileRepository } from './job-file.repository.js';
import type { JobLease } from './job-lease.js';
import { Stopping, type JobServices } from './job-services.js';
import { refusalOutcome, type ExportOptions, type FileOutcome, type StoredJobFile } from './stored-job.js';

/** Files between two renewals of the lease. */
const BATCH = 20;

/** Reads as the caller, in a transaction for each entry. @throws AppError */
async function readFile(
  { job }: JobLease,
  { entryId }: StoredJobFile,
  { asRequester }: JobServices,
): Promise<string> {
  const { source, sourceLocale: wanted, targetLocale: locale } = job.options as ExportOptions;
  const input = { entryId: entryId ?? '', locale, source };
  const { xliff, sourceLocale } = await asRequester(job, (work) => writeTranslation(work, input));
  if (wanted === null || wanted === sourceLocale) return xliff;
  const message = `The source locale of the entry is ${sourceLocale}.`;
  throw invalidInput({ path: ['sourceLocale'], code: 'wrong_locale', message });
}

/** Files that cannot be exported are left out; all together stay within what an import takes. */
async function addFiles(
  lease: JobLease,
  files: readonly StoredJobFile[],
  { zip, services }: { zip: ZipWriter; services: JobServices },
): Promise<Map<number, FileOutcome>> {
  const outcomes = new Map<number, FileOutcome>();
  let [bytes, settled] = [0, 0];
  const add = async (file: StoredJobFile): Promise<FileOutcome> => {
    const xliff = await readFile(lease, file, services);
    const size = Buffer.byteLength(xliff);
    const maximumBytes = limits.translationArchiveExpandedBytes;
    if (size > limits.xliffImportBytes || bytes + size > maximumBytes)
      throw new AppError('payload_too_large', { maximumBytes });
    bytes += size;
    await zip.add(file.name, xliff);
    return { status: 'done' };
  };
  for (const file of files) {
    if (services.isStopping()) throw new Stopping();
    outcomes.set(file.position, await add(file).catch(refusalOutcome));
    if (outcomes.size % BATCH !== 0 && outcomes.size < files.length) continue;
    const latest = [...outcomes.values()].slice(settled);
    settled = outcomes.size;
    await lease.run((work) => lease.renew(work, latest));
  }
  return outcomes;
}

/** Writes the archive of an export. After a crash it is written again from the start. */
export async function runExport(lease: JobLease, services: JobServices): Promise<void> {
  const { storage } = services;
  const { id, tenantId, createdAt } = lease.job;
  const files = await lease.run((work) => work.use(JobFileRepository).list(id));
  const zip = await ZipWriter.create(storage.staging, createdAt);
  try {
    const outcomes = await addFiles(lease, files, { zip, services });
    const path = await zip.finish();
    const { size } = await stat(path);
    await storage.put(exportKey(tenantId, id), { file: path }, 'application/zip');
    await lease.run(async (work) => {
      await work.use(JobFileRepository).settle(id, outcomes);
      await lease.end(work, { status: 'done', size });
    });
  } finally {
    await zip.discard();
  }
}
