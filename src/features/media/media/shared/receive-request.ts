import { limits } from '../../../../../contracts/limits.js';
import type { RunPart, UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { OpenUploadRepository, type UploadQuota } from './open-upload.repository.js';

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
    await inPart((work) => work.use(OpenUploadRepository).closeRequest(id)).catch(() => undefined);
    throw error;
  }
}
