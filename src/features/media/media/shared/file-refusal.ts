import { AppError } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import { ComplexFile } from '../../../../infrastructure/files/complex-file.js';
import { DamagedFile } from '../../../../infrastructure/files/file-window.js';
import { ImageProcessFailure } from '../../../../infrastructure/image-work/image-process.js';
import { QueueFull } from '../../../../infrastructure/images/work-queue.js';
import { StorageFailure } from '../../../../infrastructure/storage/media-storage.js';
import type { StagedFile } from '../../../../infrastructure/storage/staged-file.js';
import type { FileInput } from '../../../../../contracts/media/media/media-file.js';
import type { RunPart, UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { OpenUploadRepository, type UploadQuota } from './open-upload.repository.js';
import { settled } from '../../../../infrastructure/promises.js';

/**
 * A failure of a file or its storage as callers see it: 422 `file_damaged` or `file_too_complex`, 503
 * `service_unavailable` when too many files wait, 507 `storage_full` or 503
 * `storage_unavailable`; others unchanged.
 */
export function fileRefusal(error: unknown): unknown {
  if (error instanceof DamagedFile) return new AppError('file_damaged', { reason: error.message });
  if (error instanceof ComplexFile)
    return new AppError('file_too_complex', { aspect: error.aspect, maximum: error.maximum });
  if (error instanceof QueueFull || error instanceof ImageProcessFailure)
    return new AppError('service_unavailable', { reason: 'files' });
  if (!(error instanceof StorageFailure)) return error;
  const refusal = new AppError(error.reason === 'full' ? 'storage_full' : 'storage_unavailable');
  return Object.assign(refusal, { cause: error });
}

/** Completions that this process runs, so that an impatient client does not copy a large file twice. */
export class RunningCompletions {
  readonly #running = new Set<string>();

  /** @throws AppError 409 `upload_in_progress` */
  async run<T>(uploadId: string, complete: () => Promise<T>): Promise<T> {
    if (this.#running.has(uploadId)) throw new AppError('upload_in_progress');
    this.#running.add(uploadId);
    try {
      return await complete();
    } finally {
      this.#running.delete(uploadId);
    }
  }
}

interface ArrivingFile<Plan, File, Result> {
  readonly quota: UploadQuota;
  /** At most; undefined if unknown. */
  readonly size: number | undefined;
  /** Checks everything that does not need the file. */
  plan(work: UnitOfWork): Promise<Plan>;
  receive(plan: Plan): Promise<File>;
  register(work: UnitOfWork, file: File): Promise<Result>;
}

/**
 * Receives a file that arrives with its request, which is an open upload until the file is registered or refused.
 * @throws AppError 409 `open_uploads_exceeded`
 */
export async function receiveRequest<Plan, File, Result>(
  inPart: RunPart,
  { quota, size = limits.mediaUploadBytes, plan, receive, register }: ArrivingFile<Plan, File, Result>,
): Promise<Result> {
  const { id, planned } = await inPart(async (work) => {
    const checked = await plan(work);
    const uploads = work.use(OpenUploadRepository);
    const announced = Math.min(size, limits.mediaUploadBytes);
    await uploads.assertRoom(announced, quota);
    const opened = work.newId();
    await uploads.openRequest(opened, announced);
    return { id: opened, planned: checked };
  });
  try {
    const file = await receive(planned);
    return await inPart(async (work) => {
      await work.use(OpenUploadRepository).closeRequest(id);
      return register(work, file);
    });
  } catch (error) {
    // Without a database it expires.
    await settled(inPart((work) => work.use(OpenUploadRepository).closeRequest(id)));
    throw error;
  }
}

async function* bytesOf(file: FileInput): AsyncGenerator<Uint8Array> {
  if ('open' in file) yield* file.open();
  else yield Buffer.from(file.content, 'base64');
}

/**
 * Writes the file of a call beside the storage.
 * @returns its bytes
 * @throws AppError 413 `payload_too_large`, and what `complete` rejects with
 */
export async function stageFile(file: FileInput, staged: StagedFile, maximumBytes: number): Promise<number> {
  let size = 0;
  for await (const chunk of bytesOf(file)) {
    size += chunk.length;
    if (size > maximumBytes) throw new AppError('payload_too_large', { maximumBytes });
    await staged.write(chunk);
  }
  // A body that did not end as it should starts nothing.
  if ('open' in file) await file.complete;
  await staged.close();
  return size;
}
