import { buffer } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import {
  type ByteRange,
  type MediaStorage,
  type ObjectBytes,
  renditionKey,
  tenantOf,
} from '../../../../infrastructure/storage/media-storage.js';
import { setTimeout as delay } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { AppError } from '../../../../../contracts/errors.js';
import { ComplexFile } from '../../../../infrastructure/files/complex-file.js';
import { ImageProcessFailure } from '../../../../infrastructure/image-work/image-process.js';
import { recipeKey, typeOfFormat, type ImageRecipe } from '../../../../infrastructure/images/render-image.js';
import { forNoClient } from '../../../../infrastructure/work-context.js';
import type { ImageLanes } from '../../../../infrastructure/image-work/image-work.js';
import { QueueFull } from '../../../../infrastructure/images/work-queue.js';
import { StagedFile } from '../../../../infrastructure/storage/staged-file.js';
import { fileRefusal } from '../shared/file-refusal.js';
import type { MediaFile, RenditionClaims } from './media-file.repository.js';

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

interface RenditionParts {
  readonly storage: MediaStorage;
  readonly objects: SmallObjects;
  readonly claims: Pick<RenditionClaims, 'claim' | 'release'>;
  /** Bound work, waiting requests and their time. */
  readonly lanes: ImageLanes;
}

interface Rendition {
  readonly bytes: FileBytes;
  readonly size: number;
}

const POLL_MILLISECONDS = 50;
/** Of a rendition that another process makes. */
const POLLS = 100;

const busy = (): AppError => new AppError('service_unavailable', { reason: 'renditions' });

/** Makes each rendition once across all processes, and keeps it in the storage. */
export class Renditions {
  readonly #flights = new Map<string, Promise<Buffer | undefined>>();

  constructor(private readonly parts: RenditionParts) {}

  /**
   * Undefined if the original does not exist.
   * @throws AppError 503 `service_unavailable` when too many wait, 422 `file_too_complex`; StorageFailure
   */
  async get(file: MediaFile, recipe: ImageRecipe): Promise<Rendition | undefined> {
    const key = renditionKey(file.checksum, recipeKey(recipe));
    const stored = await this.parts.objects.whole(key);
    if (stored !== undefined) return stored;
    const bytes = await this.#join(key, () => this.#make(key, file, recipe));
    return bytes && { bytes, size: bytes.length };
  }

  #join(key: string, make: () => Promise<Buffer | undefined>): Promise<Buffer | undefined> {
    const known = this.#flights.get(key);
    if (known !== undefined) return known;
    // Other clients may join.
    const flight = forNoClient(make).finally(() => {
      this.#flights.delete(key);
    });
    this.#flights.set(key, flight);
    return flight;
  }

  async #make(key: string, file: MediaFile, recipe: ImageRecipe): Promise<Buffer | undefined> {
    const { claims, storage } = this.parts;
    for (let poll = 0; poll < POLLS; poll += 1) {
      if (await claims.claim(key)) return this.#makeClaimed(key, file, recipe);
      await delay(POLL_MILLISECONDS);
      const made = await storage.read(key);
      if (made !== undefined) return Buffer.concat(await made.stream.toArray());
    }
    throw busy();
  }

  async #makeClaimed(key: string, file: MediaFile, recipe: ImageRecipe): Promise<Buffer | undefined> {
    const { claims, objects, storage, lanes } = this.parts;
    try {
      // It may have been made since it was looked for.
      const made = await storage.read(key);
      if (made !== undefined) return Buffer.concat(await made.stream.toArray());
      const { queue } = lanes.of(file.mimeType);
      const bytes = await queue.run(() => this.#render(file, recipe), tenantOf(file.storageKey));
      if (bytes === undefined) return undefined;
      await storage.put(
        key,
        { stream: Readable.from([bytes]), size: bytes.length },
        typeOfFormat[recipe.format],
      );
      objects.keep(key, bytes);
      return bytes;
    } catch (error) {
      if (error instanceof QueueFull || error instanceof ImageProcessFailure) throw busy();
      throw error instanceof ComplexFile ? fileRefusal(error) : error;
    } finally {
      await claims.release(key);
    }
  }

  async #render({ storageKey, mimeType }: MediaFile, recipe: ImageRecipe): Promise<Buffer | undefined> {
    const { storage, lanes } = this.parts;
    const { images } = lanes.of(mimeType);
    if (storage.pathOf !== undefined) {
      if ((await storage.head(storageKey)) === undefined) return undefined;
      return images.render(storage.pathOf(storageKey), recipe);
    }
    const found = await storage.read(storageKey);
    if (found === undefined) return undefined;
    const copy = await StagedFile.create(storage.staging);
    try {
      for await (const chunk of found.stream) await copy.write(chunk as Buffer);
      await copy.close();
      return await images.render(copy.path, recipe);
    } finally {
      await copy.discard();
    }
  }
}
