import { buffer } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import type { ByteRange, MediaStorage, ObjectBytes } from '../../../infrastructure/storage/media-storage.js';

const MAXIMUM_BYTES = 32 * 1024 * 1024;
const LARGEST_OBJECT = 512 * 1024;

/** Bytes in memory, or a stream of the storage. */
export type FileBytes = Buffer | ObjectBytes['stream'];

/** Keeps small objects in memory: their content never changes, because their key is its hash. */
export class SmallObjects {
  readonly #objects = new LRUCache<string, Buffer>({
    maxSize: MAXIMUM_BYTES,
    sizeCalculation: (bytes) => bytes.length + 1,
  });

  constructor(private readonly storage: MediaStorage) {}

  peek(key: string): Buffer | undefined {
    return this.#objects.get(key);
  }

  keep(key: string, bytes: Buffer): void {
    if (bytes.length <= LARGEST_OBJECT) this.#objects.set(key, bytes);
  }

  /** Undefined without such an object. @throws StorageFailure */
  async whole(key: string): Promise<{ readonly bytes: FileBytes; readonly size: number } | undefined> {
    const known = this.peek(key);
    if (known !== undefined) return { bytes: known, size: known.length };
    const found = await this.storage.read(key);
    if (found === undefined || found.size > LARGEST_OBJECT)
      return found && { bytes: found.stream, size: found.size };
    const bytes = await buffer(found.stream);
    this.keep(key, bytes);
    return { bytes, size: bytes.length };
  }

  /** @throws StorageFailure */
  async part(key: string, range: ByteRange): Promise<FileBytes | undefined> {
    const known = this.peek(key);
    if (known !== undefined) return known.subarray(range.start, range.end + 1);
    return (await this.storage.read(key, range))?.stream;
  }
}
