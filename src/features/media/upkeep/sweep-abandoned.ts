import { opendir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '../../../infrastructure/errno.js';
import { UPLOADS, type MediaStorage } from '../../../infrastructure/storage/media-storage.js';

/** An upload or download that still runs is younger. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

export const isAbandoned = (modifiedAt: Date, now: Date): boolean =>
  now.getTime() - modifiedAt.getTime() > ABANDONED_AFTER_MS;

async function sweepStaging(staging: string, now: Date): Promise<number> {
  let removed = 0;
  try {
    for await (const { name } of await opendir(staging)) {
      const file = path.join(staging, name);
      const found = await stat(file).catch(() => undefined);
      if (found?.isFile() !== true || !isAbandoned(found.mtime, now)) continue;
      await rm(file, { force: true });
      removed += 1;
    }
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  }
  return removed;
}

/**
 * Removes temporary files and incomplete uploads that a process or a client has left behind for a day.
 * @returns how many
 */
export async function sweepAbandoned(storage: MediaStorage, now: Date): Promise<number> {
  let removed = await sweepStaging(storage.staging, now);
  for await (const { key, modifiedAt } of storage.list(UPLOADS)) {
    if (!isAbandoned(modifiedAt, now)) continue;
    await storage.remove(key);
    removed += 1;
  }
  return removed;
}
