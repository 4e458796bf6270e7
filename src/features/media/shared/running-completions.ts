import { AppError } from '../../../../contracts/errors.js';

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
