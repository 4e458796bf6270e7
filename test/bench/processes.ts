import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** Clock ticks per second in `/proc/<pid>/stat`. */
const TICKS_PER_SECOND = 100;
const hasTaskset = spawnSync('taskset', ['-V']).status === 0 && cpus().length > 1;

/** CPU cores of the servers under test and of all other processes. */
const cores = { server: '0', rest: '1' } as const;

/** Pinning, for the report. */
export const pinning = hasTaskset
  ? 'servers on core 0, database and load on core 1'
  : 'not pinned (no taskset or only one core)';

/** Moves this process and its later children off the servers' core. */
export function leaveServerCore(): void {
  if (hasTaskset) spawnSync('taskset', ['-acp', cores.rest, String(process.pid)]);
}

/** A process under test. */
export interface Measured {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

async function waitUntilUp(
  { url, status }: { readonly url: string; readonly status: number },
  child: ChildProcess,
  output: () => string,
): Promise<void> {
  for (let attempt = 0; attempt < 3000; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`The process exited before it was ready:\n${output()}`);
    const answer = await fetch(url).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === status) return;
    await delay(10);
  }
  throw new Error(`The process did not become ready:\n${output()}`);
}

/** A Node program to start. */
export interface Program {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
  /** Responds with `status`, by default 200, once the program is ready. */
  readonly probe: string;
  readonly status?: number;
  /** May run on every core instead of the servers' core. */
  readonly isUnpinned?: boolean;
}

/** Starts a program and waits until it is ready. */
export async function start(program: Program): Promise<Measured> {
  const { name, args, env, port, probe, status = 200, isUnpinned } = program;
  const node = [process.execPath, ...args];
  const [command = '', ...rest] =
    hasTaskset && isUnpinned !== true ? ['taskset', '-c', cores.server, ...node] : node;
  const child = spawn(command, rest, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4000);
    });
  }
  const url = `http://127.0.0.1:${port}`;
  await waitUntilUp({ url: `${url}${probe}`, status }, child, () => output);
  return {
    name,
    url,
    pid: child.pid ?? 0,
    stop: async () => {
      if (child.exitCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** CPU time in ms; 0 without /proc. */
export async function cpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user ?? 0) + Number(system ?? 0)) * (1000 / TICKS_PER_SECOND);
}

/** Resident memory in MB; 0 without /proc. */
export async function memoryMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
}

/** Load average of the last minute and the number of processes. */
export async function loadAverage(): Promise<string> {
  const text = await readFile('/proc/loadavg', 'utf8').catch(() => '');
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).length;
  return `${text.split(' ')[0] ?? 'unknown'} (${processes} processes)`;
}
