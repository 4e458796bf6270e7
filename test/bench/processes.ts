import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** Ticks of a second in `/proc/<pid>/stat`. */
const TICKS_PER_SECOND = 100;
const hasTaskset = spawnSync('taskset', ['-V']).status === 0 && cpus().length > 1;

/** The core of the servers under test, and the core of everything else. */
const cores = { server: '0', rest: '1' } as const;

/** How the processes are pinned, for the report. */
export const pinning = hasTaskset
  ? 'servers on core 0, database and load on core 1'
  : 'not pinned: no taskset, or one core';

/** Puts this process, and so the children that it starts without more ado, beside the servers under test. */
export function stepAside(): void {
  if (hasTaskset) spawnSync('taskset', ['-acp', cores.rest, String(process.pid)]);
}

/** A process under test. */
export interface Measured {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

async function waitUntilUp(url: string, child: ChildProcess, output: () => string): Promise<void> {
  for (let attempt = 0; attempt < 3000; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`it ended before it listened:\n${output()}`);
    const answer = await fetch(url).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await delay(10);
  }
  throw new Error(`it does not answer:\n${output()}`);
}

/** What to start: a node program on a port of its own. */
export interface Program {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
  /** Answers 200 as soon as the program serves. */
  readonly probe: string;
  /** Whether it may run on every core; on the servers' own otherwise. */
  readonly isUnpinned?: boolean;
}

/** Starts a program on the servers' core and waits until it answers. */
export async function start({ name, args, env, port, probe, isUnpinned }: Program): Promise<Measured> {
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
  await waitUntilUp(`${url}${probe}`, child, () => output);
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

/** Processor time of a process so far, in ms; 0 where the system does not tell. */
export async function cpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user ?? 0) + Number(system ?? 0)) * (1000 / TICKS_PER_SECOND);
}

/** Resident memory of a process in MB; 0 where the system does not tell. */
export async function memoryMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
}

/** Whether something else keeps the machine busy: the load of the last minute. */
export async function loadAverage(): Promise<string> {
  const text = await readFile('/proc/loadavg', 'utf8').catch(() => '');
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).length;
  return `${text.split(' ')[0] ?? 'unknown'} (${processes} processes)`;
}
