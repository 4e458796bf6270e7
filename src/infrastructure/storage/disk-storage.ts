import { open, opendir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { hasErrorCode } from '../errno.js';
import {
  checkKey,
  StorageFailure,
  type ByteRange,
  type MediaStorage,
  type ObjectBody,
  type ObjectBytes,
  type StoredObject,
} from './media-storage.js';
import { makeDirectory, StagedFile, storageFailure } from './staged-file.js';
import { settled } from '../promises.js';

const CHUNK_BYTES = 256 * 1024;

const isMissing = (error: unknown): boolean =>
  hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ENOTDIR');

/** A rename is durable once its directory is. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Failures of the storage; those of `stream` pass through. */
async function writeAll(stream: Readable, write: (chunk: Uint8Array) => Promise<void>): Promise<void> {
  for await (const chunk of stream) await write(chunk as Uint8Array);
}

/** Objects as files of one directory: staged, flushed, renamed. */
export class DiskStorage implements MediaStorage {
  readonly kind = 'disk';
  readonly staging: string;
  readonly #objects: string;
  readonly #appending = new Set<string>();

  /** @param directory absolute; created on first use */
  constructor(directory: string) {
    this.staging = path.join(directory, 'staging');
    this.#objects = path.join(directory, 'objects');
  }

  async put(key: string, body: ObjectBody): Promise<void> {
    const target = this.pathOf(key);
    if ('file' in body) {
      await this.#take(body.file, target);
      return;
    }
    const staged = await StagedFile.create(this.staging);
    try {
      await writeAll(body.stream, (chunk) => staged.write(chunk));
      await staged.close();
      await this.#take(staged.path, target);
    } finally {
      await staged.discard();
    }
  }

  async read(key: string, range?: ByteRange): Promise<ObjectBytes | undefined> {
    let handle: FileHandle | undefined;
    try {
      handle = await open(this.pathOf(key), 'r');
      const { size } = await handle.stat();
      return { stream: handle.createReadStream({ ...range, highWaterMark: CHUNK_BYTES }), size };
    } catch (error) {
      await handle?.close();
      if (isMissing(error)) return undefined;
      throw storageFailure(error);
    }
  }

  async head(key: string): Promise<StoredObject | undefined> {
    return this.#describe(key);
  }

  async remove(key: string): Promise<void> {
    try {
      await rm(this.pathOf(key), { force: true });
    } catch (error) {
      throw storageFailure(error);
    }
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    for await (const key of this.#keysIn(folder)) {
      const found = key.startsWith(prefix) ? await this.#describe(key) : undefined;
      if (found !== undefined) yield found;
    }
  }

  async append(key: string, offset: number, stream: Readable): Promise<number> {
    const target = this.pathOf(key);
    if (this.#appending.has(key)) throw new StorageFailure('conflict');
    this.#appending.add(key);
    try {
      const size = (await this.#describe(key))?.size ?? 0;
      if (size !== offset) throw new StorageFailure('conflict');
      return await this.#extend(target, offset, stream);
    } finally {
      this.#appending.delete(key);
    }
  }

  async #extend(target: string, offset: number, stream: Readable): Promise<number> {
    let end = offset;
    const handle = await this.#openToAppend(target);
    try {
      await writeAll(stream, async (chunk) => {
        const { bytesWritten } = await handle.write(chunk).catch((error: unknown) => {
          throw storageFailure(error);
        });
        end += bytesWritten;
        if (bytesWritten < chunk.length) throw new StorageFailure('full');
      });
    } finally {
      await settled(handle.sync());
      await handle.close();
    }
    return end;
  }

  async #openToAppend(target: string): Promise<FileHandle> {
    try {
      await makeDirectory(path.dirname(target));
      return await open(target, 'a', 0o640);
    } catch (error) {
      throw storageFailure(error);
    }
  }

  pathOf(key: string): string {
    return path.join(this.#objects, ...checkKey(key).split('/'));
  }

  /** Flushed first, so that a crash after the rename leaves no empty file. */
  async #take(file: string, target: string): Promise<void> {
    try {
      const handle = await open(file, 'r+');
      try {
        await handle.sync();
        // Renames keep the time: a file that was staged long ago must not look abandoned.
        const now = new Date();
        await handle.utimes(now, now);
      } finally {
        await handle.close();
      }
      await makeDirectory(path.dirname(target));
      await rename(file, target);
      await syncDirectory(path.dirname(target));
    } catch (error) {
      throw storageFailure(error);
    }
  }

  async #describe(key: string): Promise<StoredObject | undefined> {
    try {
      const found = await stat(this.pathOf(key));
      return found.isFile() ? { key, size: found.size, modifiedAt: found.mtime } : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw storageFailure(error);
    }
  }

  /** @param folder empty, or with a final slash */
  async *#keysIn(folder: string): AsyncGenerator<string> {
    let directory;
    try {
      directory = await opendir(path.join(this.#objects, folder));
    } catch (error) {
      if (isMissing(error)) return;
      throw storageFailure(error);
    }
    for await (const entry of directory) {
      if (entry.isDirectory()) yield* this.#keysIn(`${folder}${entry.name}/`);
      else yield `${folder}${entry.name}`;
    }
  }
}
