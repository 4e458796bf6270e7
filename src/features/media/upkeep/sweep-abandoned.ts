import { opendir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '../../../infrastructure/errno.js';
import { limits } from '../../../../contracts/limits.js';
import {
  EXPORTS,
  IMPORTS,
  UPLOADS,
  type MediaStorage,
} from '../../../infrastructure/storage/media-storage.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** An upload or download that still runs is younger. */
export const isAbandoned = (modifiedAt: Date, now: Date, days = 1): boolean =>
  now.getTime() - modifiedAt.getTime() > days * DAY_MS;

/** Objects that are kept for some days only. Those of jobs outlive their jobs, so that no job lacks its archive. */
const temporary: readonly (readonly [prefix: string, days: number])[] = [
  [UPLOADS, 1],
  [EXPORTS, limits.translationJobDays + 1],
  [IMPORTS, limits.translationJobDays + 1],
];

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
 * Removes temporary files and incomplete uploads that a process or a client has left behind for a day, and archives of
 * expired jobs.
 * @returns how many
 */
export async function sweepAbandoned(storage: MediaStorage, now: Date): Promise<number> {
  let removed = await sweepStaging(storage.staging, now);
  for (const [prefix, days] of temporary)
    for await (const { key, modifiedAt } of storage.list(prefix)) {
      if (!isAbandoned(modifiedAt, now, days)) continue;
      await storage.remove(key);
      removed += 1;
    }
  return removed;
}
