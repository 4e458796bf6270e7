import { UPLOADS, type MediaStorage } from '../../../infrastructure/storage/media-storage.js';

export interface CopyResult {
  readonly copied: number;
  /** Already there. */
  readonly skipped: number;
  readonly bytes: number;
}

/**
 * Copies every object from one storage to another. A second run copies only what is new: the key of an object is the
 * hash of its content.
 * @throws Error if a copy has another size than its original
 */
export async function copyMedia(from: MediaStorage, to: MediaStorage): Promise<CopyResult> {
  let [copied, skipped, bytes] = [0, 0, 0];
  for await (const { key, size } of from.list('')) {
    if (key.startsWith(UPLOADS)) continue;
    if ((await to.head(key))?.size === size) {
      skipped += 1;
      continue;
    }
    const found = await from.read(key);
    if (found === undefined) continue;
    await to.put(key, { stream: found.stream, size });
    const copy = await to.head(key);
    if (copy?.size !== size) throw new Error(`The copy of ${key} has another size than its original.`);
    copied += 1;
    bytes += size;
  }
  return { copied, skipped, bytes };
}
