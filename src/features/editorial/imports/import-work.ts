import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { ImportLoss, importLimits } from '../../../../contracts/editorial/imports/import-job.js';
import { AppError } from '../../../../contracts/errors.js';
import { toAppError } from '../../../../contracts/procedure.js';
import { ZipWriter } from '../../../infrastructure/archives/write-zip.js';
import type { Clock } from '../../../infrastructure/clock.js';
import { settled } from '../../../infrastructure/promises.js';
import { exportKey, importKey, type MediaStorage } from '../../../infrastructure/storage/media-storage.js';
import {
  addressOf,
  systemScope,
  type UnitOfWork,
  type UnitOfWorkFactory,
  type WorkScope,
} from '../../../persistence/work/unit-of-work.js';
import { fileRefusal } from '../../media/media/index.js';
import {
  ImportJobRepository,
  type DueImport,
  type ImportEnding,
  type ImportProgress,
  type ImportReport,
} from './import-job.repository.js';
import { noteEnd } from './import-jobs.js';
import { ImportProblem, ImportThread, type CallOperation } from './import-thread.js';

/** A job of a process that died waits as long. */
const LEASE_SECONDS = 60;
const RENEW_MS = 2000;
const LIST = 20;
/** Pauses before the second, third and fourth attempt. */
const retrySeconds = [10, 60, 600] as const;

/** Another process has the job, or it was canceled. */
class LeaseLost extends Error {}

/** The process is stopping; another one starts the job over. */
class Stopping extends Error {}

interface ImportWorkParts {
  readonly units: UnitOfWorkFactory;
  readonly clock: Clock;
  readonly storage: MediaStorage;
  newId(): string;
  /** The caller's rights are read again for every operation. */
  callAs(job: Pick<DueImport, 'id' | 'createdBy' | 'projectSlug' | 'environmentId'>): CallOperation;
  /** Receives failures of the service; the job is tried again. */
  onError(error: unknown): void;
}

/** The files of a run, in a folder that is removed afterwards. */
interface RunFiles {
  readonly folder: string;
  readonly file: string;
  readonly mapping: string;
  readonly losses: string;
}

/** The name of the file in the folder, of which readers look at the extension. */
const localName = (fileName: string): string =>
  `export${/(?:\.tar)?\.[A-Za-z0-9]{1,8}$/.exec(fileName)?.[0].toLowerCase() ?? ''}`;

function filesIn(folder: string, fileName: string): RunFiles {
  const own = path.join(folder, 'file');
  return {
    folder,
    file: path.join(own, localName(fileName)),
    mapping: path.join(folder, 'mapping.yaml'),
    losses: path.join(folder, 'losses.jsonl'),
  };
}

/** Losses of an export that is made to have many. */
async function assertFewLosses({ losses }: RunFiles): Promise<void> {
  const found = await stat(losses).catch(() => undefined);
  if ((found?.size ?? 0) > importLimits.importLossBytes)
    throw new ImportProblem('The import has more losses than a report can list. Change the mapping.');
}

/** Null: there is none, or it is too long to be sent with another run. */
async function mappingIn({ mapping }: RunFiles): Promise<string | null> {
  const text = await readFile(mapping, 'utf8').catch(() => null);
  return text !== null && Buffer.byteLength(text) <= importLimits.importMappingBytes ? text : null;
}

/** The first losses, and how many there are. */
async function readLosses({ losses }: RunFiles): Promise<Pick<ImportReport, 'losses' | 'lossCount'>> {
  const first: ImportLoss[] = [];
  let lossCount = 0;
  if ((await stat(losses).catch(() => undefined)) === undefined) return { losses: first, lossCount };
  for await (const line of createInterface({ input: createReadStream(losses) })) {
    lossCount += 1;
    if (first.length < importLimits.importLosses) first.push(ImportLoss.parse(JSON.parse(line)));
  }
  return { losses: first, lossCount };
}

/** Runs one job while its lease lasts. */
class ImportRun {
  readonly #leaseId: string;
  readonly #scope: WorkScope;
  #progress: ImportProgress = { done: 0, total: 0 };

  constructor(
    private readonly parts: ImportWorkParts,
    private readonly job: DueImport,
    private readonly isStopping: () => boolean,
  ) {
    this.#leaseId = parts.newId();
    const scope = systemScope({ requestId: parts.newId(), address: addressOf(job) });
    this.#scope = { ...scope, actor: job.createdBy, metadata: { jobId: job.id } };
  }

