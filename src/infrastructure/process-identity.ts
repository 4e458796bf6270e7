import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hasErrorCode } from './errno.js';

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
export async function processStart(pid: number): Promise<string> {
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
