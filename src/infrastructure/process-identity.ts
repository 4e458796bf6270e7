import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hasErrorCode } from './errno.js';

/** Fields of `/proc/<pid>/stat` from the third on. The second, a name in brackets, may hold brackets and spaces. */
function fieldsAfterName(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Dead, but its parent has not asked for its exit code: under some containers' first process nobody ever does. */
function isZombie(pid: number): boolean {
  try {
    return fieldsAfterName(readFileSync(`/proc/${pid}/stat`, 'utf8'))[0] === 'Z';
  } catch {
    return false;
  }
}

/** Whether an id belongs to no process at all, not even a dead one. */
export function isProcessIdFree(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return hasErrorCode(error, 'ESRCH');
  }
}

/** Whether a process with this id runs, whoever owns it. */
export function isProcessAlive(pid: number): boolean {
  return !isProcessIdFree(pid) && !isZombie(pid);
}

async function readProcessFile(pid: number, name: string): Promise<string> {
  return readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
}

/**
 * When a process began, in the kernel's ticks since boot; empty where the system does not tell. Together with the
 * id it names one process: ids come round again, in containers at once.
 */
export async function processStart(pid: number): Promise<string> {
  const stat = await readProcessFile(pid, 'stat');
  return fieldsAfterName(stat)[22 - 3] ?? '';
}

/** The arguments a process was started with, where the system tells; empty elsewhere. */
export async function processArguments(pid: number): Promise<readonly string[]> {
  return (await readProcessFile(pid, 'cmdline')).split('\0').filter((argument) => argument !== '');
}

/**
 * Waits for a process to be gone.
 * @returns whether it went within the time
 */
export async function waitForExit(pid: number, timeoutSeconds: number): Promise<boolean> {
  const deadline = Date.now() + timeoutSeconds * 1000;
  while (isProcessAlive(pid)) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}
