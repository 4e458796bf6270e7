import { UPLOADS, type MediaStorage } from '../../../../infrastructure/storage/media-storage.js';

export interface CopyResult {
  readonly copied: number;
  /** Already there. */
  readonly skipped: number;
  readonly bytes: number;
}

/** Receives the progress of a copy, file by file. */
interface CopyProgress {
  start(total: number): void;
  advance(): void;
}

async function countFiles(storage: MediaStorage): Promise<number> {
  let files = 0;
  for await (const { key } of storage.list('')) if (!key.startsWith(UPLOADS)) files += 1;
  return files;
}

/**
 * Copies every object from one storage to another. A second run copies only what is new: the key of an object is the
 * hash of its content.
 * @throws Error if a copy has another size than its original
 */
export async function copyMedia(
  from: MediaStorage,
  to: MediaStorage,
  progress?: CopyProgress,
): Promise<CopyResult> {
  let [copied, skipped, bytes] = [0, 0, 0];
  if (progress !== undefined) progress.start(await countFiles(from));
  for await (const { key, size } of from.list('')) {
    if (key.startsWith(UPLOADS)) continue;
    progress?.advance();
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