  async run(): Promise<void> {
    const { job } = this;
    if (!(await this.#unit((work) => work.use(ImportJobRepository).claim(this.#key, this.#until())))) return;
    const folder = path.join(this.parts.storage.staging, `import-${job.id}-${this.#leaseId}`);
    try {
      // A process that dies leaves no failure behind.
      if (job.attempts > retrySeconds.length)
        throw new ImportProblem('The import was interrupted too often.');
      await this.#import(filesIn(folder, job.options.fileName));
    } catch (error) {
      await this.#settle(fileRefusal(error));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #import(files: RunFiles): Promise<void> {
    const { job, parts } = this;
    const { storage } = parts;
    await this.#fetch(files);
    const { counts, failed, conflicts } = await this.#inThread(files);
    const found = await readLosses(files);
    if (found.lossCount > 0) await this.#storeLosses(files);
    else await settled(storage.remove(exportKey(job.tenantId, job.id)));
    const mapping = await mappingIn(files);
    const report = { counts, failed, conflicts, ...found };
    await this.#end({ status: 'done', report, mapping });
  }

  /** @throws AppError 404 `job_not_found` if the file has been deleted; StorageFailure */
  async #fetch({ file, mapping }: RunFiles): Promise<void> {
    const { job, parts } = this;
    const object = await parts.storage.read(importKey(job.tenantId, job.id));
    if (object === undefined) throw new AppError('job_not_found', undefined, 'The file no longer exists.');
    await mkdir(path.dirname(file), { recursive: true, mode: 0o750 });
    await pipeline(object.stream, createWriteStream(file, { flags: 'wx', mode: 0o640 }));
    if (job.mapping !== null) await writeFile(mapping, job.mapping);
  }

  /** @throws ImportProblem, LeaseLost, Stopping */
  async #inThread(files: RunFiles): ReturnType<ImportThread['result']> {
    const { job, parts } = this;
    const { file, mapping, losses } = files;
    const thread = new ImportThread(
      { ...job.options, projectSlug: job.projectSlug, file, mapping, losses },
      {
        call: parts.callAs(job),
        onProgress: ({ done, total }) => (this.#progress = { done, total }),
      },
    );
    const { promise: interrupted, reject } = Promise.withResolvers<never>();
    const watch = async (): Promise<void> => {
      if (this.isStopping()) throw new Stopping();
      await assertFewLosses(files);
      await this.#renew();
    };
    let watching = Promise.resolve();
    const timer = setInterval(() => {
      watching = watching.then(watch).catch(reject);
    }, RENEW_MS);
    try {
      return await Promise.race([thread.result(), interrupted]);
    } finally {
      clearInterval(timer);
      await thread.stop();
      await watching;
    }
  }

  async #storeLosses({ losses }: RunFiles): Promise<void> {
    const { job, parts } = this;
    const zip = await ZipWriter.create(parts.storage.staging, job.createdAt);
    try {
      await zip.add('losses.jsonl', await readFile(losses, 'utf8'));
      const file = await zip.finish();
      await parts.storage.put(exportKey(job.tenantId, job.id), { file }, 'application/zip');
    } finally {
      await zip.discard();
    }
  }

  /** Failures of the file and of rights are final; those of the service are tried again. */
  async #settle(error: unknown): Promise<void> {
    if (error instanceof LeaseLost) return;
    const now = this.parts.clock();
    const release = (at: Date, isAttempt: boolean): Promise<void> =>
      this.#unit((work) => work.use(ImportJobRepository).release(this.#key, { at, isAttempt }));
    if (error instanceof Stopping) return release(now, false);
    const { code, message, status } =
      error instanceof ImportProblem
        ? { code: 'import_failed', message: error.message, status: 422 }
        : toAppError(error);
    const seconds = retrySeconds[this.job.attempts];
    if (status >= 500) this.parts.onError(error);
    if (status >= 500 && seconds !== undefined)
      return release(new Date(now.getTime() + seconds * 1000), true);
    await this.#end({ status: 'failed', error: { code, message } }).catch((failure: unknown) => {
      if (!(failure instanceof LeaseLost)) throw failure;
    });
  }

  /** @throws LeaseLost */
  #end(ending: ImportEnding): Promise<void> {
    return this.#unit(async (work) => {
      const ended = await work.use(ImportJobRepository).end(this.#key, ending);
      if (ended === undefined) throw new LeaseLost();
      noteEnd(work, ended);
    });
  }

  /** @throws LeaseLost */
  async #renew(): Promise<void> {
    const isKept = await this.#unit((work) =>
      work.use(ImportJobRepository).renew(this.#key, this.#until(), this.#progress),
    );
    if (!isKept) throw new LeaseLost();
  }

  /** In a unit of work of the service, which checks no rights. */
  #unit<T>(run: (work: UnitOfWork) => Promise<T>): Promise<T> {
    return this.parts.units.run({ scope: this.#scope, isReadOnly: false, lock: 'none' }, run);
  }

  get #key(): { id: string; leaseId: string } {
    return { id: this.job.id, leaseId: this.#leaseId };
  }

  #until(): Date {
    return new Date(this.parts.clock().getTime() + LEASE_SECONDS * 1000);
  }
}

/** Imports files of other systems, one after another. Any number of processes may: a job is claimed in the database. */
export class ImportWork {
  #isStopping = false;

  constructor(private readonly parts: ImportWorkParts) {}

  /** Ends the running job; another process starts it over, which changes only what differs. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Runs every job that is due now, of any tenant; returns how many were tried. */
  async runDue(): Promise<number> {
    const { units, clock, onError } = this.parts;
    const jobs = await units.run({ scope: systemScope(), isReadOnly: true, lock: 'none' }, (work) =>
      work.use(ImportJobRepository).due(clock(), LIST),
    );
    for (const job of jobs) {
      if (this.#isStopping) break;
      await new ImportRun(this.parts, job, () => this.#isStopping).run().catch(onError);
    }
    return jobs.length;
  }
}
