import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { hasErrorCode } from './errno.js';
import path from 'node:path';

/**
 * Fields of `/proc/<pid>/stat` from the third on. The second, a name in brackets, may contain brackets and spaces.
 */
function fieldsAfterName(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Dead, but not yet reaped by its parent. */
function isZombie(pid: number): boolean {
  try {
    return fieldsAfterName(readFileSync(`/proc/${pid}/stat`, 'utf8'))[0] === 'Z';
  } catch {
    return false;
  }
}

/** Zombies keep their id. */
export function isProcessIdFree(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return hasErrorCode(error, 'ESRCH');
  }
}

/** The owner may be any user. */
export function isProcessAlive(pid: number): boolean {
  return !isProcessIdFree(pid) && !isZombie(pid);
}

async function readProcessFile(pid: number, name: string): Promise<string> {
  return readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
}

/** Start time in ticks since boot; empty if unavailable. Ids are reused, so it takes both to identify a process. */
async function processStart(pid: number): Promise<string> {
  const stat = await readProcessFile(pid, 'stat');
  return fieldsAfterName(stat)[22 - 3] ?? '';
}

/** Empty if unavailable. */
export async function processArguments(pid: number): Promise<readonly string[]> {
  return (await readProcessFile(pid, 'cmdline')).split('\0').filter((argument) => argument !== '');
}

/** @returns whether it exited in time */
export async function waitForExit(pid: number, timeoutSeconds: number): Promise<boolean> {
  const deadline = Date.now() + timeoutSeconds * 1000;
  while (isProcessAlive(pid)) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}

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
