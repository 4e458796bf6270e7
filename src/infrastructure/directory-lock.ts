import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from './errno.js';
import { isProcessAlive, processStart } from './process-identity.js';

export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError';
}

async function holderOf(file: string): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) return '';
    throw error;
  });
  const [pid, start] = text.trim().split(' ');
  const holder = Number(pid);
  if (!Number.isSafeInteger(holder) || holder <= 0 || !isProcessAlive(holder)) return undefined;
  return (start ?? '') === (await processStart(holder)) ? holder : undefined;
}

/**
 * Claims a directory with a file `lock` that names this process. The lock of a dead process is taken over.
 * @returns releases the directory
 * @throws DirectoryInUseError when a live process, including this one, holds it
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const file = path.join(directory, 'lock');
  const mine = `${process.pid} ${await processStart(process.pid)}`.trim();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    try {
      await writeFile(file, `${mine}\n`, { flag: 'wx', mode: 0o644 });
      return () => rm(file, { force: true });
    } catch (error) {
      if (!hasErrorCode(error, 'EEXIST')) throw error;
    }
    const holder = await holderOf(file);
    if (holder !== undefined) {
      throw new DirectoryInUseError(
        `The data directory ${directory} is in use by process ${holder}: stop it, or set HEADWATER_DATA_DIR to another directory.`,
      );
    }
    await rm(file, { force: true });
  }
  throw new DirectoryInUseError(
    `The data directory ${directory} is being claimed by other processes: try again.`,
  );
}
