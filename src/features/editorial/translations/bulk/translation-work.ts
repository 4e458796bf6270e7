import { stat } from 'node:fs/promises';
import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import { toAppError } from '../../../../../contracts/procedure.js';
import { ZipWriter } from '../../../../infrastructure/archives/write-zip.js';
import { exportKey, importKey, type MediaStorage } from '../../../../infrastructure/storage/media-storage.js';
import { withZip, ZipProblem, type ZipMember } from '../../../../infrastructure/archives/read-zip.js';
import { StagedFile } from '../../../../infrastructure/storage/staged-file.js';
import { systemScope } from '../../../../persistence/work/unit-of-work.js';
import { fileRefusal } from '../../../media/media/index.js';
import { writeTranslation } from '../exchange/export-translation.js';
import { JobFileRepository, TranslationJobRepository } from './translation-job.repository.js';
import { JobLease, LeaseLost, Stopping, JobRefused, type LeaseParts, type JobServices } from './job-lease.js';
import {
  refusalOutcome,
  type ExportOptions,
  type FileOutcome,
  type StoredJobFile,
  type ImportOptions,
  type DueJob,
} from './stored-job.js';
import { archiveBounds, archiveRefusal, applyNamedXliff, readNamedXliff } from './import-file.js';
import { settled } from '../../../../infrastructure/promises.js';

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
async function runExport(lease: JobLease, services: JobServices): Promise<void> {
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
async function runImport(lease: JobLease, services: JobServices): Promise<void> {
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
  await settled(storage.remove(key));
}

interface TranslationWorkParts extends LeaseParts, Omit<JobServices, 'isStopping'> {
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
