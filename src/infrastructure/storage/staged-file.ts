import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '../errno.js';
import { StorageFailure } from './media-storage.js';
import { settled } from '../promises.js';

const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** A failure of the file system as one of the storage. */
export function storageFailure(error: unknown): StorageFailure {
  if (error instanceof StorageFailure) return error;
  const isFull = FULL.some((code) => hasErrorCode(error, code));
  return new StorageFailure(isFull ? 'full' : 'unavailable', error);
}

export async function makeDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o750 });
}

/** Writes files in a private directory until they are complete. */
export class StagedFile {
  private constructor(
    readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  /** @throws StorageFailure */
  static async create(staging: string): Promise<StagedFile> {
    const file = path.join(staging, randomUUID());
    try {
      await makeDirectory(staging);
      return new StagedFile(file, await open(file, 'wx', 0o640));
    } catch (error) {
      throw storageFailure(error);
    }
  }

  async write(chunk: Uint8Array): Promise<void> {
    let written = 0;
    while (written < chunk.length) {
      const { bytesWritten } = await this.handle
        .write(chunk, written, chunk.length - written)
        .catch((error: unknown) => {
          throw storageFailure(error);
        });
      written += bytesWritten;
    }
  }

  async close(): Promise<void> {
    try {
      await this.handle.close();
    } catch (error) {
      throw storageFailure(error);
    }
  }

  /** Also after {@link close}, and if the file has moved. */
  async discard(): Promise<void> {
    await settled(this.handle.close());
    await settled(rm(this.path, { force: true }));
  }
}
