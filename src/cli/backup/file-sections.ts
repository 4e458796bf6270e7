import { createHash } from 'node:crypto';
import type { MediaStorage } from '../../infrastructure/storage/media-storage.js';
import { StagedFile } from '../../infrastructure/storage/staged-file.js';
import { toLine, type FileSection } from './archive-format.js';

export interface FileCounts {
  files: number;
  bytes: number;
  /** Keys of files that are missing or damaged in the storage. */
  readonly lacking: string[];
}

/** The key of a stored file ends with the hash of its content. */
const hashIn = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

/** A section for every file: what rows name, as the storage has it now. */
export async function* fileSections(
  storage: MediaStorage,
  keys: AsyncIterable<string>,
  counts: FileCounts,
): AsyncGenerator<string | Buffer> {
  for await (const key of keys) {
    const found = await storage.read(key);
    if (found === undefined) {
      counts.lacking.push(key);
      continue;
    }
    yield toLine({ file: key, size: found.size } satisfies FileSection);
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of found.stream) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      yield chunk as Buffer;
    }
    if (bytes !== found.size) throw new Error(`The file ${key} changed while it was read.`);
    if (hash.digest('hex') !== hashIn(key)) counts.lacking.push(key);
    counts.files += 1;
    counts.bytes += bytes;
  }
}

/** Stores the file of a section, unless its bytes are not those of its key. */
export async function storeFile(
  storage: MediaStorage,
  { file: key }: FileSection,
  bytes: AsyncIterable<Buffer>,
): Promise<boolean> {
  const staged = await StagedFile.create(storage.staging);
  try {
    const hash = createHash('sha256');
    for await (const chunk of bytes) {
      hash.update(chunk);
      await staged.write(chunk);
    }
    await staged.close();
    if (hash.digest('hex') !== hashIn(key)) return false;
    await storage.put(key, { file: staged.path });
    return true;
  } finally {
    await staged.discard();
  }
}
